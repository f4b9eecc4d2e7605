import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { where } from '../../../../core/contracts/where'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { BrandTracker } from '../../../../plugins/leads/records/BrandTracker'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { moveAudit } from '../../../../plugins/prospects/records/auditStatus'
import { ProspectAudit } from '../../../../plugins/prospects/records/ProspectAudit'
import type { Section } from '../../../../plugins/prospects/records/section'
import { Review } from '../../../../plugins/reviews/records/Review'
import { VisibilityRun } from '../../../../plugins/visibility/records/VisibilityRun'
import { type ProspectBench, prospectBench } from '../support/bench'

const day = 86_400_000
let world: ProspectBench
const start = async (settings: Record<string, string> = {}) => {
  await world?.stop()
  world = await prospectBench(settings)
}
beforeEach(() => start())
afterEach(async () => {
  await world.stop()
})

type Findings = Record<'reviews' | 'profile' | 'visibility' | 'traffic' | 'mentions', Section>

/** Audits a location from its beginning to its end. */
async function audited(location_id: string, attempt = 3) {
  await world.look()
  const { id } = await world.audit(location_id)
  await world.run(id, attempt)
  const audit = await world.audit(location_id)
  return { ...audit, findings: audit.findings as unknown as Findings }
}
const reasons = (part: Section) => part.unknown.map(({ reason }) => reason)
const daysAgo = (days: number) => new Date(world.bench.now.getTime() - days * day).toISOString()
const openSite = () =>
  world.websites.page('https://service.example/', '<script type="application/ld+json">{"@type":"A"}</script>')

const listed = {
  rating: 4.2,
  userRatingCount: 80,
  formattedAddress: '1 High St, Leeds',
  websiteUri: 'https://service.example/',
  internationalPhoneNumber: '+44 113 496 0000',
  primaryTypeDisplayName: { text: 'Florist' },
  businessStatus: 'OPERATIONAL',
  photos: [{ name: 'places/ChIJpitch/photos/1' }],
}

describe('A prospect of which nothing is known', () => {
  test('gets an audit that says so part by part, with what would be needed, and no score', async () => {
    const { id } = await world.prospect({ website: undefined, business_name: 'Nobody' } as object)
    const { status, score, findings, completed_at, error } = await audited(id)
    expect([status, score, error, completed_at]).toEqual([
      'completed',
      undefined,
      undefined,
      world.bench.now.toISOString(),
    ])
    for (const part of Object.values(findings)) {
      expect(part).toMatchObject({ status: 'unknown', looked_at: world.bench.now.toISOString() })
      expect(part.method.length).toBeGreaterThan(20)
      expect(part).not.toHaveProperty('score')
    }
    expect(reasons(findings.profile)).toEqual(['No Google place is known for it (google_place_id).'])
    expect(reasons(findings.visibility)[0]).toContain('Create a visibility tracker')
    expect(reasons(findings.mentions)[0]).toContain('Create a brand tracker')
  })
})

