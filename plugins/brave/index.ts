import { definePlugin } from 'renown'
import { leadsSource } from 'renown/leads'
import { brave } from './brave'
import { braveSettings } from './settings'

export default definePlugin({
  name: 'brave',
  summary: 'Brave Search: web pages that contain a keyword',
  renown: '^1.0.0',
  needs: ['leads'],
  settings: braveSettings,
  provides: [leadsSource.with(brave)],
})
