import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { PluginDeclaration } from '../../core/contracts/plugin'
import type { SitesFeed } from '../../core/contracts/traffic'
import { where } from '../../core/contracts/where'
import { EventEntry } from '../../core/events/EventEntry'
import { moveState } from '../../core/kit/states'
import { withCore } from '../../core/product/core-plugins'
import { BusinessLocation, Workspace } from '../../core/product/tenancy-plugin'
import { confined } from '../../core/registry/plugin-context'
import { Agency } from '../../core/tenancy/Agency'
import { WhiteLabelDomain } from '../../core/tenancy/domains/WhiteLabelDomain'
import { Notification } from '../../core/tenancy/news/Notification'
import { Proposal } from '../../core/tenancy/proposals/Proposal'
import { User } from '../../core/tenancy/User'
import { builtin } from '../../plugins'
import { BrandTracker } from '../../plugins/leads/records/BrandTracker'
import { Mention } from '../../plugins/leads/records/Mention'
import { MentionReply } from '../../plugins/leads/records/MentionReply'
import { SourceTarget } from '../../plugins/leads/records/SourceTarget'
import { Post } from '../../plugins/posts/records/Post'
import { PostPlan } from '../../plugins/posts/records/PostPlan'
import { postStatus } from '../../plugins/posts/records/postStatus'
import { moveReport } from '../../plugins/reports/records/moveReport'
import { Report } from '../../plugins/reports/records/Report'
import { ReportMail } from '../../plugins/reports/records/ReportMail'
import { ScheduledReport } from '../../plugins/reports/records/ScheduledReport'
import { Review } from '../../plugins/reviews/records/Review'
import { ReviewListing } from '../../plugins/reviews/records/ReviewListing'
import { AiTrafficSite } from '../../plugins/traffic/records/AiTrafficSite'
import { sitesFeed } from '../../plugins/traffic/sites/sitesFeed'
import { VisibilitySlot } from '../../plugins/visibility/records/VisibilitySlot'
import { VisibilityTracker } from '../../plugins/visibility/records/VisibilityTracker'
import { Webhook, webhookState } from '../../plugins/webhooks/records/Webhook'
import { putRow } from '../support/any-state'
import { part } from '../support/part'
import { sampleRow } from '../support/sample-row'
import { shippedRegistry } from '../support/shipped'
import { type Workbench, workbench } from '../support/workbench'

const tasks = shippedRegistry().jobs
const skipping = [...tasks].flatMap(([name, task]) => (task.includesInactive === true ? [] : [name]))
/** It checks host names of agencies, which belong to no workspace. */
const ofAgencies = ['domainCheck']
/**
 * They read columns, which this workbench does not have: test/plugins/traffic/alerts, test/plugins/traffic/access and
 * test/plugins/visibility/sums/sealed.test.ts.
 */
const ofColumns = ['reportSpoofed', 'reportChanges', 'checkSites', 'sealAnswers']
/** It asks the mirror of the installation, for nobody's rows: test/plugins/traffic/registry/renewRegistry.test.ts. */
const ofInstallation = ['renewRegistry']
/** It asks services for their models: test/plugins/visibility/alerts/reportModelEnds.test.ts. */
const ofServices = ['reportModelEnds']

let bench: Workbench
let calls: number
beforeEach(async () => {
  calls = 0
  const outside = async () => {
    calls++
    return []
  }
  bench = await workbench(
    withCore(builtin),
    {
      dns: { addresses: outside, txt: outside },
      model: { isConfigured: true, generator: 'a model', ask: outside },
    },
    { settings: { PLACES_API_KEY: 'key' } },
  )
  await fill()
})
afterEach(() => bench.stop())

