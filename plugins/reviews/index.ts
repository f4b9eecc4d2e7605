import { definePlugin } from 'renown'
import { answerReviews } from './answerReviews'
import { autoResponse } from './autoResponse'
import { reviewsDemo } from './demo'
import { BusinessLocation, getReputationSummary } from './getReputationSummary'
import { getReviewAnalytics } from './getReviewAnalytics'
import { listReviewsNeedingResponse } from './listReviewsNeedingResponse'
import { Mention } from './mentions'
import { Review } from './Review'

/** Customer reviews from the platforms. */
export default definePlugin({
  name: 'reviews',
  summary: 'Customer reviews of business locations',
  renown: '^1.0.0',
  prompts: [answerReviews],
  needs: ['tenancy', 'leads'],
  entities: [Review],
  reads: [BusinessLocation, Mention],
  operations: [getReviewAnalytics, getReputationSummary, listReviewsNeedingResponse],
  states: [autoResponse],
  demo: reviewsDemo,
})
