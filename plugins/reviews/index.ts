import { definePlugin } from 'renown'
import { AutoResponseRules } from './AutoResponseRules'
import { analyseReview } from './analyseReview'
import { answerReviews } from './answerReviews'
import { autoResponse } from './autoResponse'
import { reviewsDemo } from './demo'
import { drawInsights, dueInsights } from './drawInsights'
import { dueReviews, knownLocations } from './dueReviews'
import { explainReviews } from './explainReviews'
import { generateReviewReply } from './generateReviewReply'
import { BusinessLocation, getReputationSummary } from './getReputationSummary'
import { getReviewAnalytics } from './getReviewAnalytics'
import { listReviewsNeedingResponse } from './listReviewsNeedingResponse'
import { Mention } from './mentions'
import { Review } from './Review'
import { ReviewedLocation } from './ReviewedLocation'
import { ReviewListing } from './ReviewListing'
import { ReviewObservation } from './ReviewObservation'
import { readAtOnce, readLocationAtOnce } from './readAtOnce'
import { syncLocation } from './readNow'
import { flagReview, markReview, noteReview, unflagReview } from './reviewCommands'
import { sendReply } from './sendReply'
import { Agency, setAutoResponse, showAutoResponse } from './setAutoResponse'
import { syncReviews } from './syncReviews'
import { verifyReviews } from './verifyReviews'
import { WorkspaceOwner } from './WorkspaceOwner'

/** Customer reviews from the platforms. */
export default definePlugin({
  name: 'reviews',
  summary: 'Customer reviews of business locations',
  renown: '^1.0.0',
  prompts: [answerReviews],
  needs: ['tenancy', 'leads'],
  entities: [Review, ReviewListing, ReviewObservation, AutoResponseRules],
  reads: [BusinessLocation, ReviewedLocation, Mention, WorkspaceOwner, Agency],
  operations: [getReviewAnalytics, getReputationSummary, listReviewsNeedingResponse, generateReviewReply],
  states: [autoResponse],
  jobs: { knownLocations, dueReviews, dueInsights },
  reactions: { accountReady: readAtOnce, locationReady: readLocationAtOnce },
  queues: {
    'sync-reviews': syncReviews,
    'send-reply': sendReply,
    'analyse-review': analyseReview,
    'draw-insights': drawInsights,
  },
  commands: [
    ...[setAutoResponse, showAutoResponse, verifyReviews, explainReviews],
    ...[markReview, flagReview, unflagReview, noteReview, syncLocation],
  ],
  demo: reviewsDemo,
})
