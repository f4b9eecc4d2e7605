import {
  type ClientCell,
  type ClientFigures,
  type ClientReads,
  type ClientSource,
  dayIn,
  instantsOf,
  periodOf,
  type Row,
  where,
} from 'renown'
import { brandedBy } from '../detection/branded'
import { compare } from '../measure/compare'
import { estimate } from '../measure/estimate'
import { percent } from '../pages/change-words'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityRun } from '../records/VisibilityRun'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { cellFields, joinCells, type TrackedCell } from '../sums/cells'
import { modelChangesIn, seriesOf } from '../sums/model-changes'
import { answered } from '../sums/scope'
import { homeChange } from './home'

type Tracker = Pick<Row<typeof VisibilityTracker>, 'id' | 'workspace_id'>

/** Days of the figure. The page shows the same days. */
const days = 30
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

/** The cells of both periods of the workspaces of one time zone, and the series with a new model. Three reads. */
async function readZone(reads: ClientReads, timezone: string, ids: readonly string[]) {
  const rows = reads.rows(VisibilityRun, ids)
  const { period, previous } = periodOf({}, { today: dayIn(timezone, reads.now()), days })
  const [now, earlier] = [instantsOf(period, timezone), instantsOf(previous, timezone)]
  const between = (from: string, before: string) =>
    where.and(answered, where.gte('started_at', from), where.lt('started_at', before))
  const cells = async (from: string, before: string) =>
    joinCells(
      await rows.group({
        where: between(from, before),
        by: [...cellFields, 'brand_mentioned'],
        measures: [{ as: 'n', fn: 'count' }],
      }),
    )
  const [here, before, models] = await Promise.all([
    cells(now.from, now.before),
    cells(earlier.from, now.from),
    rows.group({
      where: where.and(between(earlier.from, now.before), where.ne('model_asked', null)),
      by: ['tracker_id', 'engine', 'model_asked'],
      measures: [{ as: 'first', fn: 'min', field: 'started_at' }],
    }),
  ])
  return { here, before, changed: new Set(modelChangesIn(models).map(seriesOf)) }
}

type Zone = Awaited<ReturnType<typeof readZone>>

/** Visibility of every client. Days on which an assistant failed are not left out here. */
export const visibilityClients: ClientSource = {
  name: 'visibility',
  order: 30,
  columns: [
    {
      ...{ name: 'ai-visibility', title: 'Named by AI', worst: 'low', href: '/app/visibility' },
      definition: `The share of answers of AI assistants of the last ${days} days that name the business, with each prompt, assistant and country of the same weight. The change compares only what the ${days} days before have too.`,
    },
  ],
  async load(reads) {
    const { trackers, open } = await readTracked(reads)
    const byWorkspace = Map.groupBy(trackers, ({ workspace_id }) => workspace_id)
    const zones = Map.groupBy(
      reads.workspaces.filter(({ id }) => byWorkspace.has(id)),
      ({ timezone }) => timezone,
    )
    const read = await Promise.all(
      [...zones].map(async ([timezone, own]) => {
        const ids = own.map(({ id }) => id)
        return { ids, zone: await readZone(reads, timezone, ids) }
      }),
    )
    const known = new Map(
      read.flatMap(({ ids, zone }) => {
        const cells = cellsByWorkspace(zone, trackers, open)
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

/** The cells that count, by workspace. */
function cellsByWorkspace(
  { here, before, changed }: Zone,
  trackers: readonly Tracker[],
  open: ReadonlySet<string>,
) {
  const owners = new Map(trackers.map(({ id, workspace_id }) => [id, workspace_id]))
  const split = (cells: readonly TrackedCell[]) =>
    Map.groupBy(
      cells.filter(({ prompt_id }) => open.has(prompt_id)),
      ({ tracker_id }) => owners.get(tracker_id) ?? '',
    )
  const [now, earlier] = [split(here), split(before)]
  return (id: string) => ({ now: now.get(id) ?? [], before: earlier.get(id) ?? [], changed })
}

function cellOf({ now, before, changed }: ReturnType<ReturnType<typeof cellsByWorkspace>>): ClientCell {
  const { rate } = estimate(now)
  if (rate === null) return { value: null, text: 'No answers' }
  const isComparable = (cell: TrackedCell) => !changed.has(seriesOf(cell))
  const change = compare(now.filter(isComparable), before.filter(isComparable))
  return { value: rate, text: percent(rate), change: homeChange(change) }
}
