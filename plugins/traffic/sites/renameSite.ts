import { defineCommand, field, Refusal, timezone } from 'renown'
import * as v from 'valibot'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { siteDomain } from './commands'
import { noteSite } from './note-site'
import { withFreeDomain } from './taken-domain'

/** Gives a site its domain and zone as long as nothing was counted: its days would be others otherwise. Key and token stay. */
export const renameSite = defineCommand({
  name: 'site rename',
  summary: 'Change the domain and time zone of a website for which nothing was counted yet',
  input: v.strictObject({
    site_id: field.text('Id of the site'),
    domain: siteDomain,
    timezone: v.optional(timezone('IANA time zone of its days. As it is where left out')),
  }),
  positional: ['site_id', 'domain'],
  async run(ctx, { site_id, ...changes }) {
    const rows = ctx.rows(AiTrafficSite)
    const site = await rows.get(site_id)
    if (!site) throw new Refusal('not_found', `There is no site ${site_id}.`)
    if (site.last_beacon_at || site.last_log_at) {
      throw new Refusal(
        'conflict',
        'Something was counted for this site. Create another for the other domain.',
      )
    }
    const { workspace_id, location_id, timezone } = site
    const wanted = { workspace_id, location_id, site_id, ...changes, timezone: changes.timezone ?? timezone }
    const renamed = await withFreeDomain(ctx, wanted, () => rows.update(site_id, changes))
    ctx.changed('sites')
    if (renamed) await noteSite(ctx, renamed, 'rename')
    return { site_id, domain: renamed?.domain, timezone: renamed?.timezone, site_key: site.site_key }
  },
})
