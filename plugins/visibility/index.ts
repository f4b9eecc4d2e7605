import { definePlugin } from 'renown'
import {
  agentApp,
  clientFigures,
  homeCard,
  inboxEntry,
  setupStep,
  workspaceFigures,
  workspaceLimits,
  workspaceProblems,
} from 'renown/pages'
import { reportSection } from 'renown/reports'
import { selfCheck } from 'renown/sources'
import { visibilityIntervals } from './agent-app/app'
import { reportModelEnds } from './alerts/reportModelEnds'
import { watchTrackers } from './alerts/watchTrackers'
import { visibilityClients } from './cards/clients'
import { visibilityCard } from './cards/home'
import { visibilityEntries } from './cards/inbox'
import { visibilityProblems } from './cards/problems'
import { visibilityDemo } from './demo/demo'
import { visibilityEngine } from './engines/engine'
import { engineCheck } from './engines/engine-check'
import { recordedEngines } from './engines/recorded'
import { journeyStage } from './journey/stage'
import { getAnswer } from './operations/getAnswer'
import { getPageJourney } from './operations/getPageJourney'
import { getPromptPerformance } from './operations/getPromptPerformance'
import { getShareOfVoice } from './operations/getShareOfVoice'
import { getVisibilityCountries } from './operations/getVisibilityCountries'
import { getVisibilitySummary } from './operations/getVisibilitySummary'
import { listCitedSources } from './operations/listCitedSources'
import { reconcileVisibility } from './operations/reconcileVisibility'
import { setupVisibilityTracking } from './operations/setupVisibilityTracking'
import { answerPage, answersPage, definitionsPage } from './pages/answers-page'
import { visibilityPage } from './pages/visibility-page'
import { visibilityChanged } from './records/events'
import { BusinessLocation, Workspace } from './records/foreign'
import { VisibilityAnswer } from './records/VisibilityAnswer'
import { VisibilityPrompt } from './records/VisibilityPrompt'
import { VisibilityRun } from './records/VisibilityRun'
import { VisibilityScore } from './records/VisibilityScore'
import { VisibilitySlot } from './records/VisibilitySlot'
import { sumTable, VisibilitySum } from './records/VisibilitySum'
import { VisibilityTracker } from './records/VisibilityTracker'
import { VisibilityWatch } from './records/VisibilityWatch'
import { competitorsSection } from './report/competitors-section'
import { visibilitySection } from './report/visibility-section'
import { publishedRulers } from './rulers/published'
import { visibilityRuler } from './rulers/ruler'
import { dueTrackers } from './runs/dueTrackers'
import { removeOldSlots } from './runs/lost-slots'
import { rescoreCommand } from './runs/rescore-command'
import { queueRescoring, rescoreAnswers } from './runs/rescoreAnswers'
import { runRound } from './runs/runRound'
import { sealAnswers } from './runs/sealAnswers'
import { visibilityLimits } from './runs/workspace-limits'
import { visibilitySettings } from './settings'
import { visibilityFigures } from './sums/workspaceFigures'
import { trackingCommands } from './tracking/commands'
import { visibilitySetup } from './tracking/setup'
import { trackerPage } from './tracking/tracker-page'
import { trackingPage } from './tracking/tracking-page'

/** Whether AI assistants recommend a business, and which sources they cite. */
export default definePlugin({
  name: 'visibility',
  summary: 'Answers of AI assistants about a brand: trackers, questions and runs',
  renown: '^1.0.0',
  needs: ['tenancy'],
  settings: visibilitySettings,
  extensionPoints: [visibilityEngine, visibilityRuler, journeyStage],
  provides: [
    ...recordedEngines.map((engine) => visibilityEngine.with(engine)),
    ...publishedRulers.map((ruler) => visibilityRuler.with(ruler)),
    selfCheck.with(engineCheck),
    homeCard.with(visibilityCard),
    clientFigures.with(visibilityClients),
    inboxEntry.with(visibilityEntries),
    setupStep.with(visibilitySetup),
    agentApp.with(visibilityIntervals),
    workspaceFigures.with(visibilityFigures),
    workspaceLimits.with(visibilityLimits),
    workspaceProblems.with(visibilityProblems),
    reportSection.with(visibilitySection),
    reportSection.with(competitorsSection),
  ],
  events: [visibilityChanged],
  entities: [
    VisibilityTracker,
    VisibilityPrompt,
    VisibilityRun,
    VisibilitySlot,
    VisibilityAnswer,
    VisibilityScore,
    VisibilityWatch,
    VisibilitySum,
  ],
  reads: [Workspace, BusinessLocation],
  operations: [
    getVisibilityCountries,
    getVisibilitySummary,
    getPromptPerformance,
    getShareOfVoice,
    listCitedSources,
    getAnswer,
    reconcileVisibility,
    getPageJourney,
    setupVisibilityTracking,
  ],
  commands: [...trackingCommands, rescoreCommand],
  tables: [sumTable],
  jobs: { dueTrackers, queueRescoring, removeOldSlots, sealAnswers, watchTrackers, reportModelEnds },
  queues: { 'visibility-round': runRound, 'visibility-rescore': rescoreAnswers },
  demo: visibilityDemo,
  pages: [visibilityPage, answersPage, answerPage, definitionsPage, trackingPage, trackerPage],
})
