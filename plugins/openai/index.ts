import { definePlugin } from 'renown'
import { visibilityEngine } from 'renown/visibility'
import { chatgpt } from './chatgpt'
import { openaiSettings } from './settings'

export default definePlugin({
  name: 'openai',
  summary: "OpenAI's API: answers of ChatGPT's models",
  renown: '^1.0.0',
  needs: ['visibility'],
  settings: openaiSettings,
  provides: [visibilityEngine.with(chatgpt)],
})
