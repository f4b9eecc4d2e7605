import { definePlugin } from 'renown'
import { locationCard } from 'renown/locations'
import {
  agentApp,
  clientFigures,
  homeCard,
  inboxEntry,
  setupStep,
  workspaceFigures,
  workspaceProblems,
} from 'renown/pages'
import { reportSection } from 'renown/reports'
import { selfCheck } from 'renown/sources'
import { hitsTable, touchedTable } from 'renown/traffic'
import { journeyStage } from 'renown/visibility'
import { checkSites } from './access/checkSites'
import { crawlerChart } from './agent-app/app'
import { reportChanges } from './alerts/reportChanges'
import { reportSpoofed } from './alerts/reportSpoofed'
import { changesSource } from './cards/changes'
import { trafficClients } from './cards/clients'
import { homeCards } from './cards/home'
import { spoofedSource } from './cards/inbox'
import { crawlsStage, visitsStage } from './cards/journey'
import { sitesCard } from './cards/location'
import { newAgentsSource } from './cards/new-agents'
import { trafficProblems } from './cards/problems'
import { trafficDemo } from './demo/demo'
import { installPage } from './install/installPage'
import { mappingPage } from './install/mappingPage'
import { sitePage } from './install/sitePage'
import { sitesPage } from './install/sitesPage'
import { getAiTrafficSummary } from './operations/getAiTrafficSummary'
import { getReferralPages } from './operations/getReferralPages'
import { getTopCrawledPages } from './operations/getTopCrawledPages'
import { listNewAgents } from './operations/listNewAgents'
import { accessPage } from './pages/access-page'
import { crawlerPage } from './pages/crawler-page'
import { newAgentsPage } from './pages/newAgentsPage'
import { trafficPage } from './pages/traffic-page'
import { AiTrafficDaily } from './records/AiTrafficDaily'
import { AiTrafficSite } from './records/AiTrafficSite'
import { BatchClaim } from './records/BatchClaim'
import { dailyTable } from './records/dailyTable'
import { crawlerSpoofed } from './records/events'
import { MirrorRegistry } from './records/MirrorRegistry'
import { NewAgent } from './records/NewAgent'
import { RobotsCopy } from './records/RobotsCopy'
import { SiteAccess } from './records/SiteAccess'
import { sweepTable } from './records/sweepTable'
import { TrafficChange } from './records/TrafficChange'
import { registryCheck } from './registry/check'
import { registryCommands } from './registry/commands'
import { forgetNewAgents, newAgentsFeed } from './registry/newAgentsFeed'
import { renewRegistry } from './registry/renewRegistry'
import { trafficSection } from './report/traffic-section'
import { sealDays } from './sealing/sealDays'
import { trafficSettings } from './settings'
import { claimsFeed } from './sites/claimsFeed'
import { siteCommands } from './sites/commands'
import { BusinessLocation } from './sites/on-site'
import { trafficSetup } from './sites/setup'
import { sitesFeed } from './sites/sitesFeed'
import { trafficFigures } from './sums/workspaceFigures'

/** AI crawlers and AI referrals of websites, counted by the ingest and summed by day. */
export default definePlugin({
  name: 'traffic',
  summary: 'AI crawler hits and visits from AI assistants, per site and day',
  renown: '^1.0.0',
  needs: ['tenancy'],
  events: [crawlerSpoofed],
  entities: [
    AiTrafficSite,
    AiTrafficDaily,
    BatchClaim,
    MirrorRegistry,
    NewAgent,
    RobotsCopy,
    SiteAccess,
    TrafficChange,
  ],
  reads: [BusinessLocation],
  operations: [getAiTrafficSummary, getTopCrawledPages, getReferralPages, listNewAgents],
  commands: [...siteCommands, ...registryCommands],
  jobs: { sealDays, reportSpoofed, renewRegistry, forgetNewAgents, checkSites, reportChanges },
  settings: trafficSettings,
  feeds: { sites: sitesFeed, claims: claimsFeed, 'new-agents': newAgentsFeed },
  tables: [hitsTable, touchedTable, dailyTable, sweepTable],
  demo: trafficDemo,
  provides: [
    clientFigures.with(trafficClients),
    workspaceFigures.with(trafficFigures),
    workspaceProblems.with(trafficProblems),
    ...homeCards.map((card) => homeCard.with(card)),
    inboxEntry.with(spoofedSource),
    inboxEntry.with(changesSource),
    inboxEntry.with(newAgentsSource),
    locationCard.with(sitesCard),
    journeyStage.with(crawlsStage),
    journeyStage.with(visitsStage),
    setupStep.with(trafficSetup),
    selfCheck.with(registryCheck),
    reportSection.with(trafficSection),
    agentApp.with(crawlerChart),
  ],
  pages: [trafficPage, newAgentsPage, installPage, sitesPage, sitePage, mappingPage, crawlerPage, accessPage],
})
