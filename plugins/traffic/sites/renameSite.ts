import { defineAct, Refusal, requireRow, timezone, where } from 'renown'
import * as v from 'valibot'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { acceptedHits } from './counted-hits'
import { withFreeDomain } from './free-domain'
import { onSitePage, type SiteRow, siteAudit, siteDomain } from './on-site'
import { notRemotelyRead } from './remotely-read'

/** Changes a site's domain if nothing is counted for it yet. Key, token and time zone stay. */
export const renameSite = defineAct({
  ...onSitePage,
  name: 'site rename',
  summary: 'Change the domain of a website without counts',
  fields: {
    domain: siteDomain,
    timezone: v.optional(
      timezone('IANA time zone of its days. It cannot change: only the current one is accepted'),
    ),
  },
  shellFields: ['timezone'],
  positional: ['domain'],
  label: 'Rename the site',
  done: 'The site was renamed.',
  undo: 'site rename',
  audit: { ...siteAudit('rename'), subject: (_, __, { domain }) => domain },
  async run(ctx, { row: site, input: { domain, timezone: zone } }) {
    const rows = ctx.rows(AiTrafficSite)
    const { id: site_id } = site
    if (zone !== undefined && zone !== site.timezone) throw fixedZone(site, domain, zone)
    if (domain === site.domain) return { answer: answerOf(site), isChanged: false }
    const hits = await acceptedHits(ctx, site)
    if (hits !== 'none') throw fixedDomain(site, domain, hits)
    const { workspace_id, location_id, timezone } = site
    const wanted = { workspace_id, location_id, site_id, domain, timezone }
    // An ingest on another machine may have read the site since. It then knows the old domain.
    const unread = where.and(where.eq('id', site_id), notRemotelyRead)
    const renamed = await withFreeDomain(ctx, wanted, () => rows.updateWhere(unread, { domain }))
    if (!renamed) throw fixedDomain(await requireRow(rows, 'site', site_id), domain, 'unknown')
    ctx.changed('sites')
    return { answer: answerOf(renamed) }
  },
})

const answerOf = ({ id, domain, timezone, site_key }: SiteRow) => ({
  site_id: id,
  domain,
  timezone,
  site_key,
})

function fixedDomain({ domain: own }: SiteRow, domain: string, hits: 'some' | 'unknown'): Refusal {
  const why =
    hits === 'some'
      ? `This site already has hits of ${own}`
      : `An ingest on another machine may hold hits of ${own}`
  return new Refusal('conflict', `${why}, so it keeps its domain.`, {
    errors: [{ pointer: '/domain', code: 'immutable', message: `must be ${own}` }],
    hint: `Create a site for the other domain: \`site create ${domain}\`.`,
  })
}

function fixedZone({ id, timezone: own }: SiteRow, domain: string, zone: string): Refusal {
  const message = `You set the time zone of a site when you create it. The time zone of ${id} is ${own}. Hits may be counted for its days already.`
  return new Refusal('conflict', message, {
    errors: [{ pointer: '/timezone', code: 'immutable', message: `must be ${own}, or left out` }],
    hint: `Create another site that takes over its key and token: \`site create ${domain} --timezone ${zone} --replaces ${id}\`.`,
  })
}
