import { type OwnerContext, type Row, where } from 'renown'
import { AiTrafficSite } from '../records/AiTrafficSite'

type Site = Row<typeof AiTrafficSite>

/**
 * Stores the site that takes over the key of another one. Until then the old site stores that row, so a crash
 * in between loses no key. Returns null if nothing is handed over.
 */
export async function finishHandOver(ctx: OwnerContext, id: string): Promise<Site | null> {
  const rows = ctx.rows(AiTrafficSite)
  const handed = (await rows.get(id))?.handing_over
  if (handed === undefined || handed === null) return null
  const row = JSON.parse(handed) as Parameters<typeof rows.insert>[0]
  const [known] = await rows.list({ where: where.eq('site_key', row.site_key), limit: 1 })
  const site = known ?? (await rows.insert(row))
  await rows.update(id, { handing_over: null })
  return site
}

/** Finishes interrupted hand-overs. Returns whether there was any. */
export async function finishHandOvers(ctx: OwnerContext, sites: readonly Site[]): Promise<boolean> {
  const open = sites.filter(({ handing_over }) => typeof handing_over === 'string')
  for (const { id } of open) {
    // If one row fails, the ingest must still get all other sites.
    await ctx
      .withLock(`site ${id}`, () => finishHandOver(ctx, id))
      .catch((error) => ctx.log.error('a site was not handed over', { site_id: id, error: String(error) }))
  }
  return open.length > 0
}
