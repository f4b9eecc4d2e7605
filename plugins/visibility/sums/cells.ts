import { type OwnerContext, type ReadContext, type Where, where } from 'renown'
import { brandedBy } from '../detection/branded'
import type { Cell } from '../measure/cells'
import { VisibilityRun } from '../records/VisibilityRun'
import { answered, type Tracker } from './scope'
import { promptsOf } from './tracked'

/** A cell with its tracker, prompt, engine and country. */
export interface TrackedCell extends Cell {
  readonly tracker_id: string
  readonly prompt_id: string
  readonly engine: string
}

/** Returns the cells (prompt × engine × country) of matching answers. Reads once. */
export async function cellsOf(
  ctx: Pick<ReadContext, 'rows'> | Pick<OwnerContext, 'rows'>,
  matching: Where,
  isOpen: (prompt_id: string) => boolean,
): Promise<TrackedCell[]> {
  const groups = await ctx.rows(VisibilityRun).group({
    where: where.and(matching, answered),
    by: ['tracker_id', 'prompt_id', 'engine', 'country', 'brand_mentioned'],
    measures: [{ as: 'n', fn: 'count' }],
  })
  const cells = new Map<string, TrackedCell & { k: number; n: number }>()
  for (const row of groups) {
    const [tracker_id, prompt_id, engine] = [
      String(row.tracker_id),
      String(row.prompt_id),
      String(row.engine),
    ]
    if (!isOpen(prompt_id)) continue
    const key = JSON.stringify([tracker_id, prompt_id, engine, row.country])
    const cell = cells.get(key) ?? { key, tracker_id, prompt_id, engine, k: 0, n: 0 }
    cells.set(key, cell)
    cell.n += Number(row.n)
    if (row.brand_mentioned === true) cell.k += Number(row.n)
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
