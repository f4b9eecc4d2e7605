import { defineCommand, field, Refusal, type Row, requireRow, timezone } from 'renown'
import * as v from 'valibot'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { siteDomain } from './commands'
import { acceptedHits } from './counted-hits'
import { withFreeDomain } from './free-domain'
import { noteSite } from './note-site'

/** Changes a site's domain if nothing is counted for it yet. Key, token and time zone stay. */
export const renameSite = defineCommand({
  name: 'site rename',
  summary: 'Change the domain of a website without counts',
  input: v.strictObject({
    site_id: field.text('Id of the site'),
    domain: siteDomain,
    timezone: v.optional(
      timezone('IANA time zone of its days. It cannot change: only the current one is accepted'),
    ),
  }),
  positional: ['site_id', 'domain'],
  async run(ctx, { site_id, domain, timezone: zone }) {
    const rows = ctx.rows(AiTrafficSite)
    const site = await requireRow(rows, 'site', site_id)
    if (zone !== undefined && zone !== site.timezone) throw fixedZone(site, domain, zone)
    if (domain === site.domain) return answerOf(site)
    const hits = await acceptedHits(ctx, site)
    if (hits !== 'none') {
      const why =
        hits === 'some'
          ? `This site already has hits of ${site.domain}`
          : `An ingest on another machine may hold hits of ${site.domain}`
      throw new Refusal('conflict', `${why}, so it keeps its domain.`, {
        errors: [{ pointer: '/domain', code: 'immutable', message: `must be ${site.domain}` }],
        hint: `Create a site for the other domain: \`site create ${domain}\`.`,
      })
    }
    const { workspace_id, location_id, timezone } = site
    const wanted = { workspace_id, location_id, site_id, domain, timezone }
    const renamed = await withFreeDomain(ctx, wanted, () => rows.update(site_id, { domain }))
    ctx.changed('sites')
    if (renamed) await noteSite(ctx, renamed, 'rename')
    return answerOf(renamed ?? site)
  },
})

const answerOf = ({ id, domain, timezone, site_key }: Row<typeof AiTrafficSite>) => ({
  ...{ site_id: id, domain, timezone, site_key },
})

function fixedZone({ id, timezone: own }: Row<typeof AiTrafficSite>, domain: string, zone: string): Refusal {
  const message = `The time zone of a site is fixed when it is created, and ${id} has ${own}. Hits may be counted for its days already.`
  return new Refusal('conflict', message, {
    errors: [{ pointer: '/timezone', code: 'immutable', message: `must be ${own}, or left out` }],
    hint: `Create another site that takes over its key and token: \`site create ${domain} --timezone ${zone} --replaces ${id}\`.`,
  })
}
