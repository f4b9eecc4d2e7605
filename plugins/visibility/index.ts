import { definePlugin, selfCheck } from 'renown'
import { visibilityDemo } from './demo/demo'
import { visibilityEngine } from './engines/engine'
import { engineCheck } from './engines/engine-check'
import { recordedEngines } from './engines/recorded'
import { checkAiVisibility } from './operations/checkAiVisibility'
import { getAnswer } from './operations/getAnswer'
import { getPromptPerformance } from './operations/getPromptPerformance'
import { getShareOfVoice } from './operations/getShareOfVoice'
import { getVisibilityCountries, Workspace } from './operations/getVisibilityCountries'
import { getVisibilitySummary } from './operations/getVisibilitySummary'
import { listCitedSources } from './operations/listCitedSources'
import { runStatus } from './records/runStatus'
import { VisibilityPrompt } from './records/VisibilityPrompt'
import { VisibilityRun } from './records/VisibilityRun'
import { VisibilityTracker } from './records/VisibilityTracker'
import { visibilitySettings } from './settings'

/** Whether AI assistants recommend a business, and which sources they cite. */
export default definePlugin({
  name: 'visibility',
  summary: 'What AI assistants answer about a brand: trackers, questions and runs',
  notYet:
    'Renown does not ask AI assistants yet. Trackers, questions and runs come only from the demo or from a data import.',
  renown: '^1.0.0',
  prompts: [checkAiVisibility],
  needs: ['tenancy'],
  settings: visibilitySettings,
  extensionPoints: [visibilityEngine],
  provides: [...recordedEngines.map((engine) => visibilityEngine.with(engine)), selfCheck.with(engineCheck)],
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