describe("A prospect's listing", () => {
  test('is judged field by field where the Places API shows it, in one call', async () => {
    world.places.place = listed
    openSite()
    const { id } = await world.prospect({ google_place_id: 'ChIJpitch' })
    const { findings, score } = await audited(id)
    expect(findings.profile).toMatchObject({
      status: 'known',
      missing: ['opening_hours', 'description'],
      score: 71,
      business_status: 'OPERATIONAL',
    })
    expect(findings.reviews).toMatchObject({ rating: 4.2, total: 80, figures_from: 'places', score: 81 })
    expect(world.places.asked).toHaveLength(1)
    // (30 · 81 + 25 · 100 + 20 · 71) / 75
    expect(score).toBe(85)
  })
  test('without an address is whole where the business has none', async () => {
    world.places.place = { ...listed, formattedAddress: undefined }
    const { id } = await world.prospect({ google_place_id: 'ChIJpitch', is_online_only: true })
    expect((await audited(id)).findings.profile.missing).toEqual(['opening_hours', 'description'])
  })
  test.each([
    { photos: 'none' },
    { regularOpeningHours: 'always' },
    { editorialSummary: 7 },
    { websiteUri: 7 },
    { userRatingCount: '80' },
    { id: '' },
  ])('in a strange form, %j, is not known rather than empty', async (strange) => {
    world.places.place = { ...listed, ...strange }
    const { id } = await world.prospect({ google_place_id: 'ChIJpitch' })
    await expect(audited(id, 1)).rejects.toMatchObject({ kind: 'transient' })
    const { profile, reviews } = (await audited(id)).findings
    expect(profile).not.toHaveProperty('score')
    expect(profile.missing ?? []).toEqual([])
    expect(reviews.status).toBe('unknown')
    expect(reasons(reviews)[0]).toContain('could not be read')
  })
  test('that is closed and empty is still read', async () => {
    world.places.place = { businessStatus: 'CLOSED\u202E_PERMANENTLY' }
    const { id } = await world.prospect({ google_place_id: 'ChIJpitch' })
    const { findings } = await audited(id)
    expect(findings.profile).toMatchObject({ score: 0, business_status: 'CLOSED_PERMANENTLY' })
    expect(findings.reviews).toMatchObject({ rating: null, total: 0, score: 0 })
  })
  test.each([
    ['no place is known', {}, {}, 'No Google place is known for it (google_place_id).'],
    [
      'no key is set',
      { PLACES_API_KEY: '' },
      { google_place_id: 'ChIJpitch' },
      'The Places API is not asked: PLACES_API_KEY is not set.',
    ],
    [
      'the key is refused',
      { PLACES_API_KEY: 'wrong' },
      { google_place_id: 'ChIJpitch' },
      'Google refused PLACES_API_KEY: The stand-in says 403.',
    ],
    [
      'Google knows no such place',
      {},
      { google_place_id: '../x?y' },
      'Google refused: The stand-in says 404.',
    ],
    [
      'the day’s calls are used up',
      { PLACES_CALLS_PER_DAY: '0' },
      { google_place_id: 'ChIJpitch' },
      'The day’s calls to the Places API are used up.',
    ],
  ])('is not called incomplete where %s', async (_, settings, ids, reason) => {
    await start(settings)
    const { id } = await world.prospect({ ...ids, phone: '+44 113 496 0000' })
    const { profile, reviews } = (await audited(id)).findings
    expect(profile).toMatchObject({ status: 'partial', missing: [] })
    expect(profile).not.toHaveProperty('score')
    expect(reasons(profile)[0]).toStartWith(reason)
    expect(reasons(reviews)).toContain(reason)
  })
  test('is stood in for by our own record and its enrichment', async () => {
    const { id } = await world.prospect({
      phone: '+44 113 496 0000',
      enrichment: { hours: { mon: '9-5' }, about: '' },
      enrichment_overrides: { about: 'Flowers since 1990.' },
    })
    const checks = (await audited(id)).findings.profile.checks as { field: string; source: string | null }[]
    expect(Object.fromEntries(checks.map(({ field, source }) => [field, source]))).toEqual({
      website: 'location',
      phone: 'location',
      address: null,
      category: null,
      opening_hours: 'enrichment',
      description: 'enrichment',
      photos: null,
    } as Record<string, string | null>)
  })
})

describe("A prospect's reviews", () => {
  const review = (location_id: string, n: number, changes: object = {}) =>
    world.owner.rows(Review).insert({
      workspace_id: world.workspace_id,
      location_id,
      source: 'google',
      source_id: `s${n}`,
      star_rating: 4,
      review_created_at: daysAgo(n),
      ...changes,
    })
  test('tell how many were answered, with n and interval, without those gone at their source', async () => {
    const { id } = await world.prospect({ average_rating: 3, total_reviews: 10, added_via: 'dfs_keyword' })
    for (let n = 0; n < 10; n++) await review(id, n, n < 4 ? { reply_text: 'Thanks' } : {})
    await review(id, 20, { removed_at_source_at: daysAgo(1) })
    const { reviews } = (await audited(id)).findings
    expect(reviews).toMatchObject({
      status: 'known',
      rating: 3,
      total: 10,
      figures_from: 'location',
      stored: 10,
      stars: { 4: 10 },
      answered: { definition: 'prospects.answered_share@1', k: 4, n: 10, rate: 0.4 },
      newest_at: daysAgo(0),
    })
    expect(reviews.score).toBe(Math.round(30 + (20 * Math.log10(11)) / Math.log10(201) + 8))
  })
  test('that came from where no replies are shown say nothing of them', async () => {
    const { id } = await world.prospect({ average_rating: 3, total_reviews: 10, added_via: 'places' })
    for (let n = 0; n < 6; n++) await review(id, n)
    const { reviews } = (await audited(id)).findings
    expect(reviews).not.toHaveProperty('answered')
    expect(reasons(reviews)).toEqual(['Its reviews come from a source that does not return replies.'])
    await review(id, 9, { gbp_api_synced_at: daysAgo(0), reply_text: 'Thanks' })
    await world.bench.command('prospect audit', { location_id: id, again: true })
    expect((await audited(id)).findings.reviews.answered).toMatchObject({ k: 1, n: 1 })
  })
})

