import { afterEach, beforeEach, expect, test } from 'bun:test'
import { definePlugin } from 'renown'
import { tenancy } from '../../../../core/product/tenancy-plugin'
import leads from '../../../../plugins/leads'
import { BrandTracker } from '../../../../plugins/leads/records/BrandTracker'
import { Lead } from '../../../../plugins/leads/records/Lead'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { mentionsSection } from '../../../../plugins/leads/report/mentions-section'
import { publicPolicy } from '../../../../plugins/leads/sources/policy'
import { leadsSource, type MentionSource } from '../../../../plugins/leads/sources/source'
import { collectedBy, figureIn } from '../../../support/checked-section'
import { edgeCases } from '../../../support/edge-cases'
import { type Workbench, workbench } from '../../../support/workbench'

const sourceOf = (name: string, policy: Partial<MentionSource['policy']>) =>
  leadsSource.with({
    name,
    label: name,
    channels: ['forum', 'reddit'],
    reach: 'everything',
    everyMs: 60_000,
    policy: { ...publicPolicy, terms_url: 'https://terms.example/', ...policy },
    needs: () => [],
    read: async () => ({ posts: [], unread: [], cursor: null, isMore: false }),
  })
const sources = definePlugin({
  name: 'test-sources',
  summary: 'Sources of a test',
  renown: '^1.0.0',
  needs: ['leads'],
  provides: [
    sourceOf('open', {}),
    sourceOf('credited', { attribution: 'From Forum Example', may_store_author: false }),
    sourceOf('short', { retention_days: 30 }),
  ],
})

let bench: Workbench
let made = 0
beforeEach(async () => {
  bench = await workbench([tenancy, leads, sources])
  made = 0
})
afterEach(() => bench.stop())

const period = { date_from: '2026-02-01', date_to: '2026-02-28', days: 28 }
const previous = { date_from: '2026-01-01', date_to: '2026-01-31', days: 31 }
const collect = () => collectedBy(mentionsSection, bench.read('wsp_1'), { period, previous })
const stamps = { created_date: '2025-01-01T00:00:00.000Z', updated_date: '2025-01-01T00:00:00.000Z' }
const tracker = (created_date = stamps.created_date) =>
  bench.collection(BrandTracker).insert({
    id: `trk_${created_date}`,
    workspace_id: 'wsp_1',
    location_id: 'loc_1',
    name: 'Acme',
    keywords: ['acme'],
    required_keywords: [],
    excluded_keywords: [],
    sources: [],
    languages: [],
    countries: [],
    is_active: true,
    mentions_total: 0,
    ...stamps,
    created_date,
  })
const mention = (more: Record<string, unknown> = {}) => {
  made++
  return bench.collection(Mention).insert({
    id: `men_${made}`,
    workspace_id: 'wsp_1',
    location_id: 'loc_1',
    tracker_id: 'trk_1',
    source: 'forum',
    source_id: `p${made}`,
    url: `https://forum.example/${made}`,
    language: 'en',
    body: `Text ${made}`,
    excerpt: `Text ${made}`,
    author: { handle: 'kim' },
    found_by: 'open',
    posted_at: '2026-02-10T12:00:00.000Z',
    discovered_at: '2026-02-10T12:00:00.000Z',
    matched_keywords: [],
    is_lead: false,
    status: 'new',
    is_read: false,
    is_archived: false,
    tags: [],
    relevance: 'relevant',
    relevance_score: 80,
    ...stamps,
    ...more,
  })
}
const lead = (id: string, stage: string, created_date: string, more: Record<string, unknown> = {}) =>
  bench.collection(Lead).insert({
    id,
    workspace_id: 'wsp_1',
    location_id: 'loc_1',
    mention_id: 'men_1',
    tracker_id: 'trk_1',
    intent_score: 50,
    stage,
    is_archived: false,
    ...stamps,
    created_date,
    ...more,
  })

test('a location without trackers and mentions has no part about mentions', async () => {
  await mention({ location_id: 'loc_2' })
  expect(await collect()).toBeNull()
})

