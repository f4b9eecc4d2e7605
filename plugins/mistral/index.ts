import { definePlugin } from 'renown'
import { visibilityEngine } from 'renown/visibility'
import { mistral } from './mistral'
import { mistralSettings } from './settings'

export default definePlugin({
  name: 'mistral',
  summary: "Mistral's API: answers of its models",
  renown: '^1.0.0',
  needs: ['visibility'],
  settings: mistralSettings,
  provides: [visibilityEngine.with(mistral)],
})
