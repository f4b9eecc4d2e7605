import { defineAct, field, type OwnerContext, Refusal, refusedField, where } from 'renown'
import { shownDomain } from 'renown/pages'
import { normaliseDomain } from 'renown/sources'
import { hitsTable, touchedTable } from 'renown/traffic'
import * as v from 'valibot'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { dailyTable } from '../records/dailyTable'
import { NewAgent } from '../records/NewAgent'
import { RobotsCopy } from '../records/RobotsCopy'
import { SiteAccess } from '../records/SiteAccess'
import { TrafficChange } from '../records/TrafficChange'
import { acceptedHits } from './counted-hits'
import { onSitePage, type SiteRow } from './on-site'
import { notRemotelyRead } from './remotely-read'
import { updateSite } from './site-acts'

const heldElsewhere = 'switched off; it is kept because an ingest on another machine may hold hits of it'

/** Every ingest process learns within this time that a site is switched off. */
const settleMs = 60_000

/** The domain that the person typed on the page, to confirm that the site and its counts go. */
const seen = { confirm: v.optional(v.pipe(v.string(), v.maxLength(300)), '') }

/**
 * Switches a site off. Deletes it if it is switched off and has no hits. These are two calls at least a
 * minute apart, so that no ingest process accepts a hit for a deleted site. A site with hits keeps them,
 * unless the person deletes them too. A page only deletes, with all counts.
 */
export const removeSite = defineAct({
  ...onSitePage,
  name: 'site remove',
  summary: 'Stop counting a website. A minute later, the same command deletes it if it has no hits',
  on: {
    ...onSitePage.on,
    inShell: {
      fields: { site_id: field.text('Id or domain of the site') },
      find: (ctx, { site_id }) => find(ctx, String(site_id)),
    },
  },
  fields: {
    delete_counts: v.optional(
      field.flag('Delete a site with hits too, with all of its counts. It cannot be undone'),
      false,
    ),
  },
  seen,
  shellFields: ['delete_counts'],
  auth: 'recent',
  label: 'Delete the site',
  done: { removed: 'The site was deleted.', switched: 'Counting stopped.' },
  audit: {
    action: { removed: 'site.remove', switched: 'site.change' },
    what: { removed: 'Site deleted', switched: 'Site switched' },
    subject: (_, { domain }) => domain,
  },
  async run(ctx, { row: { id: site_id, domain }, input: { delete_counts }, seen: typed }) {
    const isOnPage = typed !== undefined
    const { said, status } = await ctx.withLock(`site ${site_id}`, async () => {
      const site = await find(ctx, site_id)
      if (isOnPage) refuseOnPage(site, typed.confirm)
      if (site.handing_over)
        throw new Refusal(
          'conflict',
          'Another site is taking over its key. Run the command again in a minute.',
        )
      return remove(ctx, site, isOnPage || delete_counts)
    })
    if (isOnPage && said !== 'removed')
      throw new Refusal('conflict', 'Counting stopped less than a minute ago. Try again in a minute.')
    return { answer: { domain, status, site_id }, ...(said ? { said } : { isChanged: false }) }
  },
})

function refuseOnPage({ domain, is_active }: SiteRow, confirm: string): void {
  if (normaliseDomain(confirm) !== domain)
    throw refusedField('confirm', `Type ${shownDomain(domain)} to delete this site.`)
  if (is_active) throw new Refusal('conflict', 'Stop counting this site before you delete it.')
}

/** How far a removal came: its status, and what changed now. */
interface Removal {
  readonly status: string
  readonly said?: 'removed' | 'switched'
}

async function find(ctx: OwnerContext, text: string): Promise<SiteRow> {
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

async function remove(ctx: OwnerContext, site: SiteRow, deletesCounts: boolean): Promise<Removal> {
  const rows = ctx.rows(AiTrafficSite)
  if (site.is_active) await updateSite(ctx, site.id, { is_active: false })
  const switched = site.is_active ? ({ said: 'switched' } as const) : {}
  const hits = await acceptedHits(ctx, site)
  if (hits === 'some' && !deletesCounts) return { status: 'switched off; its counts are kept', ...switched }
  if (hits === 'unknown' && !deletesCounts) return { status: heldElsewhere, ...switched }
  const isSettled = !site.is_active && ctx.now().getTime() - Date.parse(site.updated_date) >= settleMs
  if (!isSettled) return { status: 'switched off; run this again in a minute to delete it', ...switched }
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
  if (removed === 0 && (await rows.get(site.id))?.is_read_remotely) return { status: heldElsewhere }
  for (const entity of [RobotsCopy, SiteAccess, TrafficChange])
    await ctx.rows(entity).removeWhere(where.eq('site_id', site.id))
  ctx.changed('sites')
  return { status: 'deleted', said: 'removed' }
}