test('each relevant post is counted once, by source and sentiment', async () => {
  await tracker()
  await mention({ sentiment: 'negative' })
  await mention({ sentiment: 'positive', source: 'reddit' })
  await mention({ sentiment: 'mixed', status: 'replied', replied_at: '2026-02-11T00:00:00.000Z' })
  await mention({ sentiment: 'positive' })
  await mention()
  // None of these count.
  await mention({ sentiment: 'negative', duplicate_of: 'men_1' })
  await mention({ sentiment: 'negative', relevance: 'irrelevant' })
  await mention({ sentiment: 'negative', is_archived: true })
  await mention({ sentiment: 'negative', removed_at_source_at: '2026-02-12T00:00:00.000Z' })
  await mention({ relevance: undefined })
  await mention({ sentiment: 'negative', posted_at: '2026-01-10T12:00:00.000Z' })
  const { data, blocks = [] } = (await collect()) ?? {}
  expect(data?.now).toMatchObject({ mentions: 5, negative: { k: 1, n: 4, rate: 0.25 }, replies: 1 })
  expect(data?.previous).toMatchObject({ mentions: 1, negative: { k: 1, n: 1 } })
  expect(data).toMatchObject({ unjudged: 1, waiting: 1, not_comparable_because: null })
  expect(data?.by_source).toEqual([
    { source: 'Forum', mentions: 4, negative: 1 },
    { source: 'Reddit', mentions: 1, negative: 0 },
  ])
  expect(figureIn(blocks, 'mentions.relevant')).toMatchObject({ value: 5, previous: 1 })
  expect(figureIn(blocks, 'mentions.negative')).toMatchObject({ value: 0.25, n: 4, previous: 1 })
  expect(data && mentionsSection.score?.(data)).toEqual({ value: 75, weight: 1 })
  expect(blocks.find((one) => one.kind === 'did')?.items[0]?.text).toBe('1 mention answered.')
})

test('a post whose date is unknown is in no figure, and the report says so', async () => {
  await tracker()
  await mention({ posted_at: undefined })
  await mention({ posted_at: undefined, discovered_at: '2026-01-10T12:00:00.000Z' })
  const { data, blocks = [] } = (await collect()) ?? {}
  expect(data).toMatchObject({ now: { mentions: 0 }, undated: 1 })
  expect(blocks.flatMap((one) => (one.kind === 'note' ? [one.text] : []))).toContain(
    '1 mention that Renown found in this period has no known date, and no figure counts it.',
  )
})

test('without a known sentiment the share is unknown, and counts no score', async () => {
  await tracker('2026-01-20T00:00:00.000Z')
  const { data, blocks = [] } = (await collect()) ?? {}
  expect(figureIn(blocks, 'mentions.negative')).toMatchObject({ value: null })
  expect(figureIn(blocks, 'mentions.relevant')).toMatchObject({
    value: 0,
    not_comparable_because: 'a tracker was added on 20 Jan 2026',
  })
  expect(data && mentionsSection.score?.(data)).toBeNull()
})

test('new leads are counted by the stage that they have now', async () => {
  await tracker()
  await lead('led_1', 'new', '2026-02-03T00:00:00.000Z')
  await lead('led_2', 'won', '2026-02-04T00:00:00.000Z')
  await lead('led_3', 'won', '2026-01-04T00:00:00.000Z')
  await lead('led_4', 'new', '2026-02-05T00:00:00.000Z', { is_archived: true })
  await lead('led_5', 'new', '2026-02-05T00:00:00.000Z', { location_id: 'loc_2' })
  const { data, blocks = [] } = (await collect()) ?? {}
  expect(data?.stages.filter(({ leads: count }) => count > 0)).toEqual([
    { stage: 'new', leads: 1 },
    { stage: 'won', leads: 1 },
  ])
  expect(figureIn(blocks, 'leads.new')).toMatchObject({ value: 2, previous: 1 })
})

test('only texts that their source allows to keep are quoted, with what it demands', async () => {
  await tracker()
  await mention({ body: 'Negative one', excerpt: '', sentiment: 'negative' })
  await mention({ found_by: 'credited', relevance_score: 90 })
  await mention({ found_by: 'short' })
  await mention({ found_by: 'gone' })
  await mention({ source: 'reddit' })
  await mention({ removal_rule: 'retention_days', body: '', excerpt: '' })
  const { data, blocks = [] } = (await collect()) ?? {}
  expect(data?.quotes).toMatchObject([
    { text: 'Negative one', author: 'kim', source: 'Forum', url: 'https://forum.example/1' },
    { text: 'Text 2', source: 'Forum. From Forum Example' },
  ])
  expect(data?.quotes[1]?.author).toBeUndefined()
  expect([data?.unquoted, data?.now.mentions]).toEqual([3, 6])
  expect(JSON.stringify(blocks)).not.toContain('Text 3')
})

test('texts of strangers stay text, and the part stays small', async () => {
  await tracker()
  for (const text of edgeCases) {
    await mention({ body: text.repeat(20), excerpt: '', author: { handle: text }, language: text, url: text })
  }
  const { data, blocks = [] } = (await collect()) ?? {}
  expect(data?.quotes.length).toBe(4)
  expect(blocks.find((one) => one.kind === 'evidence')?.items.every(({ href }) => href === undefined)).toBe(
    true,
  )
  expect(JSON.stringify(data).length).toBeLessThan(8_000)
})
