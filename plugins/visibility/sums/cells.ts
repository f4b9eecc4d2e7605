import { type GroupRow, type OwnerContext, type ReadContext, type Where, where } from 'renown'
import type { Cell } from 'renown/statistics'
import { brandedBy } from '../detection/branded'
import { VisibilityRun } from '../records/VisibilityRun'
import type { RunSpan } from './run-span'
import { answered, type Tracker } from './scope'
import type { TrendUnit } from './stretches'
import { type RunSum, sumRuns } from './sum-runs'
import { promptsOf } from './tracked'

/** A cell with its tracker, prompt, engine and country. */
export interface TrackedCell extends Cell {
  readonly tracker_id: string
  readonly prompt_id: string
  readonly engine: string
  readonly country: string
  /** Answers that recommend the brand. */
  readonly recommended: number
  /** Answers whose stance is known, or that do not name the brand. */
  readonly judged: number
}

/** Returns the cells (prompt × engine × country) of matching answers in documents. Reads once. */
export async function cellsOf(
  ctx: Pick<ReadContext, 'rows'> | Pick<OwnerContext, 'rows'>,
  matching: Where,
  isOpen: (prompt_id: string) => boolean,
): Promise<TrackedCell[]> {
  const groups = await ctx.rows(VisibilityRun).group({
    where: where.and(matching, answered),
    by: [...cellFields, 'brand_mentioned', 'stance'],
    measures: [{ as: 'n', fn: 'count' }],
  })
  return joinCells(groups.filter(({ prompt_id }) => isOpen(String(prompt_id))))
}

/** Returns the cells of the answers of a span, each with its stretch. */
export async function cellsIn(
  ctx: ReadContext,
  span: RunSpan,
  stretch?: TrendUnit,
): Promise<(TrackedCell & Pick<RunSum, 'stretch'>)[]> {
  const query = { of: ['stances'] as const, by: cellFields, ...(stretch && { stretch }) }
  const found = await sumRuns(ctx, span, query)
  return found.map(({ tracker_id, prompt_id, engine, country, stretch, sums }) => ({
    key: JSON.stringify([tracker_id, prompt_id, engine, country]),
    series: roundSeriesOf({ tracker_id, engine, country }),
    stretch,
    tracker_id,
    prompt_id,
    engine,
    country,
    k: sums.mentions,
    n: sums.answers,
    recommended: sums.recommended,
    judged: sums.judged,
  }))
}

/** Identifies the answers of one assistant for one country to one tracker. */
export const roundSeriesOf = ({
  tracker_id,
  engine,
  country,
}: Pick<TrackedCell, 'tracker_id' | 'engine' | 'country'>): string =>
  JSON.stringify([tracker_id, engine, country])

/** The fields that identify a cell. */
export const cellFields = ['tracker_id', 'prompt_id', 'engine', 'country'] as const

/** Joins groups of answers by cell, whether they name the brand, and stance. */
export function joinCells(groups: readonly GroupRow[]): TrackedCell[] {
  const cells = new Map<string, { -readonly [name in keyof TrackedCell]: TrackedCell[name] }>()
  for (const row of groups) {
    const [tracker_id, prompt_id, engine, country] = cellFields.map((name) => String(row[name])) as [
      string,
      string,
      string,
      string,
    ]
    const key = JSON.stringify([tracker_id, prompt_id, engine, country])
    const counts = { k: 0, n: 0, recommended: 0, judged: 0 }
    const series = roundSeriesOf({ tracker_id, engine, country })
    const cell = cells.get(key) ?? { key, series, tracker_id, prompt_id, engine, country, ...counts }
    cells.set(key, cell)
    const n = Number(row.n)
    cell.n += n
    if (row.brand_mentioned === true) cell.k += n
    if (row.stance === 'recommended') cell.recommended += n
    if (row.stance !== null || row.brand_mentioned !== true) cell.judged += n
  }
  return [...cells.values()]
}

/** Returns the ids of these trackers' prompts that do not name the brand. */
export async function openPrompts(ctx: ReadContext, trackers: readonly Tracker[]): Promise<Set<string>> {
  const branded = new Map(trackers.map((tracker) => [tracker.id, brandedBy(tracker)]))
  const open = new Set<string>()
  for (const { id, tracker_id, text } of await promptsOf(ctx, trackers)) {
    if (branded.get(tracker_id)?.(text) === false) open.add(id)
  }
  return open
}
