import type { Period, ReadContext } from 'renown'
import { cellsIn, openPrompts, type TrackedCell } from './cells'
import { type findIncidents, incidentsOfDays } from './incidents'
import { cellMetricsOf, comparableAnswers } from './mention-rate'
import { type ModelChange, modelChangesIn, seriesOf } from './model-changes'
import { type Answers, closedPrompts, pickAnswers, roundsIn } from './rounds'
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
  /** Cells of each period, also those of prompts that name the brand. */
  readonly cells: readonly TrackedCell[]
  readonly cellsBefore: readonly TrackedCell[]
  /** The series with a new model. Their cells cannot be compared. */
  readonly changed: ReadonlySet<string>
  /** Prompts that do not name the brand. Only these count. */
  readonly open: ReadonlySet<string>
  /** The answers that count, in each period. */
  readonly now: Answers
  readonly before: Answers
  /** Those of them that a model change does not keep from being compared. */
  readonly comparable: { readonly now: Answers; readonly before: Answers }
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
  const incidents = incidentsOfDays(days)
  const model_changes = modelChangesIn(
    models.flat().map(({ tracker_id, engine, model_asked, first_at: first }) => ({
      tracker_id,
      engine,
      model_asked,
      first,
    })),
  )
  const read = async (one: Period) => {
    const span = spanOf(tracked, one, incidents)
    const cells = await cellsIn(ctx, span)
    const rounds = await roundsIn(ctx, span, closedPrompts(cells, open))
    return { cells, counted: { cells: cells.filter(({ prompt_id }) => open.has(prompt_id)), rounds } }
  }
  const [here, earlier] = await Promise.all([read(period), read(previous)])
  const now: Answers = here.counted
  const before: Answers = earlier.counted
  const changed = new Set(model_changes.map(seriesOf))
  const figures = (isInside: Parameters<typeof pickAnswers>[1]) =>
    cellMetricsOf(pickAnswers(now, isInside), pickAnswers(before, isInside), changed)
  return {
    incidents,
    model_changes,
    all: cellMetricsOf(now, before, changed),
    cells: here.cells,
    cellsBefore: earlier.cells,
    changed,
    open,
    now,
    before,
    days: days.filter(({ stretch }) => stretch >= period.date_from),
    models: { now: models[0], before: models[1] },
    comparable: { now: comparableAnswers(now, changed), before: comparableAnswers(before, changed) },
    ofEngine: (engine) => figures((asked) => asked.engine === engine),
    ofTracker: (id) => figures((asked) => asked.tracker_id === id),
  }
}
