import { type OwnerContext, Refusal, type Row, where } from 'renown'
import { shownDomain } from 'renown/pages'
import { AiTrafficSite } from '../records/AiTrafficSite'

interface WantedSite {
  readonly workspace_id: string
  readonly location_id: string
  /** In the stored form: see `normaliseDomain`. */
  readonly domain: string
  readonly timezone: string
  /** The site that gets the domain, if it already exists. */
  readonly site_id?: string
}

/**
 * Runs work that gives a site its domain. If another site already counts the domain, throws a `conflict`
 * Refusal with its id, because hits would count twice. A switched-off site does not block one in another time
 * zone or location.
 */
export function withFreeDomain<T>(ctx: OwnerContext, wanted: WantedSite, work: () => Promise<T>): Promise<T> {
  return ctx.withLock(`sites ${wanted.workspace_id}`, async () => {
    const sites = await ctx.rows(AiTrafficSite).list({
      where: where.and(where.eq('workspace_id', wanted.workspace_id), where.eq('domain', wanted.domain)),
    })
    const others = sites.filter(({ id }) => id !== wanted.site_id)
    const taken = others.find(({ is_active }) => is_active) ?? others.find((site) => isSame(site, wanted))
    if (taken) throw refusalOf(taken)
    return work()
  })
}

const isSame = (site: Row<typeof AiTrafficSite>, { location_id, timezone }: WantedSite) =>
  site.location_id === location_id && site.timezone === timezone

function refusalOf({ id, domain, is_active, timezone }: Row<typeof AiTrafficSite>): Refusal {
  const name = shownDomain(domain)
  const message = is_active
    ? `${name} is already counted in this workspace, as the site ${id} with days in ${timezone}.`
    : `${name} is already in this workspace, as the site ${id}, which is switched off.`
  return new Refusal('conflict', message, {
    hint: is_active
      ? 'Use that site. To count in another time zone or at another location, switch off that site first.'
      : 'Switch that site back on.',
    errors: [{ pointer: '/domain', code: 'taken', message }],
  })
}
