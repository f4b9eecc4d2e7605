import { dayIn, type GroupRow, instantsOf, periodOf, type Row, type Where, where } from 'renown'
import {
  type ClientCell,
  type ClientFigures,
  type ClientReads,
  type ClientSource,
  clientDays,
} from 'renown/pages'
import { brandedBy } from '../detection/branded'
import { percent } from '../pages/rate-words'
import { hasAnswer } from '../records/runStatus'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityRun } from '../records/VisibilityRun'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { cellFields, joinCells } from '../sums/cells'
import { incidentsAmong } from '../sums/incidents'
import { cellMetricsOf } from '../sums/mention-rate'
import { modelChangesIn, seriesOf } from '../sums/model-changes'
import { type Answers, closedPrompts, joinRounds, roundFields, withoutRounds } from '../sums/rounds'
import { answered } from '../sums/scope'
import { homeChange } from './home'

type Tracker = Pick<Row<typeof VisibilityTracker>, 'id' | 'workspace_id'>

const trackersMax = 10_000
const promptsMax = 100_000

/** The trackers of these workspaces, and the prompts that count. Two reads. */
async function readTracked(reads: ClientReads) {
  const [trackers, prompts] = await Promise.all([
    reads.rows(VisibilityTracker).list({ limit: trackersMax }),
    reads.rows(VisibilityPrompt).list({ limit: promptsMax }),
  ])
  const branded = new Map(trackers.map((tracker) => [tracker.id, brandedBy(tracker)]))
  const open = new Set(
    prompts.filter(({ tracker_id, text }) => branded.get(tracker_id)?.(text) === false).map(({ id }) => id),
  )
  return { trackers, open }
}

/**
 * The cells of both periods of the workspaces of one time zone, and the series with a new model. Leaves out days on
 * which an assistant failed, as every other figure does. At most eight reads.
 */
async function readZone(
  reads: ClientReads,
  timezone: string,
  ids: readonly string[],
  { trackers, open }: Awaited<ReturnType<typeof readTracked>>,
) {
  const rows = reads.rows(VisibilityRun, ids)
  const { period, previous } = periodOf({}, { today: dayIn(timezone, reads.now()), days: clientDays })
  const now = instantsOf(period, timezone)
  const earlier = instantsOf(previous, timezone)
  const between = (from: string, before: string) =>
    where.and(where.gte('started_at', from), where.lt('started_at', before))
  const both = between(earlier.from, now.before)
  const counted = [{ as: 'n', fn: 'count' }] as const
  const [statuses, models] = await Promise.all([
    rows.group({
      where: both,
      by: ['tracker_id', 'engine', 'status', { field: 'started_at', unit: 'day', timezone }],
      measures: counted,
    }),
    rows.group({
      where: where.and(answered, both, where.ne('model_asked', null)),
      by: ['tracker_id', 'engine', 'model_asked'],
      measures: [{ as: 'first', fn: 'min', field: 'started_at' }],
    }),
  ])
  const left = incidentsIn(statuses, trackers).map(({ engine, day, ids: tracked }) => {
    const { from, before } = instantsOf({ date_from: day, date_to: day }, timezone)
    return where.not(
      where.and(where.eq('engine', engine), where.in('tracker_id', tracked), between(from, before)),
    )
  })
  const read = async (from: string, before: string): Promise<Answers> => {
    const matching = where.and(answered, between(from, before), ...left)
    const rounds = async (...more: readonly Where[]) =>
      joinRounds(
        await rows.group({
          where: where.and(matching, ...more),
          by: [...roundFields, 'brand_mentioned', { field: 'started_at', unit: 'day', timezone }],
          measures: counted,
        }),
      )
    const [cells, all] = await Promise.all([
      rows
        .group({ where: matching, by: [...cellFields, 'brand_mentioned'], measures: counted })
        .then(joinCells),
      rounds(),
    ])
    const closed = closedPrompts(cells, open)
    const others = closed.length === 0 ? [] : await rounds(where.in('prompt_id', closed))
    return { cells: cells.filter(({ prompt_id }) => open.has(prompt_id)), rounds: withoutRounds(all, others) }
  }
  const [here, before] = await Promise.all([read(now.from, now.before), read(earlier.from, now.from)])
  return { here, before, changed: new Set(modelChangesIn(models).map(seriesOf)) }
}

