import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createDemo } from '../../../core/demo/create'
import { withCore } from '../../../core/product/core-plugins'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { Workspace } from '../../../core/tenancy/Workspace'
import { builtin } from '../../../plugins'
import { BrandTracker } from '../../../plugins/leads/records/BrandTracker'
import { Lead } from '../../../plugins/leads/records/Lead'
import { Mention } from '../../../plugins/leads/records/Mention'
import { Post } from '../../../plugins/posts/records/Post'
import { collectData } from '../../../plugins/reports/data/collect'
import { Review } from '../../../plugins/reviews/records/Review'
import { ReviewObservation } from '../../../plugins/reviews/records/ReviewObservation'
import { AiTrafficDaily } from '../../../plugins/traffic/records/AiTrafficDaily'
import { AiTrafficSite } from '../../../plugins/traffic/records/AiTrafficSite'
import { VisibilityPrompt } from '../../../plugins/visibility/records/VisibilityPrompt'
import { VisibilityRun } from '../../../plugins/visibility/records/VisibilityRun'
import { VisibilityTracker } from '../../../plugins/visibility/records/VisibilityTracker'
import { freshColumns } from '../../support/chdb'
import { type Gate, startGate } from '../../support/harness'
import { part } from '../../support/part'
import { mentionsOf } from './recomputed/leads'
import { type Days, differences, type Row } from './recomputed/plain'
import { postsOf } from './recomputed/posts'
import { responsesOf, reviewsOf } from './recomputed/reviews'
import { trafficOf } from './recomputed/traffic'
import { competitorsOf, visibilityOf } from './recomputed/visibility'

/**
 * Every figure of every report of the demo, computed once more from its rows by code that shares nothing with the product. Other
 * numbers than those of the report are faults of one or the other.
 */
const today = '2026-11-20'
const isLong = process.env.RENOWN_LONG === '1'

/** Periods with the one before them. */
const periods: readonly (readonly [now: Days, before: Days])[] = [
  [
    { from: '2026-10-01', to: '2026-10-31' },
    { from: '2026-09-01', to: '2026-09-30' },
  ],
  ...(isLong
    ? ([
        [
          { from: '2026-07-01', to: '2026-09-30' },
          { from: '2026-04-01', to: '2026-06-30' },
        ],
        [
          { from: '2026-10-24', to: '2026-11-20' },
          { from: '2026-09-26', to: '2026-10-23' },
        ],
        [
          { from: '2026-11-05', to: '2026-11-11' },
          { from: '2026-10-29', to: '2026-11-04' },
        ],
        [
          { from: '2025-11-21', to: '2026-11-20' },
          { from: '2024-11-21', to: '2025-11-20' },
        ],
      ] as const)
    : []),
]
const templates = [
  'monthly_reputation_report',
  'competitor_comparison',
  'visibility_report',
  'ai_traffic_report',
]

let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>
/** Rows by workspace and name of the entity. */
const rows = new Map<string, readonly Row[]>()
let locations: readonly Row[] = []
/** The last entry of each log of reviews, by location. */
const heads = new Map<string, Row[]>()
const zones = new Map<string, string>()

const documents = [
  Review,
  Mention,
  Lead,
  BrandTracker,
  Post,
  VisibilityPrompt,
  VisibilityRun,
  VisibilityTracker,
]

beforeAll(async () => {
  columns = await freshColumns()
  const plugins = withCore(builtin)
  gate = await startGate({ plugins, columns })
  gate.clock.stop()
  gate.clock.advance(Date.parse(`${today}T12:00:00.000Z`) - gate.clock.now().getTime())
  await createDemo(gate.owner, plugins, { seed: 'renown', today, edgeCases: [] })
  const demo = (await gate.owner.rows(Workspace).list({ limit: 100 })).filter((row) => row.is_demo)
  for (const { id, timezone } of demo) {
    zones.set(id, timezone)
    const reads = await gate.owner.workspaceReads(id)
    if (!reads) throw new Error('The demo has no such workspace.')
    for (const entity of [...documents, AiTrafficSite, AiTrafficDaily])
      rows.set(`${id} ${entity.name}`, await Array.fromAsync(reads.rows(entity as typeof Review).each({})))
  }
  for await (const { location_id, source, seq, hash } of gate.owner.rows(ReviewObservation).each({})) {
    const others = (heads.get(location_id) ?? []).filter((one) => one.log !== source)
    const known = heads.get(location_id)?.find((one) => one.log === source)
    const newest = known && known.entry > seq ? known : { log: source, entry: seq, hash }
    heads.set(location_id, [...others, newest])
  }
  const all = await gate.owner.rows(BusinessLocation).list({ limit: 1_000 })
  locations = all.filter((row) => zones.has(row.workspace_id) && !row.is_prospect)
}, 120_000)
afterAll(async () => {
  await gate?.stop()
  await columns?.close()
})

