import { defineCommand, field, type OwnerContext, Refusal, type Row, where } from 'renown'
import { hitsTable, touchedTable } from 'renown/traffic'
import * as v from 'valibot'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { dailyTable } from '../records/dailyTable'
import { NewAgent } from '../records/NewAgent'
import { RobotsCopy } from '../records/RobotsCopy'
import { SiteAccess } from '../records/SiteAccess'
import { TrafficChange } from '../records/TrafficChange'
import { acceptedHits } from './counted-hits'
import { noteSite } from './note-site'
import { notRemotelyRead } from './remotely-read'

type Site = Row<typeof AiTrafficSite>

const heldElsewhere = 'switched off; it is kept because an ingest on another machine may hold hits of it'

/** Every ingest process learns within this time that a site is switched off. */
const settleMs = 60_000

/**
 * Switches a site off. Deletes it if it is switched off and has no hits. These are two calls at least a
 * minute apart, so that no ingest process accepts a hit for a deleted site. A site with hits keeps them,
 * unless the person deletes them too.
 */
export const removeSite = defineCommand({
  name: 'site remove',
  summary: 'Stop counting a website. A minute later, the same command deletes it if it has no hits',
  input: v.strictObject({
    site_id: field.text('Id or domain of the site'),
    delete_counts: v.optional(
      field.flag('Delete a site with hits too, with all of its counts. It cannot be undone'),
      false,
    ),
  }),
  positional: ['site_id'],
  async run(ctx, { site_id: text, delete_counts }) {
    const { id: site_id } = await find(ctx, text)
    return ctx.withLock(`site ${site_id}`, async () => {
      const site = await find(ctx, site_id)
      if (site.handing_over)
        throw new Refusal(
          'conflict',
          'Another site is taking over its key. Run the command again in a minute.',
        )
      return { domain: site.domain, status: await remove(ctx, site, delete_counts), site_id }
    })
  },
})

async function find(ctx: OwnerContext, text: string): Promise<Site> {
  const rows = ctx.rows(AiTrafficSite)
  const known = await rows.get(text)
  const named = known
    ? [known]
    : await rows.list({ where: where.eq('domain', text.toLowerCase()), limit: 10 })
  const [site] = named
  if (!site)
    throw new Refusal('not_found', `There is no site ${text}. \`bun renown site list\` shows all sites.`)
  if (named.length === 1) return site
  const ids = named.map(({ id }) => id).join(', ')
  throw new Refusal('conflict', `Several sites have the domain ${text}. Use an id: ${ids}.`)
}

async function remove(ctx: OwnerContext, site: Site, deletesCounts: boolean): Promise<string> {
  const rows = ctx.rows(AiTrafficSite)
  if (site.is_active) {
    await rows.update(site.id, { is_active: false })
    ctx.changed('sites')
    await noteSite(ctx, site, 'change')
  }
  const hits = await acceptedHits(ctx, site)
  if (hits === 'some' && !deletesCounts) return 'switched off; its counts are kept'
  if (hits === 'unknown' && !deletesCounts) return heldElsewhere
  const isSettled = !site.is_active && ctx.now().getTime() - Date.parse(site.updated_date) >= settleMs
  if (!isSettled) return 'switched off; run this again in a minute to delete it'
  if (hits !== 'none') {
    // Writes what is still in this machine's journal first, so that nothing is added after the deletion.
    await ctx.flushHits()
    for (const { name } of [touchedTable, hitsTable, dailyTable])
      await ctx.columns.remove(name, 'site_id', [site.id])
  }
  await ctx.rows(NewAgent).removeWhere(where.eq('site_id', site.id))
  // Removes the site last. After a crash in between, the same call finishes the work.
  const own = where.and(where.eq('id', site.id), where.eq('is_active', false))
  const removed = await rows.removeWhere(deletesCounts ? own : where.and(own, notRemotelyRead))
  if (removed === 0 && (await rows.get(site.id))?.is_read_remotely) return heldElsewhere
  for (const entity of [RobotsCopy, SiteAccess, TrafficChange])
    await ctx.rows(entity).removeWhere(where.eq('site_id', site.id))
  ctx.changed('sites')
  await noteSite(ctx, site, 'remove')
  return 'deleted'
}