describe("A prospect's answers and mentions", () => {
  const asked = (location_id: string, engine: string, brand_mentioned: boolean, changes: object = {}) =>
    world.owner.rows(VisibilityRun).insert({
      workspace_id: world.workspace_id,
      tracker_id: 'vtr_1',
      prompt_id: 'vpr_1',
      location_id,
      engine,
      provider: 'recorded',
      access: 'recorded',
      country: 'GB',
      started_at: daysAgo(3),
      status: 'ok',
      search_queries: [],
      citations: [],
      brand_mentioned,
      brand_cited: false,
      competitor_mentions: [],
      definition_version: 'v1',
      batch_id: 'b',
      ...changes,
    })
  test('are counted by engine, of the last 90 days, failures left out', async () => {
    const { id } = await world.prospect()
    for (let n = 0; n < 4; n++) await asked(id, 'chatgpt', n < 1)
    for (let n = 0; n < 4; n++) await asked(id, 'claude', n < 1, { brand_cited: n === 3 })
    await asked(id, 'gemini', true, { status: 'error' })
    await asked(id, 'gemini', true, { started_at: daysAgo(91) })
    await asked('loc_other', 'gemini', true)
    const { visibility } = (await audited(id)).findings
    expect(visibility).toMatchObject({
      status: 'known',
      answers: 8,
      score: 25,
      last_answer_at: daysAgo(3),
      definition_version: 'v1',
      named: { k: 2, n: 8, rate: 0.25 },
      cited: { k: 1, n: 8 },
      by_engine: [
        { engine: 'chatgpt', answers: 4, named: 1 },
        { engine: 'claude', answers: 4, named: 1 },
      ],
    })
  })

  const mention = (location_id: string, n: number, changes: object = {}) =>
    world.owner.rows(Mention).insert({
      workspace_id: world.workspace_id,
      location_id,
      tracker_id: 'btr_1',
      source: 'reddit',
      source_id: `p${n}`,
      url: 'https://forum.example/p',
      body: 'x',
      excerpt: 'x',
      language: 'en',
      author: { handle: 'ann' },
      posted_at: daysAgo(n + 1),
      discovered_at: daysAgo(0),
      matched_keywords: [],
      is_lead: false,
      status: 'new',
      is_read: false,
      is_archived: false,
      tags: [],
      ...changes,
    } as Parameters<ReturnType<typeof world.owner.rows<typeof Mention>>['insert']>[0])
  test('are counted once for each post, without what is old, put away or beside the point', async () => {
    const { id } = await world.prospect()
    for (let n = 0; n < 6; n++) await mention(id, n, { sentiment: n < 3 ? 'negative' : 'neutral' })
    await mention(id, 0, { tracker_id: 'btr_2', sentiment: 'negative' })
    await mention(id, 7)
    await mention(id, 8, { is_archived: true })
    await mention(id, 9, { relevance: 'irrelevant' })
    await mention(id, 90)
    const { mentions } = (await audited(id)).findings
    expect(mentions).toMatchObject({
      status: 'known',
      posts: 7,
      negative: { k: 3, n: 6, rate: 0.5 },
      score: 50,
      by_source: { reddit: 7 },
      by_sentiment: { negative: 3, neutral: 3 },
      newest_at: daysAgo(1),
    })
  })
  test('that nobody found are none only where somebody looked', async () => {
    const { id } = await world.prospect()
    const tracker = {
      workspace_id: world.workspace_id,
      location_id: id,
      name: 'x',
      keywords: ['x'],
      is_active: true,
      required_keywords: [],
      excluded_keywords: [],
      sources: [],
      languages: [],
      countries: [],
      mentions_total: 0,
    }
    await world.owner.rows(BrandTracker).insert(tracker)
    expect((await audited(id)).findings.mentions.status).toBe('unknown')
    await world.owner.rows(BrandTracker).updateWhere(where.eq('location_id', id), { last_run_at: daysAgo(0) })
    await world.bench.command('prospect audit', { location_id: id, again: true })
    expect((await audited(id)).findings.mentions).toMatchObject({ status: 'known', posts: 0 })
  })
})

