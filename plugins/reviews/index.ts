import { actCommands, definePlugin } from 'renown'
import { locationCard } from 'renown/locations'
import {
  agentApp,
  clientFigures,
  homeCard,
  inboxEntry,
  setupStep,
  workspaceFigures,
  workspaceProblems,
} from 'renown/pages'
import { personErasure, SyncStatus } from 'renown/records'
import { reportSection } from 'renown/reports'
import { cancelReviewReply, deleteReviewReply, replyToReview } from './acts/reply-acts'
import { flagReview, markReview, noteReview, unflagReview } from './acts/review-acts'
import { reviewInbox } from './agent-app/app'
import { analyseReview } from './analysis/analyseReview'
import { reviewClients } from './cards/clients'
import { doubtCard } from './cards/doubt'
import { doubtProblems, doubtsInbox } from './cards/doubts'
import { reviewsCard } from './cards/home'
import { inboxSources } from './cards/inbox'
import { repliesCard } from './cards/replies'
import { reviewsSetup } from './cards/setup'
import { reviewSource } from './contract'
import { reviewsDemo } from './demo/demo'
import { drawInsights, dueInsights } from './operations/drawInsights'
import { explainReviewCount } from './operations/explainReviewCount'
import { explainReviews } from './operations/explainReviews'
import { generateReviewReply } from './operations/generateReviewReply'
import { BusinessLocation, getReputationSummary } from './operations/getReputationSummary'
import { getReviewAnalytics } from './operations/getReviewAnalytics'
import { listReviewRows } from './operations/listReviewsCommand'
import { listReviewsNeedingResponse } from './operations/listReviewsNeedingResponse'
import { allowLowStars, stopLowStars } from './operations/low-stars'
import { Mention } from './operations/mentions'
import { Agency, setAutoResponse, showAutoResponse } from './operations/setAutoResponse'
import { reviewFigures } from './operations/workspaceFigures'
import { approvePage } from './pages/approve-page'
import { countsPage } from './pages/counts-page'
import { linksPage } from './pages/links-page'
import { overviewPage } from './pages/overview-page'
import { reviewsPage } from './pages/reviews-page'
import { rulesPage } from './pages/rules-page'
import { AutoResponseRules } from './records/AutoResponseRules'
import { reviewEvents } from './records/events'
import { Review } from './records/Review'
import { ReviewedLocation } from './records/ReviewedLocation'
import { ReviewListing } from './records/ReviewListing'
import { ReviewObservation } from './records/ReviewObservation'
import { ReviewReply } from './records/ReviewReply'
import { WorkspaceOwner } from './records/WorkspaceOwner'
import { sendPersonReply } from './reply/sendPersonReply'
import { sendReply } from './reply/sendReply'
import { responsesSection } from './report/responses-section'
import { reviewsSection } from './report/reviews-section'
import { replySettings } from './settings'
import { dueReviews, findLocations } from './sync/dueReviews'
import { observationErasure, reviewErasure } from './sync/eraseReviews'
import { readAtOnce, readLocationAtOnce } from './sync/readAtOnce'
import { syncLocation } from './sync/readNow'
import { syncReviews } from './sync/syncReviews'
import { verifyReviews } from './verify/verifyReviews'

/** Customer reviews from the platforms. */
export default definePlugin({
  name: 'reviews',
  summary: 'Customer reviews of business locations',
  renown: '^1.0.0',
  needs: ['tenancy', 'leads'],
  settings: replySettings,
  extensionPoints: [reviewSource],
  provides: [
    locationCard.with(repliesCard),
    ...[reviewErasure, observationErasure].map((one) => personErasure.with(one)),
    homeCard.with(reviewsCard),
    clientFigures.with(reviewClients),
    locationCard.with(doubtCard),
    workspaceProblems.with(doubtProblems),
    ...[...inboxSources, doubtsInbox].map((source) => inboxEntry.with(source)),
    setupStep.with(reviewsSetup),
    agentApp.with(reviewInbox),
    workspaceFigures.with(reviewFigures),
    ...[reviewsSection, responsesSection].map((section) => reportSection.with(section)),
  ],
  entities: [Review, ReviewListing, ReviewObservation, AutoResponseRules, ReviewReply],
  reads: [BusinessLocation, ReviewedLocation, Mention, WorkspaceOwner, Agency, SyncStatus],
  operations: [
    getReviewAnalytics,
    getReputationSummary,
    listReviewsNeedingResponse,
    generateReviewReply,
    explainReviewCount,
  ],
  events: reviewEvents,
  jobs: { findLocations, dueReviews, dueInsights },
  subscribers: { 'connection.ready': readAtOnce, 'location.ready': readLocationAtOnce },
  queues: {
    'sync-reviews': syncReviews,
    'send-reply': sendReply,
    'send-person-reply': sendPersonReply,
    'analyse-review': analyseReview,
    'draw-insights': drawInsights,
  },
  commands: [
    showAutoResponse,
    verifyReviews,
    explainReviews,
    listReviewRows,
    ...actCommands([
      setAutoResponse,
      allowLowStars,
      stopLowStars,
      syncLocation,
      replyToReview,
      deleteReviewReply,
      cancelReviewReply,
      markReview,
      flagReview,
      unflagReview,
      noteReview,
    ]),
  ],
  demo: reviewsDemo,
  pages: [reviewsPage, overviewPage, approvePage, countsPage, rulesPage, linksPage],
})
