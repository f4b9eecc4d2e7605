import { everything, type OwnerContext, type Row, type Where, where } from 'renown'
import { AiTrafficSite } from '../records/AiTrafficSite'

const pageSize = 1000

/** All sites of the installation that match, in order of id. */
export async function everySite(
  ctx: OwnerContext,
  filter: Where = everything,
): Promise<Row<typeof AiTrafficSite>[]> {
  const all: Row<typeof AiTrafficSite>[] = []
  for (;;) {
    const last = all.at(-1)
    const rows = await ctx.rows(AiTrafficSite).list({
      where: last ? where.and(filter, where.gt('id', last.id)) : filter,
      sort: [{ field: 'id', direction: 'asc' }],
      limit: pageSize,
    })
    all.push(...rows)
    if (rows.length < pageSize) return all
  }
}
