import { type DaySum, type Period, where } from 'renown'
import type { ClientReads, ClientWorkspace } from 'renown/pages'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { type Counted, countedOf } from './tally'
import { visibleReviews, waitsForReply } from './visible'

const unreadMax = 100_000

/** The reviews of one workspace in a period and in the one before it. */
export interface WorkspaceReviews {
  readonly now: Counted
  readonly before: Counted
  /** When the last review of the period was written. */
  readonly last: string | undefined
  /** Whether no review of either period can be missing. */
  readonly isWhole: boolean
  /** Reviews of any time that wait for a reply. */
  readonly waiting: number
}

type Days = Pick<Period, 'date_from' | 'date_to'>
type PeriodsOf = (workspace: ClientWorkspace) => { readonly period: Days; readonly previous: Days }

/** Counts the reviews of many workspaces, each in its own days. Two reads for each time zone, and two for all. */
export async function readAcross(
  reads: ClientReads,
  periodsOf: PeriodsOf,
): Promise<ReadonlyMap<string, WorkspaceReviews>> {
  const zones = Map.groupBy(reads.workspaces, ({ timezone }) => timezone)
  const [{ waiting, partly }, ...read] = await Promise.all([
    readAll(reads),
    ...[...zones.values()].map((own) => readZone(reads, own, periodsOf)),
  ])
  const none = { now: [], earlier: [] }
  const sums = new Map(read.flatMap((zone) => [...zone]))
  return new Map(
    reads.workspaces.map(({ id }) => {
      const { now, earlier } = sums.get(id) ?? none
      const isWhole = ![...now, ...earlier].some(({ keys }) => partly.has(String(keys.location_id)))
      const lasts = now.map(({ last }) => last).toSorted()
      const own = { now: countedOf(now), before: countedOf(earlier), isWhole, waiting: waiting.get(id) ?? 0 }
      return [id, { ...own, last: lasts.at(-1) }]
    }),
  )
}

/** Sums the reviews of the workspaces of one time zone by location. They have the same periods. */
async function readZone(reads: ClientReads, own: readonly ClientWorkspace[], periodsOf: PeriodsOf) {
  const [first] = own
  if (!first) return new Map<string, { now: DaySum[]; earlier: DaySum[] }>()
  const ids = own.map(({ id }) => id)
  const sums = async ({ date_from, date_to }: Days) => {
    const found = await reads.rows(Review, ids).daySums({
      where: visibleReviews({}),
      within: { date_from, date_to, timezone: first.timezone },
      by: ['workspace_id', 'location_id'],
    })
    return Map.groupBy(found, ({ keys }) => String(keys.workspace_id))
  }
  const { period, previous } = periodsOf(first)
  const [now, earlier] = await Promise.all([sums(period), sums(previous)])
  return new Map(ids.map((id) => [id, { now: now.get(id) ?? [], earlier: earlier.get(id) ?? [] }]))
}

/** Reads what does not depend on the time zone. */
async function readAll(reads: ClientReads) {
  const inPart = where.and(where.eq('last_full_review_sync_at', null), where.eq('is_prospect', false))
  const [waiting, partly] = await Promise.all([
    reads.rows(Review).group({
      where: visibleReviews({}, waitsForReply),
      by: ['workspace_id'],
      measures: [{ as: 'n', fn: 'count' }],
    }),
    reads.rows(ReviewedLocation).list({ where: inPart, limit: unreadMax }),
  ])
  return {
    waiting: new Map(waiting.map(({ workspace_id, n }) => [String(workspace_id), Number(n)])),
    partly: new Set(partly.map(({ id }) => id)),
  }
}
