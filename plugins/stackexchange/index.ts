import { definePlugin } from 'renown'
import { leadsSource } from 'renown/leads'
import { stackExchangeSettings } from './settings'
import { stackExchange } from './stackexchange'

export default definePlugin({
  name: 'stackexchange',
  summary: 'Stack Exchange: questions and answers that contain a keyword',
  renown: '^1.0.0',
  needs: ['leads'],
  settings: stackExchangeSettings,
  provides: [leadsSource.with(stackExchange)],
})
