import { where } from 'renown'
import { defineLocationCard } from 'renown/locations'
import { shownDomain } from 'renown/pages'
import { AiTrafficSite } from '../records/AiTrafficSite'

/** Maximum sites on the card. The page Sites lists all of them. */
const sitesMax = 10

/** A site as the card shows it. */
interface LocationSite {
  readonly id: string
  /** The domain as `shownDomain` writes it. */
  readonly name: string
  readonly is_active: boolean
  /** When the tag or a log last reported something. Null if never. */
  readonly heard_at: string | null
}

/** The data of the card. */
export interface LocationSitesData {
  readonly sites: readonly LocationSite[]
  readonly hasMore: boolean
}

/**
 * A card that shows whether the websites of a location report. It reads no figures, so the page does not wait
 * for ClickHouse.
 */
export const sitesCard = defineLocationCard<LocationSitesData>({
  name: 'sites',
  order: 80,
  module: new URL('./location-sites-card.tsx', import.meta.url),
  async load(ctx, { id }) {
    const found = await ctx.rows(AiTrafficSite).list({
      where: where.eq('location_id', id),
      sort: [{ field: 'domain', direction: 'asc' }],
      limit: sitesMax + 1,
      fields: ['domain', 'is_active', 'last_beacon_at', 'last_log_at'],
    })
    if (found.length === 0) return null
    const sites = found.slice(0, sitesMax).map(({ id, domain, is_active, last_beacon_at, last_log_at }) => ({
      id,
      name: shownDomain(domain),
      is_active,
      heard_at:
        [last_beacon_at, last_log_at]
          .flatMap((at) => at ?? [])
          .toSorted()
          .at(-1) ?? null,
    }))
    return { sites, hasMore: found.length > sitesMax }
  },
})
