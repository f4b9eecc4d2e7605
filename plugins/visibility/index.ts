import { definePlugin } from 'renown'
import { visibilityDemo } from './demo'
import { runStatus } from './runStatus'
import { VisibilityPrompt } from './VisibilityPrompt'
import { VisibilityRun } from './VisibilityRun'
import { VisibilityTracker } from './VisibilityTracker'

/** Whether AI assistants recommend a business, and whom they cite. */
export default definePlugin({
  name: 'visibility',
  summary: 'What AI assistants answer about a brand: trackers, questions and runs',
  renown: '^1.0.0',
  entities: [VisibilityTracker, VisibilityPrompt, VisibilityRun],
  states: [runStatus],
  demo: visibilityDemo,
})
