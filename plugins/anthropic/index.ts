import { definePlugin } from 'renown'
import { visibilityEngine } from 'renown/visibility'
import { claude } from './claude'
import { anthropicSettings } from './settings'

export default definePlugin({
  name: 'anthropic',
  summary: "Anthropic's API: answers of Claude's models",
  renown: '^1.0.0',
  needs: ['visibility'],
  settings: anthropicSettings,
  provides: [visibilityEngine.with(claude)],
})
