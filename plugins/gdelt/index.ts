import { definePlugin } from 'renown'
import { leadsSource } from 'renown/leads'
import { gdelt } from './gdelt'
import { gdeltSettings } from './settings'

export default definePlugin({
  name: 'gdelt',
  summary: 'GDELT: news of the world, every 15 minutes',
  renown: '^1.0.0',
  needs: ['leads'],
  settings: gdeltSettings,
  provides: [leadsSource.with(gdelt)],
})
