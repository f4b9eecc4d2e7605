import { type ActAudit, type ActRecord, field, foreignEntity, type Row } from 'renown'
import { normaliseDomain } from 'renown/sources'
import * as v from 'valibot'
import { AiTrafficSite } from '../records/AiTrafficSite'

/** The fields of a location that traffic reads. */
export const BusinessLocation = foreignEntity('BusinessLocation', {
  business_name: field.text('Name of the business'),
  is_prospect: field.flag('A prospect: a business that the agency wants to win as a client'),
  is_demo: v.optional(field.flag('Sample data of a demo')),
})

/** A site. */
export type SiteRow = Row<typeof AiTrafficSite>

/** A domain as people type it. Stored without scheme and path. */
export const siteDomain = v.pipe(
  v.string(),
  v.check((typed) => normaliseDomain(typed) !== null, 'a domain such as example.com'),
  v.transform((typed) => normaliseDomain(typed) ?? typed),
  v.description('Domain of the website; its subdomains count too'),
)

/** The site of an act. */
export const onSite: ActRecord<typeof AiTrafficSite> = {
  entity: AiTrafficSite,
  field: 'site_id',
  called: 'site',
}

/** What acts on the page of a site declare. The page has a parameter `site`, so forms send the id as `id`. */
export const onSitePage = {
  on: { ...onSite, inForms: 'id' },
  only: 'owner',
  refusesDemo: true,
} as const

/** The actions of audit entries about sites, and their words. */
const siteWords = {
  rename: 'Site renamed',
  change: 'Site switched',
  remove: 'Site deleted',
  mapping: 'Log mapping of a site saved',
  unmapping: 'Log mapping of a site removed',
  token: 'Forwarder token of a site replaced',
} as const

/** Returns the audit entry of an act on a site. */
export const siteAudit = (
  verb: keyof typeof siteWords,
): ActAudit<typeof AiTrafficSite, Record<never, never>> => ({
  action: `site.${verb}`,
  what: siteWords[verb],
  subject: (_, { domain }) => domain,
})
