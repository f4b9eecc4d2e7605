import { everything, type OwnerContext, type Row, type Where } from 'renown'
import { AiTrafficSite } from '../records/AiTrafficSite'

/** Returns all matching sites of the installation, ordered by id. */
export const everySite = (
  ctx: OwnerContext,
  filter: Where = everything,
): Promise<Row<typeof AiTrafficSite>[]> =>
  Array.fromAsync(ctx.rows(AiTrafficSite).each({ where: filter, size: 1_000 }))
