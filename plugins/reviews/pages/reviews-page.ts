import { definePage } from 'renown/pages'
import { reviewWords } from '../words'
import { downloadReviews } from './downloadReviews'
import { countWaiting, loadReviews, type ReviewsData } from './loadReviews'
import { reviewActions, reviewNotices } from './reviewActions'
import { reviewsStyle } from './reviews-style'

/** The page for reading and answering reviews. */
export const reviewsPage = definePage<ReviewsData>({
  path: '/app/reviews',
  title: 'Reviews',
  nav: { label: reviewWords('nav'), order: 20, icon: 'star', onPhones: true, count: countWaiting },
  module: new URL('./ReviewsPage.tsx', import.meta.url),
  isStatic: true,
  load: loadReviews,
  actions: reviewActions,
  notices: reviewNotices,
  download: downloadReviews,
  style: reviewsStyle,
})
