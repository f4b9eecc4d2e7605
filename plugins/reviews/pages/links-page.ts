import encodeQR from 'qr'
import { defineAppPage, type PageContext, where } from 'renown'
import { reviewSource } from '../contract'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { reviewsStyle } from './reviews-style'

/** The address at which customers of a location write a review. */
export interface ReviewLink {
  readonly platform: string
  readonly url: string
  /** The address as a QR code, as SVG of our own making. */
  readonly qr: string
}

export interface LinksData {
  readonly locations: readonly (readonly [id: string, name: string])[]
  readonly location: string
  readonly name: string
  readonly links: readonly ReviewLink[]
}

const locationsMax = 500

async function loadLinks(ctx: PageContext, query: URLSearchParams): Promise<LinksData> {
  const rows = await ctx.rows(ReviewedLocation).list({
    where: where.eq('is_prospect', false),
    sort: [{ field: 'id', direction: 'asc' }],
    ...{ limit: locationsMax, fields: ['business_name'] },
  })
  const locations = rows
    .map(({ id, business_name }) => [id, business_name] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b))
  const asked = await ctx.rows(ReviewedLocation).get((query.get('location') ?? '').slice(0, 100))
  const chosen = asked ?? (locations[0] ? await ctx.rows(ReviewedLocation).get(locations[0][0]) : null)
  const links = new Map<string, ReviewLink>()
  const inOrder = ctx.system.extensions(reviewSource).toSorted((a, b) => a.order - b.order)
  for (const { label, source, reviewLink } of inOrder) {
    const url = chosen && reviewLink ? reviewLink(chosen) : null
    if (url === null || links.has(source)) continue
    links.set(source, { platform: label, url, qr: encodeQR(url, 'svg', { ecc: 'medium', border: 1 }) })
  }
  return {
    ...{ locations, location: chosen?.id ?? '', name: chosen?.business_name ?? '' },
    links: [...links.values()],
  }
}

/** Links and QR codes with which customers write a review. */
export const linksPage = defineAppPage<LinksData>({
  path: '/app/reviews/links',
  title: 'Review links',
  module: new URL('./LinksPage.tsx', import.meta.url),
  isStatic: true,
  load: loadLinks,
  style: reviewsStyle,
})
