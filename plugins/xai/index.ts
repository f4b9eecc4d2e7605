import { definePlugin } from 'renown'
import { visibilityEngine } from 'renown/visibility'
import { grok } from './grok'
import { xaiSettings } from './settings'

export default definePlugin({
  name: 'xai',
  summary: "xAI's API: answers of Grok's models",
  renown: '^1.0.0',
  needs: ['visibility'],
  settings: xaiSettings,
  provides: [visibilityEngine.with(grok)],
})
