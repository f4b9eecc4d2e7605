import {
  type ActRecord,
  defineAct,
  field,
  type NewRow,
  type OwnerContext,
  Refusal,
  requireRow,
  timezone,
  where,
} from 'renown'
import { shownDomain } from 'renown/pages'
import * as v from 'valibot'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { withFreeDomain } from './free-domain'
import { finishHandOver } from './handOver'
import { BusinessLocation, onSite, onSitePage, type SiteRow, siteAudit, siteDomain } from './on-site'

/** A forwarder token that is shown only once. */
export interface ShownToken {
  readonly site_id: string
  readonly domain: string
  /** The domain as `shownDomain` writes it. */
  readonly name: string
  readonly forwarder_token: string
  /** Whether the site had another token, which no longer works. */
  readonly is_replaced: boolean
}

const forwarderPrefix = 'rnw_fwd_'
const siteKeyPrefix = 'rnw_site_'

/** The location of a new site. */
const ofLocation: ActRecord<typeof BusinessLocation> = {
  entity: BusinessLocation,
  field: 'location_id',
  called: 'business location',
  inForms: 'location_id',
  choose: 'This location is not in the workspace.',
  inShell: {
    areOptions: true,
    fields: {
      location_id: v.optional(
        field.text('Business location it belongs to. Can be left out if there is only one'),
      ),
    },
    find: (ctx, { location_id }) => locationOf(ctx, location_id as string | undefined),
  },
}

const count_search_engines = v.optional(field.flag('Count Googlebot and bingbot too'), false)
const respect_dnt = v.optional(
  field.flag('The beacon does not count people who ask not to be tracked. Default on'),
  true,
)

/** Creates a site. Its forwarder token is shown only once. */
export const createSite = defineAct({
  name: 'site create',
  summary: 'Create a website to be counted; its forwarder token is shown once',
  on: ofLocation,
  fields: {
    domain: siteDomain,
    timezone: v.optional(timezone('IANA time zone of its days. It can never change. Default UTC'), 'UTC'),
    count_search_engines,
    respect_dnt,
    replaces: v.optional(
      field.text(
        'Site whose key and forwarder token it takes over. That site is switched off and keeps its counts',
      ),
    ),
  },
  forms: { timezone: timezone('IANA time zone') },
  shellFields: ['replaces'],
  positional: ['domain'],
  secrets: ['forwarder_token'],
  label: 'Create the site',
  done: 'The site was created.',
  undo: 'site remove',
  only: 'owner',
  audit: { action: 'site.add', what: 'Site added', subject: (_, __, { domain }) => domain },
  async run(ctx, { row: location, input: { replaces, ...input } }) {
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
    const answer = {
      site_id: site.id,
      domain: site.domain,
      timezone: site.timezone,
      location_id: site.location_id,
      workspace_id: site.workspace_id,
      site_key: site.site_key,
      ...(replaces === undefined ? { forwarder_token: token } : {}),
      beacon_tag: `<script defer src="${ctx.ingestUrl}/s/${site.site_key}.js"></script>`,
    }
    return { answer, created: site.id, shown: shownToken(site, token, false) }
  },
})

/** Replaces a site's forwarder token. The old one stops working within a second. */
export const rotateSiteToken = defineAct({
  name: 'site token rotate',
  summary: 'Replace the forwarder token of a website; the new one is shown once',
  on: onSite,
  secrets: ['forwarder_token'],
  label: 'Rotate the token',
  done: 'The token was replaced.',
  question: 'The old token stops working at once. Replace it?',
  only: 'owner',
  auth: 'recent',
  audit: siteAudit('token'),
  async run(ctx, { row: { id: site_id, domain } }) {
    const { token, last4, hash } = await ctx.newToken(forwarderPrefix)
    await updateSite(ctx, site_id, { forwarder_token_last4: last4, forwarder_token_hash: hash })
    return {
      answer: { site_id, domain, forwarder_token: token },
      shown: shownToken({ id: site_id, domain }, token, true),
    }
  },
})

/** Changes the options of a site. */
export const changeSite = defineAct({
  name: 'site update',
  summary: 'Switch a website on or off, and choose what is counted',
  on: onSite,
  fields: {
    is_active: v.optional(field.flag('Count this site'), false),
    count_search_engines,
    respect_dnt: v.optional(field.flag('Leave out visitors with Do Not Track'), false),
  },
  label: 'Save',
  done: 'The site was saved.',
  only: 'owner',
  isPageOnly: true,
  audit: siteAudit('change'),
  async run(ctx, { row, input }) {
    const save = () => updateSite(ctx, row.id, input)
    if (input.is_active && !row.is_active) await withFreeDomain(ctx, { ...row, site_id: row.id }, save)
    else await save()
    return { answer: { site_id: row.id, ...input } }
  },
})

/** Stops counting a site. Existing counts stay. */
export const stopSite = defineAct({
  ...onSitePage,
  name: 'site stop',
  summary: 'Stop counting a website. Its counts stay',
  label: 'Stop counting',
  done: 'Counting stopped.',
  isPageOnly: true,
  audit: siteAudit('change'),
  async run(ctx, { row: { id } }) {
    await updateSite(ctx, id, { is_active: false })
    return { answer: { site_id: id, is_active: false } }
  },
})

/** Changes a site, and tells the ingest. */
export async function updateSite(ctx: OwnerContext, id: string, changes: Partial<SiteRow>): Promise<void> {
  if (!(await ctx.rows(AiTrafficSite).update(id, changes)))
    throw new Refusal('not_found', `There is no site ${id}.`)
  ctx.changed('sites')
}

const shownToken = (
  { id, domain }: Pick<SiteRow, 'id' | 'domain'>,
  forwarder_token: string,
  is_replaced: boolean,
): ShownToken => ({ is_replaced, site_id: id, domain, name: shownDomain(domain), forwarder_token })

/** The identifiers of a site that senders use. */
type Names = Pick<SiteRow, 'site_key' | 'forwarder_token_last4' | 'forwarder_token_hash'>

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
