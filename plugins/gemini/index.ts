import { definePlugin } from 'renown'
import { visibilityEngine } from 'renown/visibility'
import { geminiV1 } from './generate-content'
import { gemini } from './interactions'
import { geminiSettings } from './settings'

export default definePlugin({
  name: 'gemini',
  summary: "Google's Gemini API: answers of Gemini's models",
  renown: '^1.0.0',
  needs: ['visibility'],
  settings: geminiSettings,
  provides: [visibilityEngine.with(gemini), visibilityEngine.with(geminiV1)],
})
