import { everything, type OwnerContext, type Row, type Where } from 'renown'
import { AiTrafficSite } from '../records/AiTrafficSite'

/** All sites of the installation that match, in order of id. */
export const everySite = (
  ctx: OwnerContext,
  filter: Where = everything,
): Promise<Row<typeof AiTrafficSite>[]> =>
  Array.fromAsync(ctx.rows(AiTrafficSite).each({ where: filter, size: 1_000 }))
