import { definePlugin } from 'renown'
import { leadsSource } from 'renown/leads'
import { gitHub } from './github'
import { gitHubSettings } from './settings'

export default definePlugin({
  name: 'github',
  summary: 'GitHub: issues, pull requests, discussions and comments that contain a keyword',
  renown: '^1.0.0',
  needs: ['leads'],
  settings: gitHubSettings,
  provides: [leadsSource.with(gitHub)],
})
