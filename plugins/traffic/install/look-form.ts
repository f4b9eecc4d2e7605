import { Refusal } from 'renown'
import { defineReading, shownDomain } from 'renown/pages'
import * as v from 'valibot'
import { lookAtSite } from '../look/lookAtSite'
import type { Finding } from '../look/site-findings'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { homeOf, pageOfSite } from '../sites/site-address'

/** The result of checking a site. */
export interface ShownLook {
  readonly site_id: string
  readonly page: string
  readonly findings: readonly Finding[]
}

/** Checks a page of a site. */
export const look = defineReading({
  input: v.strictObject({
    site: v.pipe(v.string(), v.maxLength(100)),
    address: v.optional(v.pipe(v.string(), v.maxLength(2_000)), ''),
  }),
  auth: 'session',
  async run(ctx, input) {
    const own = await ctx.rows(AiTrafficSite).get(input.site)
    if (!own) throw new Refusal('not_found', 'There is no such site in this workspace.')
    const page = input.address === '' ? homeOf(own.domain) : pageOfSite(input.address, own.domain)
    if (page === null)
      throw new Refusal('invalid_field', `The address is not a page of ${shownDomain(own.domain)}.`, {
        errors: [
          { pointer: '/address', code: 'not_of_site', message: `an address under ${homeOf(own.domain)}` },
        ],
      })
    const { safeFetch } = ctx.outside
    const findings = await lookAtSite({ safeFetch, ingestUrl: ctx.ingestUrl, page, site: own })
    return { shown: { site_id: own.id, page, findings } satisfies ShownLook }
  },
})
