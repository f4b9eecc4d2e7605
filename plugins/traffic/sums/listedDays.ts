import type { ReadContext, Where } from 'renown'
import type { TrafficCategory } from 'renown/traffic'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import type { PagesDay } from './pages'

/**
 * Number of rows that can be read without blocking the event loop for more than some milliseconds. The store keeps an answer of this
 * size in memory: a row has some kilobytes of lists.
 */
const rowsAtOnce = 200

/** Yields the path lists of daily rows, some rows at a time, site by site. */
export async function* listedDays(
  ctx: ReadContext,
  days: Where,
  category: TrafficCategory | undefined,
): AsyncGenerator<PagesDay[]> {
  const pages = ctx.rows(AiTrafficDaily).pages({
    where: days,
    fields: ['site_id', 'paths_by_category', ...(category === undefined ? (['top_paths'] as const) : [])],
    by: ['site_id', 'id'],
    size: rowsAtOnce,
  })
  // A list for one category is built from the lists of that category.
  for await (const page of pages)
    yield category === undefined ? page : page.map((row) => ({ ...row, top_paths: [] }))
}