describe('An audit', () => {
  const status = async (id: string) => (await world.owner.rows(ProspectAudit).get(id))?.status
  const begun = async (ids: object = { google_place_id: 'ChIJpitch' }) => {
    const location = await world.prospect(ids)
    await world.look()
    return { location, audit: await world.audit(location.id) }
  }

  test('runs while it is looked at, and ends once', async () => {
    const { audit } = await begun()
    const seen: unknown[] = [audit.status]
    world.websites.answers.set('https://service.example/', async () => {
      seen.push(await status(audit.id))
      return new Response('')
    })
    await world.run(audit.id)
    const ended = await world.owner.rows(ProspectAudit).get(audit.id)
    await world.run(audit.id)
    await world.bury(audit.id, 'late')
    expect([...seen, ended?.status]).toEqual(['queued', 'running', 'completed'])
    expect(await world.owner.rows(ProspectAudit).get(audit.id)).toEqual(ended)
  })

  test('whose worker was lost is queued and run again, and the lost one changes nothing any more', async () => {
    const { audit } = await begun()
    let isFirst = true
    world.websites.answers.set('https://service.example/', async () => {
      if (!isFirst) return new Response('')
      isFirst = false
      expect(await status(audit.id)).toBe('running')
      await world.run(audit.id, 2)
      expect(await status(audit.id)).toBe('completed')
      return new Response('', { status: 500 })
    })
    const lost = { hold: () => Promise.reject(new Error('The job is no longer held by this process')) }
    await expect(world.run(audit.id, 1, lost)).rejects.toThrow('no longer held')
    const ended = await world.owner.rows(ProspectAudit).get(audit.id)
    expect(ended).toMatchObject({ status: 'completed' })
    expect((ended?.findings?.traffic as Section | undefined)?.status).not.toBe('unknown')
  })

  test('of a lost worker that meets what may pass is not taken from whoever runs it now', async () => {
    const { audit } = await begun()
    const lost = { hold: () => Promise.reject(new Error('The job is no longer held by this process')) }
    world.places.faults = [503]
    await expect(world.run(audit.id, 1, lost)).rejects.toThrow('no longer held')
    expect(await status(audit.id)).toBe('running')
  })

  test('that meets what may pass is queued between its tries, and the third takes what there is', async () => {
    world.places.place = listed
    world.places.faults = [500, 429, 503]
    const { audit } = await begun()
    for (const [attempt, retryAfterMs] of [
      [1, 20_000],
      [2, 120_000],
    ] as const) {
      const fault = { kind: 'transient', retryAfterMs }
      await expect(world.run(audit.id, attempt)).rejects.toMatchObject(fault)
      expect(await status(audit.id)).toBe('queued')
    }
    await world.run(audit.id, 3)
    const ended = await world.owner.rows(ProspectAudit).get(audit.id)
    expect(ended?.status).toBe('completed')
    expect(reasons(ended?.findings?.reviews as unknown as Section)).toContain(
      'Google refused: The stand-in says 503.',
    )
  })

  test('is moved from where it was read and from nowhere else', async () => {
    const { audit } = await begun()
    const running = await moveAudit(world.owner, audit, 'running')
    expect(await moveAudit(world.owner, audit, 'failed', { error: 'late' })).toBeNull()
    expect(running && (await moveAudit(world.owner, running, 'completed'))?.status).toBe('completed')
    expect(running && (await moveAudit(world.owner, running, 'queued'))).toBeNull()
  })

  test('that is given up fails, and says why', async () => {
    const { audit } = await begun()
    await world.bury(audit.id, 'Its process died each time')
    expect(await world.owner.rows(ProspectAudit).get(audit.id)).toMatchObject({
      status: 'failed',
      error: 'Its process died each time',
      completed_at: world.bench.now.toISOString(),
    })
  })

  test('is put back where the product stops', async () => {
    const { audit } = await begun({})
    const stopping = new AbortController()
    world.websites.answers.set('https://service.example/', () => {
      stopping.abort(new Error('The product is stopping'))
      return new Response('')
    })
    await expect(world.run(audit.id, 1, { signal: stopping.signal })).rejects.toThrow('stopping')
    expect(await status(audit.id)).toBe('running')
    await world.run(audit.id, 1)
    expect(await status(audit.id)).toBe('completed')
  })

  test.each([
    [
      'signed',
      (id: string) => world.owner.rows(BusinessLocation).update(id, { is_prospect: false, is_active: true }),
      'The business is no longer a prospect: it was signed before it was audited.',
    ],
    [
      'removed',
      (id: string) => world.owner.rows(BusinessLocation).removeWhere(where.eq('id', id)),
      'The business was removed before it was audited.',
    ],
  ])('of a business that is %s meanwhile fails, says so, and looks no further', async (_, change, error) => {
    const { audit, location } = await begun()
    world.websites.answers.set('https://service.example/', async () => {
      await change(location.id)
      return new Response('')
    })
    await world.run(audit.id)
    const ended = await world.owner.rows(ProspectAudit).get(audit.id)
    expect([ended?.status, ended?.error, ended?.findings]).toEqual(['failed', error, undefined])
    expect(world.places.asked).toEqual([])
  })
})
