import type { DemoFacts } from './demo-world'
import type { PlannedCall } from './question'

/** The rows that an assistant must list to answer a call itself, if each endpoint of rows is a tool and nothing else. */
export interface NaiveRead {
  readonly entity: string
  readonly q: Readonly<Record<string, unknown>>
}

const since = '2026-09-26'

/** Returns what a wrapper with one tool for each endpoint must read for a call. */
export function naiveReads(demo: DemoFacts, { tool, args }: PlannedCall): readonly NaiveRead[] {
  const location = args.location_id ?? args.tracker_id
  const here = {
    ...(typeof location === 'string' ? { location_id: demo.idOf(location) } : {}),
    ...(typeof args.site_id === 'string' ? { site_id: siteIdOf(demo, args.site_id) } : {}),
  }
  const named = 'location_id' in here || 'site_id' in args
  const lookup: NaiveRead[] = named
    ? [{ entity: 'site_id' in args ? 'AiTrafficSite' : 'BusinessLocation', q: {} }]
    : []
  return [...lookup, ...rowsFor(tool, args, here)]
}

function rowsFor(tool: string, args: PlannedCall['args'], here: object): readonly NaiveRead[] {
  const q = (args.q ?? {}) as object
  if (tool === 'aggregateRecords' || tool === 'countRecords' || tool === 'list_records')
    return [{ entity: String(args.entity), q: { ...q, ...periodOf(args) } }]
  if (tool === 'listReviewsNeedingResponse') return [{ entity: 'Review', q: { needs_response: true } }]
  if (tool === 'getReviewAnalytics' || tool === 'getReputationSummary')
    return [{ entity: 'Review', q: { review_created_at: { $gte: `${since}T00:00:00Z` } } }]
  if (tool === 'explainReviewCount') return [{ entity: 'Review', q: { ...here } }]
  if (tool === 'listLeadsWithMentions')
    return [
      { entity: 'Lead', q: { stage: args.stage } },
      { entity: 'Mention', q: { is_lead: true } },
    ]
  if (tool === 'getAiTrafficSummary' || tool === 'getTopCrawledPages' || tool === 'getReferralPages')
    return [{ entity: 'AiTrafficDaily', q: { ...here, date: { $gte: since } } }]
  if (tool === 'getPageJourney')
    return [
      { entity: 'AiTrafficDaily', q: { date: { $gte: '2026-10-24' } } },
      { entity: 'Lead', q: {} },
    ]
  if (tool === 'getActiveSyncs') return [{ entity: 'SyncStatus', q: { status: 'running' } }]
  if (tool === 'compareWorkspaces')
    return [
      { entity: 'Workspace', q: {} },
      { entity: 'Review', q: { review_created_at: { $gte: '2026-08-31T00:00:00Z' } } },
    ]
  if (tool === 'getReportStatus') return [{ entity: 'Report', q: { period_start: args.period_start } }]
  if (tool === 'whoami' || tool === 'getLimits') return [{ entity: 'Workspace', q: {} }]
  return [{ entity: 'VisibilityRun', q: { ...here, started_at: { $gte: `${since}T00:00:00Z` } } }]
}

const siteIdOf = (demo: DemoFacts, text: string) =>
  demo.rows('AiTrafficSite').find(({ domain }) => text.includes(String(domain)))?.id

/** The dates that periods are about. Other record types have the day on which they were created. */
const dates: Readonly<Record<string, string>> = {
  Review: 'review_created_at',
  Mention: 'posted_at',
  AiTrafficDaily: 'date',
}

function periodOf({ entity, date_from, days, period }: PlannedCall['args']) {
  if (entity === 'AiTrafficDaily') return { date: { $gte: date_from } }
  const date_field = dates[String(entity)] ?? 'created_date'
  const from = typeof date_from === 'string' ? date_from : days === 90 ? '2026-08-23' : since
  return period === undefined && date_from === undefined && days === undefined
    ? {}
    : { [date_field]: { $gte: `${from}T00:00:00Z` } }
}
