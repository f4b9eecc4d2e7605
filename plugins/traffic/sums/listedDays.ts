import type { ReadContext, TrafficCategory, Where } from 'renown'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import type { PagesDay } from './pages'

/** Rows that can be read within some milliseconds of the event loop. */
const rowsAtOnce = 500

/** Yields the path lists of daily rows, some rows at a time, site by site. */
export async function* listedDays(
  ctx: ReadContext,
  days: Where,
  category: TrafficCategory | undefined,
): AsyncGenerator<PagesDay[]> {
  const pages = ctx.rows(AiTrafficDaily).pages({
    where: days,
    fields: ['site_id', 'paths_by_category', ...(category === undefined ? (['top_paths'] as const) : [])],
    ...{ by: ['site_id', 'id'], size: rowsAtOnce },
  })
  // A list of one category is made from its own lists.
  for await (const page of pages)
    yield category === undefined ? page : page.map((row) => ({ ...row, top_paths: [] }))
}
