import { Refusal, type Row, timezone } from 'renown'
import { type ActionContext, defineAction, shownDomain } from 'renown/pages'
import * as v from 'valibot'
import { lookAtSite } from '../look/lookAtSite'
import type { Finding } from '../look/site-findings'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { BusinessLocation, createSite, rotateSiteToken, siteDomain } from '../sites/commands'
import { withFreeDomain } from '../sites/free-domain'
import { noteSite } from '../sites/note-site'
import { homeOf, pageOfSite } from '../sites/site-address'

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

/** The result of checking a site. */
export interface ShownLook {
  readonly site_id: string
  readonly page: string
  readonly findings: readonly Finding[]
}

const idText = v.pipe(v.string(), v.maxLength(100))
const ticked = v.optional(v.literal('yes'))
const site = idText

/** Creates a site, like the command. */
export const create = defineAction({
  input: v.strictObject({
    domain: siteDomain,
    location_id: idText,
    timezone: timezone('IANA time zone'),
    count_search_engines: ticked,
    respect_dnt: ticked,
  }),
  auth: 'session',
  only: 'owner',
  async run(ctx, { count_search_engines, respect_dnt, ...input }) {
    const location = await ctx.rows(BusinessLocation).get(input.location_id)
    if (!location) {
      const message = 'This location is not in the workspace.'
      throw new Refusal('not_found', message, {
        errors: [{ pointer: '/location_id', code: 'not_found', message }],
      })
    }
    const made = await createSite.run(ctx.owner, {
      ...input,
      count_search_engines: count_search_engines === 'yes',
      respect_dnt: respect_dnt === 'yes',
    })
    return { shown: tokenOf(made, false) }
  },
})

/** Replaces a site's forwarder token. */
export const rotate = defineAction({
  input: v.strictObject({ site }),
  auth: 'recent',
  only: 'owner',
  async run(ctx, input) {
    const { id } = await ownSite(ctx, input.site)
    return { shown: tokenOf(await rotateSiteToken.run(ctx.owner, { site_id: id }), true) }
  },
})

/** Changes the options of a site. */
export const change = defineAction({
  input: v.strictObject({ site, is_active: ticked, count_search_engines: ticked, respect_dnt: ticked }),
  auth: 'session',
  only: 'owner',
  async run(ctx, input) {
    const site = await ownSite(ctx, input.site)
    const save = () =>
      ctx.owner.rows(AiTrafficSite).update(site.id, {
        is_active: input.is_active === 'yes',
        count_search_engines: input.count_search_engines === 'yes',
        respect_dnt: input.respect_dnt === 'yes',
      })
    if (input.is_active === 'yes' && !site.is_active)
      await withFreeDomain(ctx.owner, { ...site, site_id: site.id }, save)
    else await save()
    ctx.owner.changed('sites')
    await noteSite(ctx.owner, site, 'change')
  },
})

/** Checks a page of a site. */
export const look = defineAction({
  input: v.strictObject({ site, address: v.optional(v.pipe(v.string(), v.maxLength(2_000)), '') }),
  auth: 'session',
  async run(ctx, input) {
    const own = await ownSite(ctx, input.site)
    const page = input.address === '' ? homeOf(own.domain) : pageOfSite(input.address, own.domain)
    if (page === null)
      throw new Refusal('invalid_field', `The address is not a page of ${shownDomain(own.domain)}.`, {
        errors: [
          { pointer: '/address', code: 'not_of_site', message: `an address under ${homeOf(own.domain)}` },
        ],
      })
    const { safeFetch } = ctx.owner.outbound
    const findings = await lookAtSite({ safeFetch, ingestUrl: ctx.ingestUrl, page, site: own })
    return { shown: { site_id: own.id, page, findings } satisfies ShownLook }
  },
})

async function ownSite(ctx: ActionContext, id: string): Promise<Row<typeof AiTrafficSite>> {
  const found = await ctx.rows(AiTrafficSite).get(id)
  if (found) return found
  throw new Refusal('not_found', 'This site is not in the workspace.')
}

const tokenOf = (
  { site_id, domain, forwarder_token }: Record<string, unknown>,
  is_replaced: boolean,
): ShownToken => ({
  is_replaced,
  site_id: String(site_id),
  domain: String(domain),
  name: shownDomain(String(domain)),
  forwarder_token: String(forwarder_token),
})
