import { dayIn, type GroupRow, instantsOf, periodOf, where } from 'renown'
import {
  type ClientCell,
  type ClientFigures,
  type ClientReads,
  type ClientSource,
  clientDays,
} from 'renown/pages'
import { formatNumber } from 'renown/web'
import { responseRate } from '../operations/rates'
import { averageOf, sum } from '../operations/tally'
import { visibleReviews, waitsForReply } from '../operations/visible'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { ReviewListing } from '../records/ReviewListing'
import { ratingChange } from './review-changes'

const overview = `/app/reviews/overview?days=${clientDays}`
const counted = [{ as: 'n', fn: 'count' }] as const

/**
 * Workspaces whose periods start and end at the same instants. There are at most as many of these groups as
 * the world has time offsets.
 */
interface Span {
  readonly ids: string[]
  readonly from: string
  readonly before: string
  readonly previous: string
}

function spansOf({ workspaces, now }: ClientReads): Span[] {
  const zones = Map.groupBy(workspaces, ({ timezone }) => timezone)
  const spans = new Map<string, Span>()
  for (const [timezone, own] of zones) {
    const { period, previous } = periodOf({}, { today: dayIn(timezone, now()), days: clientDays })
    const span = { ...instantsOf(period, timezone), previous: instantsOf(previous, timezone).from }
    const key = `${span.previous} ${span.from} ${span.before}`
    const known = spans.get(key) ?? { ...span, ids: [] }
    known.ids.push(...own.map(({ id }) => id))
    spans.set(key, known)
  }
  return [...spans.values()]
}

const perWorkspace = (rows: readonly GroupRow[]) =>
  Map.groupBy(rows, ({ workspace_id }) => String(workspace_id))
const starsOf = (rows: readonly GroupRow[] = []) =>
  rows.map(({ star_rating, n }) => ({
    stars: star_rating === null ? null : Number(star_rating),
    n: Number(n),
  }))

/** Reads the counts of the workspaces in one group. Four reads. */
async function readSpan(reads: ClientReads, { ids, from, before, previous }: Span) {
  const reviews = reads.rows(Review, ids)
  const between = (first: string, end: string) => [
    where.gte('review_created_at', first),
    where.lt('review_created_at', end),
  ]
  const by = ['workspace_id', 'star_rating']
  const last = { as: 'last', fn: 'max', field: 'review_created_at' } as const
  const [now, earlier, replied, places] = await Promise.all([
    reviews.group({ where: visibleReviews({}, ...between(from, before)), by, measures: [...counted, last] }),
    reviews.group({ where: visibleReviews({}, ...between(previous, from)), by, measures: counted }),
    reviews.group({
      where: visibleReviews({}, ...between(from, before), where.ne('reply_text', null)),
      by: ['workspace_id'],
      measures: counted,
    }),
    reviews.group({
      where: visibleReviews({}, ...between(previous, before)),
      by: ['workspace_id', 'location_id'],
      measures: counted,
    }),
  ])
  return {
    ids,
    now: perWorkspace(now),
    earlier: perWorkspace(earlier),
    replied: perWorkspace(replied),
    places: perWorkspace(places),
  }
}

const unreadMax = 100_000

/** Reads the figures that do not depend on the time zone, for all workspaces. Three reads. */
async function readAll(reads: ClientReads) {
  const inPart = where.and(where.eq('last_full_review_sync_at', null), where.eq('is_prospect', false))
  const [waiting, listed, partly] = await Promise.all([
    reads.rows(Review).group({
      where: visibleReviews({}, waitsForReply),
      by: ['workspace_id'],
      measures: counted,
    }),
    reads
      .rows(ReviewListing)
      .group({ where: where.ne('due_at', null), by: ['workspace_id'], measures: counted }),
    reads.rows(ReviewedLocation).list({ where: inPart, limit: unreadMax }),
  ])
  return {
    waiting: perWorkspace(waiting),
    listed: perWorkspace(listed),
    partly: new Set(partly.map(({ id }) => id)),
  }
}

const unknown = (text: string): ClientCell => ({ value: null, text })

function figuresOf(
  id: string,
  { now, earlier, replied, places }: Awaited<ReturnType<typeof readSpan>>,
  { waiting, listed, partly }: Awaited<ReturnType<typeof readAll>>,
): ClientFigures {
  const n = sum(starsOf(now.get(id)))
  const waits = sum(starsOf(waiting.get(id)))
  const isRead = n > 0 || waits > 0 || listed.has(id) || earlier.has(id)
  if (!isRead)
    return { cells: { waiting: unknown('Not connected'), rating: unknown('–'), 'reply-rate': unknown('–') } }
  const rating = averageOf(starsOf(now.get(id)))
  const isWhole = !(places.get(id) ?? []).some(({ location_id }) => partly.has(String(location_id)))
  const { rate } = responseRate.of(sum(starsOf(replied.get(id))), n)
  const last = (now.get(id) ?? [])
    .map((row) => String(row.last))
    .toSorted()
    .at(-1)
  return {
    cells: {
      waiting: { value: waits, text: formatNumber(waits) },
      rating:
        rating === null
          ? unknown('–')
          : {
              value: rating,
              text: rating.toFixed(2),
              change: ratingChange({
                now: starsOf(now.get(id)),
                before: starsOf(earlier.get(id)),
                isWhole,
              }),
            },
      'reply-rate': rate === null ? unknown('–') : { value: rate, text: `${Math.round(rate * 100)} %` },
    },
    ...(last === undefined ? {} : { active_at: last }),
  }
}

/** Columns about reviews for the list of clients. They count like the pages of each workspace. */
export const reviewClients: ClientSource = {
  name: 'reviews',
  order: 10,
  columns: [
    {
      name: 'waiting',
      title: 'Waiting',
      worst: 'high',
      href: '/app/reviews?needs=1',
      definition: 'Reviews of any time that wait for a reply.',
    },
    {
      name: 'rating',
      title: 'Rating',
      worst: 'low',
      href: overview,
      definition: `The average of the stars of the last ${clientDays} days, and its change against the ${clientDays} days before.`,
    },
    {
      name: 'reply-rate',
      title: 'Reply rate',
      worst: 'low',
      href: overview,
      definition: `Reviews of the last ${clientDays} days that carry a reply now, among all reviews of these days.`,
    },
  ],
  async load(reads) {
    const [all, ...spans] = await Promise.all([
      readAll(reads),
      ...spansOf(reads).map((span) => readSpan(reads, span)),
    ])
    return new Map(spans.flatMap((span) => span.ids.map((id) => [id, figuresOf(id, span, all)] as const)))
  },
}
