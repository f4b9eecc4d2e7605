import type { Period, ReadContext } from 'renown'
import { cellsOf, openPrompts, type TrackedCell } from './cells'
import { findIncidents, without } from './incidents'
import { cellMetricsOf } from './mention-rate'
import { findModelChanges, type ModelChange, seriesOf } from './model-changes'
import { runsOf } from './scope'
import type { Tracked } from './tracked'

type Figures = ReturnType<typeof cellMetricsOf>

/** The mention rates over cells of a period and of the previous one. */
export interface BothPeriods {
  readonly incidents: Awaited<ReturnType<typeof findIncidents>>
  readonly model_changes: ModelChange[]
  readonly all: Figures
  /** Cells of this period, also those of prompts that name the brand. */
  readonly cells: readonly TrackedCell[]
  /** Prompts that do not name the brand. Only these count. */
  readonly open: ReadonlySet<string>
  /** The cells that count and that a model change does not keep from being compared. */
  readonly comparable: { readonly now: readonly TrackedCell[]; readonly before: readonly TrackedCell[] }
  ofEngine(engine: string): Figures
  ofTracker(id: string): Figures
}

/** Reads the cells of both periods, without incidents and without prompts that name the brand. */
export async function readBothPeriods(
  ctx: ReadContext,
  { scope, trackers }: Tracked,
  period: Period,
  previous: Period,
): Promise<BothPeriods> {
  const days = period.days + previous.days
  const both = runsOf(ctx, scope, { date_from: previous.date_from, date_to: period.date_to, days })
  const [open, incidents, model_changes] = await Promise.all([
    openPrompts(ctx, trackers),
    findIncidents(ctx, both),
    findModelChanges(ctx, both),
  ])
  const read = (one: Period) => cellsOf(ctx, runsOf(ctx, scope, one, ...without(ctx, incidents)), () => true)
  const isOpen = ({ prompt_id }: TrackedCell) => open.has(prompt_id)
  const [cells, cellsBefore] = await Promise.all([read(period), read(previous)])
  const [now, before] = [cells.filter(isOpen), cellsBefore.filter(isOpen)]
  const changed = new Set(model_changes.map(seriesOf))
  const isComparable = (cell: TrackedCell) => !changed.has(seriesOf(cell))
  const figures = (here: readonly TrackedCell[] = [], earlier: readonly TrackedCell[] = []) =>
    cellMetricsOf(here, { now: here.filter(isComparable), before: earlier.filter(isComparable) })
  const [engines, enginesBefore] = [Map.groupBy(now, engineOf), Map.groupBy(before, engineOf)]
  const [owners, ownersBefore] = [Map.groupBy(now, trackerIdOf), Map.groupBy(before, trackerIdOf)]
  return {
    ...{ incidents, model_changes, all: figures(now, before), cells, open },
    comparable: { now: now.filter(isComparable), before: before.filter(isComparable) },
    ofEngine: (engine) => figures(engines.get(engine), enginesBefore.get(engine)),
    ofTracker: (id) => figures(owners.get(id), ownersBefore.get(id)),
  }
}

const engineOf = ({ engine }: TrackedCell) => engine
const trackerIdOf = ({ tracker_id }: TrackedCell) => tracker_id
