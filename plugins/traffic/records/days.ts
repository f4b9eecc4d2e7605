import { dayIn, field, type Period, type ReadContext, Refusal, type Row, type Where, where } from 'renown'
import * as v from 'valibot'
import type { AiTrafficDaily } from './AiTrafficDaily'
import { AiTrafficSite } from './AiTrafficSite'

export type Day = Row<typeof AiTrafficDaily>
export type Site = Row<typeof AiTrafficSite>

const daysMax = 50_000

/** Input fields that limit an answer to a site or to the sites of a location. */
export const siteInput = {
  site_id: v.optional(field.text('Only this site')),
  location_id: v.optional(field.text('Only the sites of this business location')),
}
export interface SiteInput {
  readonly site_id?: string
  /** Several sites, read at once. */
  readonly site_ids?: readonly string[]
  readonly location_id?: string
}

/** Returns the requested sites. Throws for a site of another workspace or location. */
export async function sitesOf(ctx: ReadContext, { site_id, location_id }: SiteInput): Promise<Site[]> {
  const parts: Where[] = []
  if (site_id !== undefined) parts.push(where.eq('id', site_id))
  if (location_id !== undefined) parts.push(where.eq('location_id', location_id))
  const sites = await Array.fromAsync(ctx.rows(AiTrafficSite).each({ where: where.and(...parts) }))
  if (site_id !== undefined && sites.length === 0) {
    throw new Refusal('not_found', 'There is no such site in this workspace, or not at this location.')
  }
  return sites
}

/** Returns today's date in the latest and the earliest time zone of the sites. */
export function todayOf(ctx: ReadContext, sites: readonly Site[]): { latest: string; earliest: string } {
  const zones = sites.length > 0 ? new Set(sites.map(({ timezone }) => timezone)) : [ctx.workspace.timezone]
  const days = [...zones].map((timezone) => dayIn(timezone, ctx.now())).sort()
  const [earliest = ''] = days
  const [latest = ''] = days.toReversed()
  return { latest, earliest }
}

/** Returns the condition for the daily rows of a period. */
export function daysWhere(
  input: SiteInput,
  { date_from, date_to }: Pick<Period, 'date_from' | 'date_to'>,
): Where {
  return where.and(where.gte('date', date_from), where.lte('date', date_to), siteWhere(input))
}

/** Returns the condition for all daily rows of the requested sites. */
export function siteWhere(input: SiteInput): Where {
  const parts: Where[] = []
  if (input.site_id !== undefined) parts.push(where.eq('site_id', input.site_id))
  if (input.site_ids !== undefined) parts.push(where.in('site_id', input.site_ids))
  if (input.location_id !== undefined) parts.push(where.eq('location_id', input.location_id))
  return where.and(...parts)
}

/** Throws if a period has too many daily rows for one answer. */
export function refuseTooMany(siteDays: number): void {
  if (siteDays <= daysMax) return
  throw new Refusal(
    'invalid_field',
    'That is more than 50,000 site-days. Choose a site or a shorter period.',
    {
      errors: [{ pointer: '/site_id', code: 'required', message: 'required for such a long period' }],
    },
  )
}