/** Returns the incidents of all workspaces: each engine and day once, with the trackers of the workspaces that had it. */
function incidentsIn(statuses: readonly GroupRow[], trackers: readonly Tracker[]) {
  const owners = new Map(trackers.map(({ id, workspace_id }) => [id, workspace_id]))
  const tracked = Map.groupBy(trackers, ({ workspace_id }) => workspace_id)
  const found = new Map<string, { engine: string; day: string; ids: string[] }>()
  for (const [owner, rows] of Map.groupBy(
    statuses,
    ({ tracker_id }) => owners.get(String(tracker_id)) ?? '',
  )) {
    const days = Map.groupBy(rows, ({ engine, started_at }) => JSON.stringify([engine, started_at]))
    const sums = [...days.values()].map((own) => ({
      engine: String(own[0]?.engine),
      stretch: String(own[0]?.started_at),
      sums: {
        runs: totalOf(own),
        answers: totalOf(own.filter(({ status }) => hasAnswer(status))),
      },
    }))
    for (const { engine, day } of incidentsAmong(sums)) {
      const key = JSON.stringify([engine, day])
      const one = found.get(key) ?? { engine, day, ids: [] }
      one.ids.push(...(tracked.get(owner) ?? []).map(({ id }) => id))
      found.set(key, one)
    }
  }
  return [...found.values()]
}

const totalOf = (rows: readonly GroupRow[]) => rows.reduce((sum, { n }) => sum + Number(n), 0)

type Zone = Awaited<ReturnType<typeof readZone>>

/** Visibility of every client, counted as in getVisibilitySummary and compareWorkspaces. */
export const visibilityClients: ClientSource = {
  name: 'visibility',
  order: 30,
  columns: [
    {
      name: 'ai-visibility',
      title: 'Named by AI',
      worst: 'low',
      href: `/app/visibility?days=${clientDays}`,
      definition: `The share of answers of AI assistants of the last ${clientDays} days that name the business, with each prompt, assistant and country of the same weight. Days on which an assistant failed are left out. The change compares only what the ${clientDays} days before have too.`,
    },
  ],
  async load(reads) {
    const tracked = await readTracked(reads)
    const { trackers } = tracked
    const byWorkspace = Map.groupBy(trackers, ({ workspace_id }) => workspace_id)
    const zones = Map.groupBy(
      reads.workspaces.filter(({ id }) => byWorkspace.has(id)),
      ({ timezone }) => timezone,
    )
    const read = await Promise.all(
      [...zones].map(async ([timezone, own]) => {
        const ids = own.map(({ id }) => id)
        return { ids, zone: await readZone(reads, timezone, ids, tracked) }
      }),
    )
    const known = new Map(
      read.flatMap(({ ids, zone }) => {
        const cells = answersByWorkspace(zone, trackers)
        return ids.map((id): [string, ClientCell] => [id, cellOf(cells(id))])
      }),
    )
    return new Map(
      reads.workspaces.map(({ id }): [string, ClientFigures] => [
        id,
        { cells: { 'ai-visibility': known.get(id) ?? { value: null, text: 'Not tracked' } } },
      ]),
    )
  },
}

/** The answers that count, by workspace. */
function answersByWorkspace({ here, before, changed }: Zone, trackers: readonly Tracker[]) {
  const owners = new Map(trackers.map(({ id, workspace_id }) => [id, workspace_id]))
  const ownerOf = ({ tracker_id }: { readonly tracker_id: string }) => owners.get(tracker_id) ?? ''
  const split = ({ cells, rounds }: Answers) => {
    const ownCells = Map.groupBy(cells, ownerOf)
    const ownRounds = Map.groupBy(rounds, ownerOf)
    return (id: string): Answers => ({ cells: ownCells.get(id) ?? [], rounds: ownRounds.get(id) ?? [] })
  }
  const now = split(here)
  const earlier = split(before)
  return (id: string) => ({ now: now(id), before: earlier(id), changed })
}

function cellOf({ now, before, changed }: ReturnType<ReturnType<typeof answersByWorkspace>>): ClientCell {
  const { mention_rate_v2, change } = cellMetricsOf(now, before, changed)
  if (mention_rate_v2.rate === null) return { value: null, text: 'No answers' }
  return { value: mention_rate_v2.rate, text: percent(mention_rate_v2.rate), change: homeChange(change) }
}
