import { definePlugin } from 'renown'
import { leadsSource } from 'renown/leads'
import { feeds } from './feeds'
import { googleAlerts } from './google-alerts'
import { feedSettings } from './settings'

export default definePlugin({
  name: 'feeds',
  summary: 'RSS, Atom and JSON feeds, and those of Google Alerts',
  renown: '^1.0.0',
  needs: ['leads'],
  settings: feedSettings,
  provides: [leadsSource.with(feeds), leadsSource.with(googleAlerts)],
})