/** One agency and workspace with something to do for every periodic task. */
async function fill() {
  const { owner } = bench
  const base = { workspace_id: 'wsp_1', auto_response_enabled: false }
  await owner.rows(Agency).insert({
    id: 'agc_1',
    workspace_id: 'agc_1',
    name: 'Acme',
    is_platform: false,
    is_active: true,
  })
  await owner.rows(Workspace).insert({
    id: 'wsp_1',
    workspace_id: 'wsp_1',
    name: 'Acme',
    agency_id: 'agc_1',
    is_home: true,
    timezone: 'UTC',
    locale: 'en',
    plan: 'self_hosted',
    is_active: true,
    locations_count: 2,
    active_locations_count: 2,
  })
  const place = {
    is_active: true,
    is_prospect: false,
    added_via: 'places',
    website: 'https://example.com/',
  } as const
  await owner.rows(BusinessLocation).insert({
    id: 'loc_1',
    ...base,
    business_name: 'Known',
    google_place_id: 'place_1',
    ...place,
    trial_state: 'trialing',
    trial_started_at: ago(20),
    trial_end: ago(1),
  })
  await owner
    .rows(BusinessLocation)
    .insert({ id: 'loc_2', ...base, business_name: 'New', ...place, google_place_id: 'place_2' })
  await owner
    .rows(BusinessLocation)
    .insert({ id: 'loc_3', ...base, business_name: 'Pitched', is_active: false, is_prospect: true })
  await owner.rows(ReviewListing).insert({ workspace_id: 'wsp_1', location_id: 'loc_1', due_at: ago(1) })
  await owner.rows(ScheduledReport).insert({
    workspace_id: 'wsp_1',
    business_location_id: 'loc_1',
    template: 'monthly_reputation_report',
    cadence: 'weekly',
    day: 1,
    timezone: 'UTC',
    recipients_count: 0,
    is_active: true,
    next_run_at: ago(1),
  })
  await owner.rows(Report).insert({
    workspace_id: 'wsp_1',
    business_location_id: 'loc_1',
    template: 'ai_traffic_report',
    status: 'queued',
    period_start: '2026-01-01',
    period_end: '2026-01-31',
    is_open: true,
  })
  const made = await owner.rows(Report).insert({
    workspace_id: 'wsp_1',
    business_location_id: 'loc_1',
    template: 'visibility_report',
    status: 'queued',
    period_start: '2026-01-01',
    period_end: '2026-01-31',
    pdf_state: 'outdated',
  })
  const rendering = await moveReport(owner, made, 'rendering', { render_token: 'none' })
  await owner.rows(ReportMail).insert({
    workspace_id: 'wsp_1',
    kind: 'report',
    once: 'r',
    recipient_id: 'rpr_1',
    email: 'a@b.example',
    by_person: false,
    state: 'queued',
    attempts: 0,
    due_at: ago(1),
    has_content: false,
  })
  if (rendering)
    await moveReport(owner, rendering, 'completed', { pdf_url: '/uploads/reports/wsp_1/none.pdf' })
  for (let n = 0; n < 6; n++)
    await owner.rows(Review).insert({
      ...sampleRow(Review, `r${n}`),
      workspace_id: 'wsp_1',
      location_id: 'loc_1',
      source: 'google',
      source_id: `r${n}`,
      star_rating: 5,
      review_text: 'Fine',
      review_created_at: ago(3),
      auto_response_status: undefined,
    })
  await owner.rows(PostPlan).insert({ workspace_id: 'wsp_1', post_id: 'pst_due', due_at: ago(1) })
  // It has no plan, and its time is not that of its time zone.
  await owner.rows(Post).insert(
    part({
      ...sampleRow(Post, 'p1'),
      workspace_id: 'wsp_1',
      business_location_id: 'loc_1',
      status: 'draft',
      revision: 1,
    }),
  )
  const planned = { scheduled_at: ago(-30), wall_time: '2026-12-01T09:00', timezone: 'Europe/Berlin' }
  const [draft] = await owner.rows(Post).list({ limit: 1 })
  const scheduled = moveState(postStatus, 'draft', 'scheduled', { now: bench.now, with: planned })
  await owner.rows(Post).update(draft?.id ?? '', scheduled)
  await owner.rows(VisibilityTracker).insert({
    workspace_id: 'wsp_1',
    location_id: 'loc_1',
    name: 'Acme',
    brand_name: 'Acme',
    brand_aliases: [],
    competitors: [],
    engines: ['chatgpt'],
    provider: 'direct',
    is_active: true,
    run_frequency_hours: 24,
    due_at: ago(1),
  })
  await owner.rows(VisibilitySlot).insert({
    workspace_id: 'wsp_1',
    tracker_id: 'vtr_1',
    location_id: 'loc_1',
    prompt_id: 'vpr_1',
    engine: 'chatgpt',
    country: 'GB',
    local_day: ago(9).slice(0, 10),
    claimed_at: ago(9),
    settled_at: ago(9),
  })
  await owner.rows(BrandTracker).insert({
    workspace_id: 'wsp_1',
    location_id: 'loc_1',
    name: 'Acme',
    keywords: ['acme'],
    is_active: true,
    required_keywords: [],
    excluded_keywords: [],
    sources: [],
    languages: [],
    countries: [],
    mentions_total: 0,
  })
  await owner.rows(Mention).insert(
    part({
      ...sampleRow(Mention, 'open'),
      workspace_id: 'wsp_1',
      location_id: 'loc_1',
      status: 'new',
      is_judged: false,
    }),
  )
  await owner.rows(MentionReply).insert({
    workspace_id: 'wsp_1',
    location_id: 'loc_1',
    mention_id: 'men_1',
    source: 'reddit',
    source_id: 't3_1',
    text: 'Hello',
    basis: 'b',
    account_id: 'a',
    says_who: true,
    state: 'queued',
    revision: 1,
    requested_by: 'command line',
    requested_at: ago(1),
    due_at: ago(1),
  })
  await owner.rows(Notification).insert({
    workspace_id: 'wsp_1',
    type: 'sync',
    severity: 'warning',
    title: 'News',
    body: 'News',
    is_read: false,
  })
  await owner.rows(EventEntry).insert({
    workspace_id: 'wsp_1',
    seq: 1,
    type: 'location.ready',
    key: 'location.ready one',
    data: {},
  })
  await owner.rows(Proposal).insert(
    part({
      ...sampleRow(Proposal, 'prp_1'),
      workspace_id: 'wsp_1',
      state: 'open',
      expires_at: ago(1),
      expire_at: ago(-30),
    }),
  )
  const hook = await owner.rows(Webhook).insert({
    workspace_id: 'wsp_1',
    url: 'https://hooks.example.com/',
    types: [],
    state: 'unverified',
    secret: 'sealed',
    cursor: 0,
  })
  const verified = moveState(webhookState, 'unverified', 'active', { now: bench.now })
  await owner.rows(Webhook).update(hook.id, verified)
  await owner.rows(User).insert({
    workspace_id: 'agc_1',
    agency_id: 'agc_1',
    role: 'owner',
    email: 'ada@example.com',
    is_active: true,
  })
  await owner.rows(WhiteLabelDomain).insert({
    workspace_id: 'agc_1',
    agency_id: 'agc_1',
    domain: 'app.example.com',
    state: 'pending',
    token: 'token',
  })
}
const ago = (days: number) => new Date(bench.now.getTime() - days * 86_400_000).toISOString()

