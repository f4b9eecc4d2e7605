import { definePlugin, hitsTable, touchedTable } from 'renown'
import { AiTrafficDaily } from './AiTrafficDaily'
import { AiTrafficSite } from './AiTrafficSite'
import { BatchClaim } from './BatchClaim'
import { claimsFeed } from './claimsFeed'
import { BusinessLocation, createSite, listSites, rotateSiteToken } from './commands'
import { dailyTable } from './dailyTable'
import { trafficDemo } from './demo'
import { explainAiTraffic } from './explainAiTraffic'
import { getAiTrafficSummary } from './getAiTrafficSummary'
import { getTopCrawledPages } from './getTopCrawledPages'
import { installPage } from './installPage'
import { renameSite } from './renameSite'
import { sealDays } from './sealDays'
import { sitesFeed } from './sitesFeed'
import { sitesPage } from './sitesPage'
import { trafficPage } from './traffic-page'

/** AI crawlers and AI referrals of websites, counted by the ingest and rolled up by the day. */
export default definePlugin({
  name: 'traffic',
  summary: 'AI crawler hits and visits from AI assistants, per site and day',
  renown: '^1.0.0',
  prompts: [explainAiTraffic],
  needs: ['tenancy'],
  entities: [AiTrafficSite, AiTrafficDaily, BatchClaim],
  reads: [BusinessLocation],
  operations: [getAiTrafficSummary, getTopCrawledPages],
  commands: [createSite, listSites, rotateSiteToken, renameSite],
  jobs: { sealDays },
  feeds: { sites: sitesFeed, claims: claimsFeed },
  tables: [hitsTable, touchedTable, dailyTable],
  demo: trafficDemo,
  pages: [trafficPage, installPage, sitesPage],
})