const labels: Readonly<Record<string, string>> = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  gemini: 'Gemini',
  perplexity: 'Perplexity',
  grok: 'Grok',
  mistral: 'Mistral',
  google_ai_overview: 'Google AI Overviews',
  google_ai_mode: 'Google AI Mode',
  google: 'Google',
  facebook: 'Facebook',
  gbp: 'Google',
  wordpress: 'WordPress',
  mastodon: 'Mastodon',
  webhook: 'Webhook',
}
const labelOf = (name: string) => labels[name] ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`

const operators: Readonly<Record<string, string>> = {
  'chatgpt.com': 'OpenAI',
  'perplexity.ai': 'Perplexity',
  'claude.ai': 'Anthropic',
  'gemini.google.com': 'Google',
  'copilot.microsoft.com': 'Microsoft',
}

/** The ends of the logs of a location, which the owner keeps with the report. */
const headsOf = ({ id }: Row): Row[] =>
  (heads.get(id) ?? [])
    .map(({ log, entry, hash }) => ({ source: labelOf(log), entry, hash }))
    .sort((a, b) => (a.source < b.source ? -1 : 1))

/** The figures of a location, from its rows. */
function recomputed(location: Row, now: Days, before: Days): Row {
  const of = (entity: { readonly name: string }) => rows.get(`${location.workspace_id} ${entity.name}`) ?? []
  const asked = { location, now, before, timezone: zones.get(location.workspace_id) ?? 'UTC' }
  const asking = {
    ...asked,
    labelOf,
    runs: of(VisibilityRun),
    prompts: of(VisibilityPrompt),
    trackers: of(VisibilityTracker),
  }
  const visibility = visibilityOf(asking)
  const reviewed = { ...asked, labelOf, rows: of(Review) }
  return {
    reviews: { ...reviewsOf(reviewed), log_heads: headsOf(location) },
    responses: responsesOf(reviewed),
    mentions: mentionsOf({
      ...asked,
      mentions: of(Mention),
      leads: of(Lead),
      trackers: of(BrandTracker),
    }),
    posts: postsOf({ ...asked, labelOf, posts: of(Post) }),
    traffic: trafficOf({
      ...asked,
      sites: of(AiTrafficSite),
      days: of(AiTrafficDaily),
      at: `${today}T12:00:00.000Z`,
      operatorOf: (host) => operators[host] ?? null,
    }),
    visibility,
    competitors: competitorsOf(asking, visibility),
  }
}

/** The score of a report, from the sections that it has. */
function scoreOf(parts: Row): number | null {
  const known = [
    [parts.reviews?.totals.average_rating, (value: number) => ((value - 1) / 4) * 100, 3],
    [parts.responses?.rate.rate, (value: number) => value * 100, 1],
    [parts.mentions?.now.negative.rate, (value: number) => (1 - value) * 100, 1],
  ].flatMap(([value, points, weight]) =>
    typeof value === 'number'
      ? [[(points as (value: number) => number)(value), weight as number] as const]
      : [],
  )
  const weights = known.reduce((sum, [, weight]) => sum + weight, 0)
  return weights === 0
    ? null
    : Math.round(known.reduce((sum, [value, weight]) => sum + value * weight, 0) / weights)
}

/** Parts of the report that are no figures: texts that it takes over, and its frame. */
const frame = [
  'workspace',
  'agency',
  'period',
  'previousPeriod',
  'business_location',
  'insights',
  'collected_at',
]

/** Brings the lists of a report into the form of the recomputed ones: posts are compared by id, quotes not at all. */
function shownOf(data: Row): Row {
  const { mentions, posts, reviews, traffic, ...rest } = data
  const { floors: ___, ...counts } = traffic ?? {}
  const { quotes: _, unquoted: __, ...counted } = mentions ?? {}
  const ids = (lines: readonly Row[]) => lines.map(({ id }) => id)
  return {
    ...rest,
    ...(reviews && {
      reviews: {
        ...reviews,
        by_source: [...reviews.by_source].sort((a: Row, b: Row) => (a.source < b.source ? -1 : 1)),
        log_heads: [...reviews.log_heads].sort((a: Row, b: Row) => (a.source < b.source ? -1 : 1)),
      },
    }),
    ...(mentions && { mentions: counted }),
    ...(traffic && { traffic: counts }),
    ...(posts && { posts: { ...posts, latest: ids(posts.latest), failures: ids(posts.failures) } }),
  }
}

test.each(periods.map((one): [string, Days, Days] => [`${one[0].from} to ${one[0].to}`, ...one]))(
  'every figure of every report of %s is that of the rows',
  async (_, now, before) => {
    expect(locations.length).toBeGreaterThanOrEqual(11)
    const faults: string[] = []
    let reports = 0
    let figures = 0
    for (const [place, location] of locations.entries()) {
      const all = recomputed(location, now, before)
      // The first kind has all sections but the competitors.
      for (const template of isLong || place % 3 === 0 ? templates : templates.slice(0, 1)) {
        const data = await collectData(
          gate.owner,
          part({
            id: 'rpt_1',
            workspace_id: location.workspace_id,
            business_location_id: location.id,
            template,
            period_start: now.from,
            period_end: now.to,
          }),
          AbortSignal.timeout(60_000),
        )
        if (typeof data === 'string') throw new Error(data)
        reports++
        const told = shownOf(data as Row)
        const names = Object.keys(told).filter((name) => !frame.includes(name))
        const wanted = Object.fromEntries(names.map((name) => [name, all[name]]))
        const parts = Object.fromEntries(names.map((name) => [name, told[name]]))
        wanted.reputationScore = scoreOf(
          Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))),
        )
        figures += JSON.stringify(parts).match(/[:,[]-?\d/g)?.length ?? 0
        for (const fault of differences(parts, wanted))
          faults.push(`${location.business_name}, ${template}: ${fault}`)
      }
    }
    expect([...new Set(faults)].slice(0, 40)).toEqual([])
    expect(reports).toBeGreaterThanOrEqual((isLong ? templates.length : 1) * locations.length)
    expect(figures).toBeGreaterThan(5_000)
  },
  300_000,
)
