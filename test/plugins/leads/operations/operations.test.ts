import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { everything, visibleRow } from '../../../../core/kit'
import { tenancy } from '../../../../core/product/tenancy-plugin'
import leads from '../../../../plugins/leads'
import { listLeadsWithMentions } from '../../../../plugins/leads/operations/listLeadsWithMentions'
import { markLeadsSeen } from '../../../../plugins/leads/operations/markLeadsSeen'
import { shortLeads } from '../../../../plugins/leads/operations/shorten-leads'
import { Lead } from '../../../../plugins/leads/records/Lead'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { putRow } from '../../../support/any-state'
import { type Workbench, workbench } from '../../../support/workbench'

const home = 'wsp_1'
let bench: Workbench
beforeEach(async () => {
  bench = await workbench([tenancy, leads])
})
afterEach(() => bench.stop())

const mention = (n: number, posted_at: string, workspace_id = home) =>
  bench.owner.rows(Mention).insert({
    id: `men_${n}`,
    workspace_id,
    location_id: 'loc_1',
    tracker_id: 'trk_1',
    source: 'reddit',
    source_id: `t3_${n}`,
    url: `https://forum.example/${n}`,
    body: 'Who fixes roofs here?',
    excerpt: 'fixes roofs',
    language: 'en',
    author: { handle: 'ann' },
    posted_at,
    discovered_at: posted_at,
    matched_keywords: ['roof'],
    is_lead: true,
    status: 'new',
    is_read: false,
    is_archived: false,
    tags: [],
  })
const lead = (n: number, given: Record<string, unknown> = {}, workspace_id = home) =>
  putRow(bench.owner, Lead, {
    id: `led_${n}`,
    workspace_id,
    mention_id: `men_${n}`,
    tracker_id: 'trk_1',
    location_id: 'loc_1',
    intent_score: n,
    stage: 'new',
    is_archived: false,
    ...given,
  })
const list = (input: Record<string, unknown> = {}) =>
  listLeadsWithMentions.run(bench.read(home), v.parse(listLeadsWithMentions.input, input))
const ids = async (input: Record<string, unknown>) => (await list(input)).leads.map(({ id }) => id)

