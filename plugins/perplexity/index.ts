import { definePlugin } from 'renown'
import { visibilityEngine } from 'renown/visibility'
import { perplexity } from './perplexity'
import { perplexitySettings } from './settings'

export default definePlugin({
  name: 'perplexity',
  summary: "Perplexity's API: its answers and their sources",
  renown: '^1.0.0',
  needs: ['visibility'],
  settings: perplexitySettings,
  provides: [visibilityEngine.with(perplexity)],
})
