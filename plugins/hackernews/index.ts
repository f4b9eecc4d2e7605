import { definePlugin } from 'renown'
import { leadsSource } from 'renown/leads'
import { hackerNews } from './hackernews'
import { hackerNewsSettings } from './settings'

export default definePlugin({
  name: 'hackernews',
  summary: 'Hacker News: stories and comments that contain a keyword',
  renown: '^1.0.0',
  needs: ['leads'],
  settings: hackerNewsSettings,
  provides: [leadsSource.with(hackerNews)],
})
