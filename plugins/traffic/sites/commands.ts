import {
  defineCommand,
  field,
  foreignEntity,
  type NewRow,
  type OwnerContext,
  Refusal,
  type Row,
  requireRow,
  timezone,
  where,
} from 'renown'
import { normaliseDomain } from 'renown/sources'
import * as v from 'valibot'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { everySite } from './every-site'
import { withFreeDomain } from './free-domain'
import { finishHandOver } from './handOver'
import { storedMapping } from './log-mapping'
import { noteSite } from './note-site'

/** The fields of a location that traffic reads. */
export const BusinessLocation = foreignEntity('BusinessLocation', {
  business_name: field.text('Name of the business'),
  is_prospect: field.flag('A prospect: a business that the agency wants to win as a client'),
  is_demo: v.optional(field.flag('Sample data of a demo')),
})

const forwarderPrefix = 'rnw_fwd_'
const siteKeyPrefix = 'rnw_site_'

/** A domain as people type it. Stored without scheme and path. */
export const siteDomain = v.pipe(
  v.string(),
  v.check((typed) => normaliseDomain(typed) !== null, 'a domain such as example.com'),
  v.transform((typed) => normaliseDomain(typed) ?? typed),
  v.description('Domain of the website; its subdomains count too'),
)

/** Creates a site. Its forwarder token is shown only once. */
export const createSite = defineCommand({
  name: 'site create',
  summary: 'Create a website to be counted; its forwarder token is shown once',
  input: v.strictObject({
    domain: siteDomain,
    location_id: v.optional(
      field.text('Business location it belongs to. Can be left out if there is only one'),
    ),
    timezone: v.optional(timezone('IANA time zone of its days. It can never change. Default UTC'), 'UTC'),
    count_search_engines: v.optional(field.flag('Count Googlebot and bingbot too'), false),
    respect_dnt: v.optional(
      field.flag('The beacon does not count people who ask not to be tracked. Default on'),
      true,
    ),
    replaces: v.optional(
      field.text(
        'Site whose key and forwarder token it takes over. That site is switched off and keeps its counts',
      ),
    ),
  }),
  positional: ['domain'],
  secrets: ['forwarder_token'],
  async run(ctx, { location_id, replaces, ...input }) {
    const location = await locationOf(ctx, location_id)
    const { token, ...names } = await newNames(ctx)
    const row = {
      ...input,
      workspace_id: location.workspace_id,
      location_id: location.id,
      is_active: true,
      is_read_remotely: false,
    }
    const site = await withFreeDomain(
      ctx,
      replaces === undefined ? row : { ...row, site_id: replaces },
      () =>
        replaces === undefined
          ? ctx.rows(AiTrafficSite).insert({ ...row, ...names })
          : replaceSite(ctx, replaces, row, names),
    )
    ctx.changed('sites')
    await noteSite(ctx, site, 'add')
    return {
      site_id: site.id,
      domain: site.domain,
      timezone: site.timezone,
      location_id: site.location_id,
      workspace_id: site.workspace_id,
      site_key: site.site_key,
      ...(replaces === undefined ? { forwarder_token: token } : {}),
      beacon_tag: `<script defer src="${ctx.ingestUrl}/s/${site.site_key}.js"></script>`,
    }
  },
})

/** Lists sites and whether hits arrive. */
export const listSites = defineCommand({
  name: 'site list',
  summary: 'List websites and whether hits arrive',
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
      sites: sites.map(
        ({
          id,
          forwarder_token_hash: _,
          handing_over: ___,
          is_read_remotely: ____,
          log_mapping,
          created_date,
          updated_date: __,
          ...site
        }) => ({
          site_id: id,
          ...site,
          log_mapping: storedMapping(log_mapping),
          created_date,
        }),
      ),
    }
  },
})

/** Replaces a site's forwarder token. The old one stops working within a second. */
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

type Site = Row<typeof AiTrafficSite>
/** The identifiers of a site that senders use. */
type Names = Pick<Site, 'site_key' | 'forwarder_token_last4' | 'forwarder_token_hash'>

async function newNames(ctx: OwnerContext): Promise<Names & { readonly token: string }> {
  const { token, last4, hash } = await ctx.newToken(forwarderPrefix)
  const { token: site_key } = await ctx.newToken(siteKeyPrefix)
  return { token, site_key, forwarder_token_last4: last4, forwarder_token_hash: hash }
}

/**
 * Creates a site with the key and token of another one, which is switched off. Hits accepted for the old site
 * stay with it.
 */
function replaceSite(
  ctx: OwnerContext,
  id: string,
  row: Omit<NewRow<typeof AiTrafficSite>, keyof Names> & { readonly workspace_id: string },
  fresh: Names,
) {
  const rows = ctx.rows(AiTrafficSite)
  return ctx.withLock(`site ${id}`, async () => {
    const old = await rows.get(id)
    if (old?.workspace_id !== row.workspace_id)
      throw new Refusal('not_found', `There is no site ${id} in this workspace.`)
    const same = ['location_id', 'domain', 'timezone'] as const
    const [taken] = await rows.list({
      where: where.and(...same.map((name) => where.eq(name, row[name]))),
      limit: 1,
    })
    if (taken)
      throw new Refusal(
        'conflict',
        `${taken.id} already counts the same domain and time zone at this location.`,
      )
    const { site_key, forwarder_token_last4, forwarder_token_hash } = old
    const { log_mapping = null } = old
    const handing_over = JSON.stringify({
      ...row,
      log_mapping,
      site_key,
      forwarder_token_last4,
      forwarder_token_hash,
    })
    await rows.update(id, { ...fresh, is_active: false, handing_over })
    const site = await finishHandOver(ctx, id)
    if (!site) throw new Refusal('conflict', `The site ${id} was removed while it was being replaced.`)
    return site
  })
}

async function locationOf(ctx: OwnerContext, id: string | undefined) {
  const rows = ctx.rows(BusinessLocation)
  if (id !== undefined) {
    return requireRow(rows, 'business location', id)
  }
  const own = where.and(where.eq('is_prospect', false), where.ne('is_demo', true))
  const [first, second] = await rows.list({ where: own, limit: 2 })
  if (first && !second) return first
  throw first
    ? new Refusal('invalid_field', 'There is more than one location. Name one with --location-id.', {
        errors: [{ pointer: '/location_id', code: 'required', message: 'required when there are several' }],
      })
    : new Refusal('not_found', 'There is no business location yet: create one with `location create`.')
}
