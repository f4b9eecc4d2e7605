import { refuseIgnored } from 'renown'
import { definePage, fileColumns, type PageContext } from 'renown/pages'
import type { InferOutput } from 'valibot'
import { explainReviewCount } from '../operations/explainReviewCount'
import { locationChoice } from './location-choice'
import { reviewsStyle } from './reviews-style'

export interface CountsData {
  readonly locations: readonly (readonly [id: string, name: string])[]
  /** Null until a location is chosen. */
  readonly explained: InferOutput<typeof explainReviewCount.output> | null
  readonly location: string
}

async function loadCounts(ctx: PageContext, query: URLSearchParams): Promise<CountsData> {
  const { locations, chosen } = await locationChoice(ctx, query)
  const location = chosen?.id ?? ''
  const explained = location === '' ? null : await explainReviewCount.run(ctx, { location_id: location })
  return { locations, location, explained }
}

/** A page that explains why a platform shows another number of reviews. */
export const countsPage = definePage<CountsData>({
  path: '/app/reviews/counts',
  title: 'Review counts',
  module: new URL('./CountsPage.tsx', import.meta.url),
  isStatic: true,
  load: loadCounts,
  async download(ctx, query) {
    const { explained, location } = await loadCounts(ctx, query)
    const named = query.get('location') ?? ''
    // The page shows the first location then. A file would look like that of the location in the address.
    if (named !== '' && named !== location) {
      const accepted = 'Use the id of a location of this workspace.'
      refuseIgnored({ ignored: [{ name: 'location', value: named, accepted }] })
    }
    return {
      columns: fileColumns({
        platform: null,
        kind: null,
        review_id: null,
        source_id: null,
        by: null,
        stars: 'number',
        written_at: 'instant',
        begins: null,
      }),
      rows: (explained?.reviews ?? []).map((one) => [
        one.source,
        one.kind,
        one.review_id ?? null,
        one.source_id,
        one.reviewer_name ?? null,
        one.star_rating,
        one.review_created_at ?? null,
        one.begins,
      ]),
    }
  },
  style: reviewsStyle,
})