describe('listLeadsWithMentions', () => {
  test('joins each lead to its mention, and shows no hidden field', async () => {
    await mention(1, '2026-03-01T00:00:00.000Z')
    await lead(1, { mention_posted_at: '2026-03-01T00:00:00.000Z' })
    const answer = await list()
    expect(answer).toMatchObject({ total: 1, limit: 50, skip: 0, has_more: false })
    expect(answer.leads[0]).toMatchObject({ id: 'led_1', mention: { url: 'https://forum.example/1' } })
    expect(Object.keys(answer.leads[0] ?? {})).not.toContain('mention_posted_at')
    expect(Object.keys(answer.leads[0] ?? {})).not.toContain('workspace_id')
    expect(v.is(listLeadsWithMentions.output, answer)).toBe(true)
  })

  test('says how old a post is now, not when it was found', async () => {
    const posted = new Date(bench.now.getTime() - 100 * 86_400_000).toISOString()
    await mention(1, posted)
    await lead(1, { mention_posted_at: posted, stale_post: false, stale_post_age_days: 2 })
    await lead(2)
    const [second, first] = (await list({ sort: '-mention.posted_at' })).leads.toReversed()
    expect([first?.post_age_days, second?.post_age_days]).toEqual([100, null])
  })

  test('answers a lead without a mention that can be read', async () => {
    await mention(1, '2026-03-01T00:00:00.000Z', 'wsp_2')
    await lead(1)
    expect((await list()).leads[0]?.mention).toBeNull()
  })

  test('costs one read however long the page is', async () => {
    for (let n = 1; n <= 40; n++) {
      await mention(n, '2026-03-01T00:00:00.000Z')
      await lead(n)
    }
    bench.reads.count = 0
    expect((await list({ limit: 40 })).leads).toHaveLength(40)
    expect(bench.reads.count).toBe(1)
  })

  test('has every visible field of a lead and of its mention, as reading each of them has', async () => {
    await mention(1, '2026-03-01T00:00:00.000Z')
    await lead(1, { seen_at: null, notes: 'n'.repeat(5_000), suburb: '' })
    const [found] = (await list()).leads
    const { post_age_days, mention: joined, ...fields } = found ?? {}
    const read = bench.read(home)
    const wholeLead = await read.rows(Lead).get('led_1')
    const wholeMention = await read.rows(Mention).get('men_1')
    if (!wholeLead || !wholeMention) throw new Error('The rows are not there')
    expect(fields).toEqual(visibleRow(Lead, wholeLead))
    expect(joined).toEqual(visibleRow(Mention, wholeMention))
    expect(joined?.body).toBe('Who fixes roofs here?')
  })

  test('an agent gets an excerpt for the body, no empty fields and long notes cut, and is told so', async () => {
    await mention(1, '2026-03-01T00:00:00.000Z')
    await lead(1, { seen_at: null, notes: 'n'.repeat(5_000), suburb: '' })
    const { answer, left } = shortLeads(await list()) ?? {}
    const [found] = (answer as { leads: Record<string, unknown>[] } | undefined)?.leads ?? []
    expect(found?.notes).toBe(`${'n'.repeat(200)}… [4800 more characters]`)
    expect(Object.values(found ?? {})).not.toContain('')
    expect(Object.values(found ?? {})).not.toContain(null)
    expect(Object.keys(found?.mention ?? {}).toSorted()).toEqual(
      ['author', 'excerpt', 'id', 'language', 'posted_at', 'source', 'status', 'url'].toSorted(),
    )
    expect(found?.mention).toMatchObject({ excerpt: 'fixes roofs' })
    expect(left).toContain('get_record returns whole texts')
    await bench.owner.rows(Lead).removeWhere(everything)
    expect(shortLeads(await list())).toBeNull()
  })

  test('without a limit it has 50 leads, however long their texts are', async () => {
    const id = (n: number) => `led_${String(n).padStart(26, '0')}`
    const words = 'Looking for a roofer who can come this week, and what does it cost? '.repeat(9)
    for (let n = 1; n <= 60; n++) {
      await mention(n, '2026-03-01T00:00:00.000Z')
      await lead(n, { id: id(n), notes: words, intent_reason: words, next_step: words, source: 'reddit' })
    }
    const first = await list({ sort: 'intent_score' })
    expect([first.leads.length, first.limit, first.total, first.has_more]).toEqual([50, 50, 60, true])
    expect(first.leads[0]?.notes).toBe(words)
    const rest = await list({ sort: 'intent_score', skip: 50 })
    expect([...first.leads, ...rest.leads].map((row) => row.id)).toEqual(
      Array.from({ length: 60 }, (_, n) => id(n + 1)),
    )
    expect((await list({ limit: 60 })).leads).toHaveLength(60)
  })

  test('leaves archived leads out unless they are asked for', async () => {
    await lead(1)
    await lead(2, { is_archived: true })
    expect(await ids({})).toEqual(['led_1'])
    expect((await ids({ include_archived: true })).toSorted()).toEqual(['led_1', 'led_2'])
  })

  test('filters by stage, location and age, inside the workspace', async () => {
    await lead(1)
    await lead(2, { stage: 'won' })
    await lead(3, { location_id: 'loc_2' })
    await lead(4, {}, 'wsp_2')
    expect(await ids({ stage: 'won' })).toEqual(['led_2'])
    expect(await ids({ location_id: 'loc_2' })).toEqual(['led_3'])
    expect(await ids({ location_id: 'loc_1' })).not.toContain('led_4')
    bench.now = new Date('2026-03-25T12:00:00.000Z')
    await lead(5)
    expect(await ids({ days: 7 })).toEqual(['led_5'])
    expect(await ids({ days: 10 })).toHaveLength(4)
  })

  test.each([1, 2, 30, 365])(
    '`days: %d` keeps a lead that is exactly so old, and none that is a millisecond older',
    async (days) => {
      const day = 24 * 60 * 60 * 1_000
      const created = Date.parse('2025-01-10T08:30:00.000Z')
      bench.now = new Date(created)
      await lead(1)
      await lead(2, { stage: 'won' })
      bench.now = new Date(created + days * day)
      expect((await ids({ days })).toSorted()).toEqual(['led_1', 'led_2'])
      expect(await ids({ days, stage: 'won' })).toEqual(['led_2'])
      bench.now = new Date(created + days * day + 1)
      expect(await list({ days })).toMatchObject({ leads: [], total: 0, has_more: false })
      expect(await ids({})).toHaveLength(2)
    },
  )

  test('filters by seen and by source', async () => {
    await lead(1, { source: 'reddit' })
    await lead(2, { source: 'bluesky', seen_at: null })
    await lead(3, { source: 'reddit', seen_at: '2026-01-01T00:00:00.000Z' })
    expect((await ids({ seen: false })).toSorted()).toEqual(['led_1', 'led_2'])
    expect(await ids({ seen: true })).toEqual(['led_3'])
    expect((await ids({ source: 'reddit' })).toSorted()).toEqual(['led_1', 'led_3'])
    expect(await ids({ source: 'reddit', seen: false })).toEqual(['led_1'])
    expect(await ids({ source: 'x' })).toEqual([])
  })

  test('sorts by its four keys, both ways', async () => {
    const at = (day: number) => `2026-03-0${day}T00:00:00.000Z`
    await lead(1, { mention_posted_at: at(3), stage_changed_at: at(1) })
    await lead(2, { mention_posted_at: at(1), stage_changed_at: at(3) })
    await lead(3, { mention_posted_at: at(2), stage_changed_at: at(2) })
    expect(await ids({ sort: '-intent_score' })).toEqual(['led_3', 'led_2', 'led_1'])
    expect(await ids({ sort: '+intent_score' })).toEqual(['led_1', 'led_2', 'led_3'])
    expect(await ids({ sort: 'mention.posted_at' })).toEqual(['led_2', 'led_3', 'led_1'])
    expect(await ids({ sort: '-mention.posted_at' })).toEqual(['led_1', 'led_3', 'led_2'])
    expect(await ids({ sort: 'stage_changed_at' })).toEqual(['led_1', 'led_3', 'led_2'])
  })

  test('pages, and says whether there is more', async () => {
    for (let n = 1; n <= 5; n++) await lead(n)
    const sort = 'intent_score'
    expect(await list({ limit: 2, sort })).toMatchObject({ total: 5, has_more: true })
    expect(await ids({ limit: 2, skip: 4, sort })).toEqual(['led_5'])
    expect(await list({ limit: 2, skip: 4, sort })).toMatchObject({ has_more: false, skip: 4 })
  })

  test.each([
    { limit: 0 },
    { limit: 201 },
    { skip: -1 },
    { days: 0 },
    { days: 366 },
    { sort: 'email' },
    { stage: 'cold' },
    { q: 'x' },
  ])('refuses %j', (input) => {
    expect(v.safeParse(listLeadsWithMentions.input, input).success).toBe(false)
  })
})

