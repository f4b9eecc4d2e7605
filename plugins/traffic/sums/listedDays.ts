import { type ReadContext, type TrafficCategory, type Where, where } from 'renown'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import type { PagesDay } from './pages'

/** Few enough that reading them out takes a turn of the event loop of some milliseconds. */
const rowsAtOnce = 500

/** The lists of paths of daily rows, some rows at a time, site by site. */
export async function* listedDays(
  ctx: ReadContext,
  days: Where,
  category: TrafficCategory | undefined,
): AsyncGenerator<PagesDay[]> {
  const rows = ctx.rows(AiTrafficDaily)
  let after: { readonly site_id: string; readonly id: string } | undefined
  for (;;) {
    const page = await rows.list({
      where: after ? where.and(days, beyond(after)) : days,
      fields: ['site_id', 'paths_by_category', ...(category === undefined ? (['top_paths'] as const) : [])],
      sort: [
        { field: 'site_id', direction: 'asc' },
        { field: 'id', direction: 'asc' },
      ],
      limit: rowsAtOnce,
    })
    // A list of one category is made from its own lists.
    yield category === undefined ? page : page.map((row) => ({ ...row, top_paths: [] }))
    after = page.at(-1)
    if (page.length < rowsAtOnce) return
  }
}

/** The rows of the same site that follow, and those of later sites. */
const beyond = ({ site_id, id }: { readonly site_id: string; readonly id: string }): Where =>
  where.and(
    where.gte('site_id', site_id),
    where.or(where.gt('site_id', site_id), where.and(where.eq('site_id', site_id), where.gt('id', id))),
  )
