import { definePlugin } from 'renown'
import { checkAiVisibility } from './checkAiVisibility'
import { visibilityDemo } from './demo'
import { getAnswer } from './getAnswer'
import { getPromptPerformance } from './getPromptPerformance'
import { getShareOfVoice } from './getShareOfVoice'
import { getVisibilityCountries, Workspace } from './getVisibilityCountries'
import { getVisibilitySummary } from './getVisibilitySummary'
import { listCitedSources } from './listCitedSources'
import { runStatus } from './runStatus'
import { VisibilityPrompt } from './VisibilityPrompt'
import { VisibilityRun } from './VisibilityRun'
import { VisibilityTracker } from './VisibilityTracker'

/** Whether AI assistants recommend a business, and whom they cite. */
export default definePlugin({
  name: 'visibility',
  summary: 'What AI assistants answer about a brand: trackers, questions and runs',
  notYet:
    'Renown does not ask AI assistants yet. Trackers, questions and runs come only from the demo or from a data import.',
  renown: '^1.0.0',
  prompts: [checkAiVisibility],
  needs: ['tenancy'],
  entities: [VisibilityTracker, VisibilityPrompt, VisibilityRun],
  reads: [Workspace],
  operations: [
    getVisibilityCountries,
    getVisibilitySummary,
    getPromptPerformance,
    getShareOfVoice,
    listCitedSources,
    getAnswer,
  ],
  states: [runStatus],
  demo: visibilityDemo,
})
