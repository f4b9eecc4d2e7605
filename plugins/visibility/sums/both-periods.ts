import type { Period, ReadContext } from 'renown'
import { cellsIn, openPrompts, type TrackedCell } from './cells'
import { type findIncidents, incidentsAmong } from './incidents'
import { cellMetricsOf, comparableCells } from './mention-rate'
import { type ModelChange, modelChangesIn, seriesOf } from './model-changes'
import { type RunSum, sumRuns } from './sum-runs'
import { spanOf, type Tracked } from './tracked'

type Figures = ReturnType<typeof cellMetricsOf>

/** The mention rates over cells of a period and of the previous one. */
export interface BothPeriods {
  readonly incidents: Awaited<ReturnType<typeof findIncidents>>
  readonly model_changes: ModelChange[]
  /** All runs of the period, by engine and day. */
  readonly days: readonly RunSum[]
  /** The answers of each period, by tracker, engine and model. */
  readonly models: { readonly now: readonly RunSum[]; readonly before: readonly RunSum[] }
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
  tracked: Tracked,
  period: Period,
  previous: Period,
): Promise<BothPeriods> {
  const both = spanOf(tracked, { date_from: previous.date_from, date_to: period.date_to })
  const byModel = {
    of: ['brand', 'places', 'firsts'] as const,
    by: ['tracker_id', 'engine', 'model_asked'] as const,
  }
  const [open, days, ...models] = await Promise.all([
    openPrompts(ctx, tracked.trackers),
    sumRuns(ctx, both, { of: ['statuses', 'brand', 'costs'], by: ['engine'], stretch: 'day' }),
    sumRuns(ctx, spanOf(tracked, period), byModel),
    sumRuns(ctx, spanOf(tracked, previous), byModel),
  ])
  const incidents = incidentsAmong(days)
  const model_changes = modelChangesIn(
    models.flat().map(({ tracker_id, engine, model_asked, first_at: first }) => ({
      tracker_id,
      engine,
      model_asked,
      first,
    })),
  )
  const read = (one: Period) => cellsIn(ctx, spanOf(tracked, one, incidents))
  const isOpen = ({ prompt_id }: TrackedCell) => open.has(prompt_id)
  const [cells, cellsBefore] = await Promise.all([read(period), read(previous)])
  const now = cells.filter(isOpen)
  const before = cellsBefore.filter(isOpen)
  const changed = new Set(model_changes.map(seriesOf))
  const figures = (here: readonly TrackedCell[] = [], earlier: readonly TrackedCell[] = []) =>
    cellMetricsOf(here, earlier, changed)
  const engines = Map.groupBy(now, engineOf)
  const enginesBefore = Map.groupBy(before, engineOf)
  const owners = Map.groupBy(now, trackerIdOf)
  const ownersBefore = Map.groupBy(before, trackerIdOf)
  return {
    incidents,
    model_changes,
    all: figures(now, before),
    cells,
    open,
    days: days.filter(({ stretch }) => stretch >= period.date_from),
    models: { now: models[0], before: models[1] },
    comparable: { now: comparableCells(now, changed), before: comparableCells(before, changed) },
    ofEngine: (engine) => figures(engines.get(engine), enginesBefore.get(engine)),
    ofTracker: (id) => figures(owners.get(id), ownersBefore.get(id)),
  }
}

const engineOf = ({ engine }: TrackedCell) => engine
const trackerIdOf = ({ tracker_id }: TrackedCell) => tracker_id