describe('markLeadsSeen', () => {
  const mark = (lead_ids: string[]) => markLeadsSeen.run(bench.mark(home, 'leads'), { lead_ids })

  test('stamps what is unseen, keeps what was seen, and names what is not here', async () => {
    await lead(1)
    await lead(2, { seen_at: '2026-01-01T00:00:00.000Z' })
    await lead(3, { seen_at: null })
    await lead(4, {}, 'wsp_2')
    const answer = await mark(['led_1', 'led_2', 'led_3', 'led_4', 'led_0', 'led_1'])
    expect(answer).toEqual({
      updated: 2,
      already_seen: 1,
      not_found: ['led_4', 'led_0'],
      seen_at: '2026-03-15T12:00:00.000Z',
    })
    const seen = async (id: string) => (await bench.owner.rows(Lead).get(id))?.seen_at
    expect(await seen('led_1')).toBe('2026-03-15T12:00:00.000Z')
    expect(await seen('led_2')).toBe('2026-01-01T00:00:00.000Z')
    expect(await seen('led_4')).toBeUndefined()
  })

  test('takes 1 to 200 ids', () => {
    const takes = (count: number) =>
      v.is(markLeadsSeen.input, { lead_ids: Array.from({ length: count }, (_, n) => `led_${n}`) })
    expect([0, 1, 200, 201].map(takes)).toEqual([false, true, true, false])
  })
})

describe('lead move', () => {
  test('goes through the stage machine and stamps the change', async () => {
    await lead(1)
    const moved = await bench.command('lead move', {
      lead_id: 'led_1',
      stage: 'lost',
      lost_reason: 'too dear',
    })
    expect(moved).toMatchObject({ stage: 'lost', stage_changed_at: '2026-03-15T12:00:00.000Z' })
    expect(await bench.owner.rows(Lead).get('led_1')).toMatchObject({ lost_reason: 'too dear' })
    await bench.command('lead move', { lead_id: 'led_1', stage: 'contacted' })
    expect((await bench.owner.rows(Lead).get('led_1'))?.lost_reason).toBeUndefined()
  })
  test('refuses a move that is not allowed, a loss without a reason and a lead that is not there', async () => {
    await lead(1)
    const move = (input: Record<string, unknown>) => bench.command('lead move', input)
    await expect(move({ lead_id: 'led_1', stage: 'won' })).rejects.toThrow('cannot move from new to won')
    await expect(move({ lead_id: 'led_1', stage: 'lost' })).rejects.toThrow('needs lost_reason')
    await expect(move({ lead_id: 'led_0', stage: 'won' })).rejects.toThrow('no lead led_0')
  })
})
