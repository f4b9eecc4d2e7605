import { defineCommand, field, foreignEntity, type OwnerContext, Refusal, timezone, where } from 'renown'
import * as v from 'valibot'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { normaliseDomain } from './domain'
import { everySite } from './every-site'
import { noteSite } from './note-site'
import { withFreeDomain } from './taken-domain'

/** What is read of a location here. */
export const BusinessLocation = foreignEntity('BusinessLocation', {
  business_name: field.text('Name of the business'),
  is_prospect: field.flag('A business being pitched'),
  is_demo: v.optional(field.flag('Made up: it belongs to a demo')),
})

const forwarderPrefix = 'rnw_fwd_'
const siteKeyPrefix = 'rnw_site_'

/** A domain as it is typed; kept bare. */
export const siteDomain = v.pipe(
  v.string(),
  v.check((typed) => normaliseDomain(typed) !== null, 'a domain such as example.com'),
  v.transform((typed) => normaliseDomain(typed) ?? typed),
  v.description('Domain of the website; its subdomains count too'),
)

/** Creates a site. Its forwarder token is shown here and never again. */
export const createSite = defineCommand({
  name: 'site create',
  summary: 'Create a website to be counted; its forwarder token is shown once',
  input: v.strictObject({
    domain: siteDomain,
    location_id: v.optional(
      field.text('Business location it belongs to. May be left out where there is one'),
    ),
    timezone: v.optional(timezone('IANA time zone of its days, fixed for ever. Default UTC'), 'UTC'),
    count_search_engines: v.optional(field.flag('Count Googlebot and bingbot too'), false),
    respect_dnt: v.optional(field.flag('The beacon leaves out who asks not to be tracked. Default on'), true),
  }),
  positional: ['domain'],
  secrets: ['forwarder_token'],
  async run(ctx, { location_id, ...input }) {
    const location = await locationOf(ctx, location_id)
    const forwarder = await ctx.newToken(forwarderPrefix)
    const { token: site_key } = await ctx.newToken(siteKeyPrefix)
    const owned = { ...input, workspace_id: location.workspace_id, location_id: location.id }
    const site = await withFreeDomain(ctx, owned, () =>
      ctx.rows(AiTrafficSite).insert({
        ...owned,
        site_key,
        is_active: true,
        forwarder_token_last4: forwarder.last4,
        forwarder_token_hash: forwarder.hash,
      }),
    )
    ctx.changed('sites')
    await noteSite(ctx, site, 'add')
    return {
      site_id: site.id,
      domain: site.domain,
      timezone: site.timezone,
      location_id: site.location_id,
      workspace_id: site.workspace_id,
      site_key,
      forwarder_token: forwarder.token,
      beacon_tag: `<script defer src="${ctx.ingestUrl}/s/${site_key}.js"></script>`,
    }
  },
})

/** Lists sites with what a person needs to see whether hits arrive. */
export const listSites = defineCommand({
  name: 'site list',
  summary: 'List the websites that are counted',
  input: v.strictObject({
    workspace_id: v.optional(field.text('Only sites of this workspace')),
    location_id: v.optional(field.text('Only sites of this business location')),
  }),
  async run(ctx, { workspace_id, location_id }) {
    const parts = Object.entries({ workspace_id, location_id }).flatMap(([name, value]) =>
      value === undefined ? [] : [where.eq(name, value)],
    )
    const sites = await everySite(ctx, where.and(...parts))
    return {
      sites: sites.map(({ id, forwarder_token_hash: _, created_date, updated_date: __, ...site }) => ({
        site_id: id,
        ...site,
        created_date,
      })),
    }
  },
})

/** Replaces a site's forwarder token; the one before stops working within a second. */
export const rotateSiteToken = defineCommand({
  name: 'site token rotate',
  summary: 'Replace the forwarder token of a website; the new one is shown once',
  input: v.strictObject({ site_id: field.text('Id of the site') }),
  positional: ['site_id'],
  secrets: ['forwarder_token'],
  async run(ctx, { site_id }) {
    const forwarder = await ctx.newToken(forwarderPrefix)
    const site = await ctx.rows(AiTrafficSite).update(site_id, {
      forwarder_token_last4: forwarder.last4,
      forwarder_token_hash: forwarder.hash,
    })
    if (!site) throw new Refusal('not_found', `There is no site ${site_id}.`)
    ctx.changed('sites')
    await noteSite(ctx, site, 'token')
    return { site_id: site.id, domain: site.domain, forwarder_token: forwarder.token }
  },
})

async function locationOf(ctx: OwnerContext, id: string | undefined) {
  const rows = ctx.rows(BusinessLocation)
  if (id !== undefined) {
    const location = await rows.get(id)
    if (location) return location
    throw new Refusal('not_found', `There is no business location ${id}.`)
  }
  const own = where.and(where.eq('is_prospect', false), where.ne('is_demo', true))
  const [first, second] = await rows.list({ where: own, limit: 2 })
  if (first && !second) return first
  throw first
    ? new Refusal('invalid_field', 'There is more than one location: say which with --location-id.', {
        errors: [{ pointer: '/location_id', code: 'required', message: 'required where there are several' }],
      })
    : new Refusal('not_found', 'There is no business location yet: create one with `location create`.')
}