const off = {
  workspace: (is_active: boolean) => bench.owner.rows(Workspace).update('wsp_1', { is_active }),
  agency: (is_active: boolean) => bench.owner.rows(Agency).update('agc_1', { is_active }),
}

/** Rows that one task needs, and that another would remove. */
const rowsOf: Readonly<Record<string, () => Promise<unknown>>> = {
  readBack: () =>
    putRow(bench.owner, SourceTarget, {
      workspace_id: 'shared',
      created_date: ago(2),
      source: 'hackernews',
      target: 'acme',
      due_at: ago(0),
      posts_seen: 0,
      unread_seen: 0,
      failures: 0,
    }),
}

/** Every row of every record type. */
async function everyRow() {
  const stored = [...bench.registry.entities.values()].filter(({ store }) => store === 'documents')
  const rows = await Promise.all(
    stored.map(async (entity) => [
      entity.name,
      (await bench.collection(entity).find({ where: { op: 'and', of: [] }, limit: 1_000 })).sort((a, b) =>
        a.id < b.id ? -1 : 1,
      ),
    ]),
  )
  return structuredClone(rows)
}
const run = (name: string) => bench.registry.jobs.get(name)?.run(bench.owner, new AbortController().signal)

describe('a periodic task', () => {
  test('sees inactive workspaces only where rows must be removed, repaired or kept', () => {
    expect([...tasks.keys()].filter((name) => !skipping.includes(name)).sort()).toEqual([
      'applyPolicies',
      'auditSweep',
      'eventSweep',
      'forgetNewAgents',
      'locationCounts',
      'personWork',
      'sealDays',
      'sumsSweep',
    ])
  })
  for (const name of skipping.filter(
    (one) => ![...ofColumns, ...ofServices, ...ofInstallation].includes(one),
  ))
    for (const [what, set] of Object.entries(off)) {
      if (what === 'workspace' && ofAgencies.includes(name)) continue
      test(`${name} does nothing for an inactive ${what}, and goes on when it is active again`, async () => {
        await rowsOf[name]?.()
        await set(false)
        const before = await everyRow()
        await run(name)
        expect(await everyRow()).toEqual(before)
        expect(calls).toBe(0)
        await set(true)
        const again = JSON.stringify(await everyRow())
        await run(name)
        expect(calls > 0 || JSON.stringify(await everyRow()) !== again).toBe(true)
      })
    }
})

