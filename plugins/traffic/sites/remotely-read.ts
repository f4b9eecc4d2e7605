import { type OwnerContext, type Row, where } from 'renown'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { everySite } from './every-site'

type Site = Row<typeof AiTrafficSite>

/** Matches sites that no ingest on another machine was seen to read. */
export const notRemotelyRead = where.ne('is_read_remotely', true)

/**
 * Marks sites before an ingest on another machine receives them, and returns them as they are stored then. From
 * that moment a site keeps its domain, so the ingest never counts under an old one.
 */
export async function markRemotelyRead(ctx: OwnerContext, read: Site[]): Promise<Site[]> {
  let sites = read
  while (sites.some(({ is_read_remotely }) => is_read_remotely !== true)) {
    await ctx.rows(AiTrafficSite).updateMany(notRemotelyRead, { is_read_remotely: true })
    // Reads them again, because one may have been renamed before it was marked.
    sites = await everySite(ctx)
  }
  return sites
}
