import { defineAppPage, refuseIgnored } from 'renown'
import { countWaiting, loadReviews, type ReviewsData } from './loadReviews'
import { reviewActions, reviewNotices } from './reviewActions'
import { reviewsStyle } from './reviews-style'

/** The page for reading and answering reviews. */
export const reviewsPage = defineAppPage<ReviewsData>({
  path: '/app/reviews',
  title: 'Reviews',
  nav: { label: 'Reviews', order: 20, icon: 'star', onPhones: true, count: countWaiting },
  module: new URL('./ReviewsPage.tsx', import.meta.url),
  isStatic: true,
  load: loadReviews,
  actions: reviewActions,
  notices: reviewNotices,
  csv: (data) => [
    ['id', 'written_at', 'platform', 'location', 'stars', 'by', 'language', 'state', 'text'],
    ...refuseIgnored(data).lines.map(({ id, at, platform, location, stars, by, language, state, text }) => [
      ...[id, at, platform, location, stars, by, language, state, text],
    ]),
  ],
  style: reviewsStyle,
})