test('a periodic task that writes by a condition leaves out inactive rows, on its own and other record types', async () => {
  await off.workspace(false)
  const { jobs } = confined<PluginDeclaration>({
    name: 'reviews',
    renown: '^1.0.0',
    jobs: {
      sweep: {
        summary: 'for the test',
        everyMs: 1,
        run: async (ctx) => {
          const all = where.eq('workspace_id', 'wsp_1')
          await ctx.rows(Review).updateWhere(all, { review_text: 'changed' })
          await ctx.rows(Review).updateMany(all, { review_text: 'changed' })
          await ctx.rows(Review).removeWhere(all)
          await ctx.rows(Workspace).updateMany(where.eq('id', 'wsp_1'), { name: 'changed' })
          const counts = { as: 'n', fn: 'count' } as const
          expect(await ctx.rows(Review).count(all)).toBe(0)
          expect(await ctx.rows(Review).group({ by: ['source'], measures: [counts] })).toEqual([])
        },
      },
    },
  })
  const before = await everyRow()
  await jobs?.sweep?.run(bench.owner, new AbortController().signal)
  expect(await everyRow()).toEqual(before)
})

test('the sites of an inactive workspace or agency take no more hits, and do again when it is active', async () => {
  const token = { forwarder_token_hash: 'f'.repeat(64), forwarder_token_last4: 'ffff' }
  await bench.owner.rows(AiTrafficSite).insert(
    part({
      ...sampleRow(AiTrafficSite, 'site'),
      workspace_id: 'wsp_1',
      location_id: 'loc_1',
      domain: 'example.com',
      timezone: 'UTC',
      is_active: true,
      ...token,
    }),
  )
  const active = async () => {
    const { sites } = (await sitesFeed.run(bench.owner, undefined, 'own')) as SitesFeed
    return sites.map(({ is_active }) => is_active)
  }
  expect(await active()).toEqual([true])
  for (const set of Object.values(off)) {
    await set(false)
    expect(await active()).toEqual([false])
    await set(true)
    expect(await active()).toEqual([true])
  }
})
