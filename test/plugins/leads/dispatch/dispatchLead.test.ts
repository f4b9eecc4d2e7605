import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Row } from 'renown'
import { tenancy } from '../../../../core/product/tenancy-plugin'
import {
  type Dispatch,
  type DispatchInput,
  dispatchLead,
} from '../../../../plugins/leads/dispatch/dispatchLead'
import { removeText } from '../../../../plugins/leads/finding/removal'
import leads from '../../../../plugins/leads/index'
import { Lead } from '../../../../plugins/leads/records/Lead'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { putRow } from '../../../support/any-state'
import { type Workbench, workbench } from '../../../support/workbench'

let bench: Workbench
beforeEach(async () => {
  bench = await workbench([tenancy, leads])
})
afterEach(() => bench.stop())

type MentionRow = Row<typeof Mention> & { duplicate_of?: string; removed_at_source_at?: string }
const now = '2026-03-15T12:00:00.000Z'
const daysAgo = (days: number) => new Date(Date.parse(now) - days * 86_400_000).toISOString()
let count = 0
const mention = (given: Partial<MentionRow> = {}): Promise<MentionRow> => {
  count++
  return putRow(bench.owner, Mention, {
    id: `men_${String(count).padStart(26, '0')}`,
    workspace_id: 'wsp_1',
    location_id: 'loc_1',
    tracker_id: 'trk_1',
    source: 'bluesky',
    source_id: `p${count}`,
    url: `https://forum.example/${count}`,
    body: 'Who can repair my roof? Mail ann@mail.com',
    excerpt: 'repair my roof',
    language: 'en',
    author: { handle: 'ann' },
    posted_at: daysAgo(1),
    discovered_at: now,
    matched_keywords: ['roof'],
    is_lead: false,
    status: 'new',
    is_read: false,
    is_archived: false,
    tags: [],
    ...given,
  })
}
const open = { may_link_identity: true, may_extract_contact: true, may_store_author: true }
const judged = (score: number, kinds: string[] = ['wants_to_buy']): DispatchInput['judgement'] => ({
  relevance: 'relevant',
  intent: {
    score,
    reason: 'Looks for somebody.',
    reasons: kinds.map((kind) => ({ kind, points: score, sentence: 'Looks for somebody.' })),
    method: 'intent.rules@1',
  },
})
const dispatch = async (
  row: MentionRow,
  { score = 70, policy = open, ...more }: Partial<DispatchInput> & { score?: number } = {},
): Promise<Dispatch> =>
  dispatchLead(bench.owner, {
    mention: row,
    location: { city: 'Leeds', country: 'GB' },
    judgement: judged(score),
    policy,
    ...more,
  })
const allLeads = () => bench.owner.rows(Lead).list({ limit: 100 })

describe('A mention', () => {
  test('with enough intent becomes a lead with its reasons, method and contacts', async () => {
    const row = await mention()
    const dispatched = await dispatch(row)
    expect(dispatched.state).toBe('created')
    const [lead] = await allLeads()
    expect(lead).toMatchObject({
      mention_id: row.id,
      tracker_id: 'trk_1',
      location_id: 'loc_1',
      workspace_id: 'wsp_1',
      intent_score: 70,
      intent_reason: 'Looks for somebody.',
      intent_method: 'intent.rules@1',
      stage: 'new',
      source: 'bluesky',
      is_archived: false,
      email: 'ann@mail.com',
      stale_post: false,
      stale_post_age_days: 1,
      mention_posted_at: row.posted_at,
      contacts: [{ field: 'email', in: 'body', start: 29, end: 41 }],
    })
    expect(await bench.owner.rows(Mention).get(row.id)).toMatchObject({ is_lead: true, lead_id: lead?.id })
  })

  test.each<[why: string, row: Partial<MentionRow>, more: Partial<DispatchInput> & { score?: number }]>([
    ['no_intent', {}, { score: 49 }],
    ['irrelevant', {}, { judgement: { ...judged(90), relevance: 'irrelevant' } }],
    ['duplicate', { duplicate_of: 'men_0' }, {}],
    ['removed', { removed_at_source_at: now }, {}],
  ])('makes no lead: %s', async (why, row, more) => {
    expect(await dispatch({ ...(await mention()), ...row }, more)).toEqual({ state: 'none', why } as Dispatch)
    expect(await allLeads()).toEqual([])
  })

  test('keeps its lead when it is judged again', async () => {
    const row = await mention()
    const first = await dispatch(row)
    const again = await bench.owner.rows(Mention).get(row.id)
    expect(await dispatch(again as MentionRow)).toEqual({ ...first, state: 'unchanged' } as Dispatch)
    expect(await dispatch(row)).toEqual({ ...first, state: 'joined' } as Dispatch)
    expect(await allLeads()).toHaveLength(1)
  })

  test('gives no contact details where the source forbids reading them', async () => {
    await dispatch(await mention(), { policy: { ...open, may_extract_contact: false } })
    const [lead] = await allLeads()
    expect([lead?.email, lead?.contacts]).toEqual([undefined, undefined])
  })
})

describe('One author on one source', () => {
  test('is one lead, with the highest score', async () => {
    const first = await dispatch(await mention(), { score: 60 })
    const second = await dispatch(await mention({ author: { handle: '@Ann' } }), { score: 80 })
    expect([first.state, second.state]).toEqual(['created', 'joined'])
    const all = await allLeads()
    expect(all.map(({ intent_score }) => intent_score)).toEqual([80])
    await dispatch(await mention(), { score: 55 })
    expect((await allLeads())[0]?.intent_score).toBe(80)
  })

  test('is another lead on another source, for another business and without a handle', async () => {
    await dispatch(await mention())
    await dispatch(await mention({ source: 'mastodon' }))
    await dispatch(await mention({ location_id: 'loc_2' }))
    await dispatch(await mention({ author: { handle: '' } }))
    await dispatch(await mention({ author: { handle: '' } }))
    expect(await allLeads()).toHaveLength(5)
  })

  test('is never linked where the source forbids it', async () => {
    const policy = { ...open, may_link_identity: false }
    const rows = [await mention(), await mention(), await mention()]
    for (const row of rows) await dispatch(row, { policy })
    expect(await allLeads()).toHaveLength(3)
    for (const row of await bench.owner.rows(Mention).list()) expect(row.author_key).toBeUndefined()
    const quiet = await Promise.all([1, 2, 3].map(() => mention()))
    for (const row of quiet)
      expect(await dispatch(row, { policy, score: 10 })).toMatchObject({ why: 'no_intent' })
  })

  test('is a lead with the third post, without a clear intent', async () => {
    const states: string[] = []
    for (let n = 0; n < 4; n++) states.push((await dispatch(await mention(), { score: 20 })).state)
    expect(states).toEqual(['none', 'none', 'created', 'joined'])
    expect((await allLeads())[0]).toMatchObject({
      intent_score: 20,
      intent_reason: '3 posts of this author. Looks for somebody.',
      intent_method: 'author.mentions@1, intent.rules@1',
    })
  })

  test('is no lead by posts that sell, that are old, dismissed, or the same post', async () => {
    for (let n = 0; n < 4; n++) {
      const judgement = judged(0, ['sells'])
      expect((await dispatch(await mention(), { judgement })).state).toBe('none')
    }
    const others: Partial<MentionRow>[] = [
      { posted_at: daysAgo(91) },
      { status: 'dismissed' as const },
      { source_id: 'same' },
      { source_id: 'same', tracker_id: 'trk_2' },
    ]
    for (const other of others) {
      const row = { author: { handle: 'bob' }, ...other }
      expect((await dispatch(await mention(row), { score: 10 })).state).toBe('none')
    }
  })

  test('is one lead when many mentions are dispatched at the same time', async () => {
    const rows = await Promise.all(Array.from({ length: 12 }, () => mention()))
    const done = await Promise.all(rows.map((row) => dispatch(row)))
    expect(done.filter(({ state }) => state === 'created')).toHaveLength(1)
    const [lead, ...others] = await allLeads()
    expect(others).toEqual([])
    for (const row of await bench.owner.rows(Mention).list()) expect(row.lead_id).toBe(lead?.id as string)
  })
})

describe('Contact details in a later post of the author', () => {
  const first = 'Who can repair my roof?'
  const firstLead = async () => (await allLeads())[0]

  test('reach the lead, whether or not that post wants to buy', async () => {
    const asked = await mention({ body: first })
    await dispatch(asked)
    expect((await firstLead())?.phone).toBeUndefined()
    const later = await mention({ body: 'Call me on 0113 496 0123, thanks' })
    expect(await dispatch(later, { score: 0 })).toEqual({ state: 'none', why: 'no_intent' })
    expect(await firstLead()).toMatchObject({
      mention_id: asked.id,
      phone: '+44 113 496 0123',
      contacts: [{ field: 'phone', in: 'body', start: 11, end: 24, mention_id: later.id }],
    })
    const clear = await mention({ body: 'Still need somebody. Mail me: ann@example.com' })
    expect((await dispatch(clear)).state).toBe('joined')
    expect(await firstLead()).toMatchObject({ phone: '+44 113 496 0123', email: 'ann@example.com' })
    expect((await firstLead())?.contacts).toHaveLength(2)
    expect(await bench.owner.rows(Mention).get(later.id)).toMatchObject({
      is_lead: false,
      lead_id: (await firstLead())?.id,
    })
  })

  test('reach the lead from a copy with a number, and from an edit', async () => {
    const asked = await mention({ body: first })
    await dispatch(asked)
    const copy = await mention({ body: `${first} Call me on 0113 496 0123`, duplicate_of: asked.id })
    expect(await dispatch(copy)).toEqual({ state: 'none', why: 'duplicate' })
    expect((await firstLead())?.phone).toBe('+44 113 496 0123')
    const known = await bench.owner.rows(Mention).get(asked.id)
    const edited = {
      ...(known as MentionRow),
      body: `${first} Edit: my mail is ann@example.com`,
      body_version: 2,
    }
    expect((await dispatch(edited)).state).toBe('unchanged')
    expect((await firstLead())?.email).toBe('ann@example.com')
    await dispatch({ ...edited, body: first, body_version: 3 })
    expect(await firstLead()).toMatchObject({ phone: '+44 113 496 0123' })
    expect((await firstLead())?.email).toBeUndefined()
  })

  test('never replace earlier details, and none of an irrelevant post or another author count', async () => {
    await dispatch(await mention({ body: `${first} Call me on 0113 496 0123` }))
    await dispatch(await mention({ body: 'Or call me on 0113 496 0456' }), { score: 0 })
    await dispatch(await mention({ body: 'Mail me: bob@example.com', author: { handle: 'bob' } }), {
      score: 0,
    })
    await dispatch(await mention({ body: 'Mail me: ann@example.com' }), {
      judgement: { ...judged(0), relevance: 'irrelevant' },
    })
    expect(await firstLead()).toMatchObject({ phone: '+44 113 496 0123' })
    expect((await firstLead())?.email).toBeUndefined()
  })

  test('are not linked or read where the source forbids it', async () => {
    for (const name of ['may_link_identity', 'may_extract_contact'] as const) {
      const policy = { ...open, [name]: false }
      const handle = `author of ${name}`
      await dispatch(await mention({ body: first, author: { handle } }), { policy })
      await dispatch(await mention({ body: 'Call me on 0113 496 0123', author: { handle } }), {
        policy,
        score: 0,
      })
    }
    for (const lead of await allLeads()) expect([lead.phone, lead.contacts]).toEqual([undefined, undefined])
  })

  test('go with the text of that post', async () => {
    const asked = await mention({ body: `${first} Mail me: ann@example.com` })
    await dispatch(asked)
    const later = await mention({ body: 'Call me on 0113 496 0123, thanks' })
    await dispatch(later, { score: 0 })
    const row = await bench.owner.rows(Mention).get(later.id)
    await removeText(bench.owner, row as MentionRow, 'delete_with_source')
    expect(await firstLead()).toMatchObject({ email: 'ann@example.com' })
    expect((await firstLead())?.phone).toBeUndefined()
    expect((await firstLead())?.contacts).toHaveLength(1)
  })

  test('of several posts at the same time are all kept', async () => {
    await dispatch(await mention({ body: first }))
    const bodies = [
      'Call me on 0113 496 0123',
      'Mail me: ann@example.com',
      'I am Ann. My name is Ann Lee',
      'Near LS6 3AA',
    ]
    const rows = await Promise.all(bodies.map((body) => mention({ body })))
    await Promise.all(rows.map((row) => dispatch(row, { score: 0 })))
    expect((await firstLead())?.contacts?.map(({ field }) => field).toSorted()).toEqual([
      'email',
      'first_name',
      'last_name',
      'phone',
      'postcode',
    ])
  })

  test('are never those of the business', async () => {
    const location = { country: 'GB', phone: '0113 496 0000', website: 'https://acme.co.uk' }
    await dispatch(
      await mention({ body: 'I need a roofer. My call to 0113 496 0000 and info@acme.co.uk got no answer' }),
      {
        location,
      },
    )
    expect([(await firstLead())?.phone, (await firstLead())?.email]).toEqual([undefined, undefined])
  })
})

describe('An old post', () => {
  test.each<[days: number, setting: string, stale: boolean]>([
    [29, '30', false],
    [30, '30', false],
    [31, '30', true],
    [8, '7', true],
    [400, '365', true],
  ])('%d days, flagged from %s: %p', async (days, setting, stale) => {
    await bench.stop()
    bench = await workbench([tenancy, leads], {}, { settings: { LEAD_STALE_POST_FLAG_DAYS: setting } })
    await dispatch(await mention({ posted_at: daysAgo(days) }))
    expect((await allLeads())[0]).toMatchObject({ stale_post: stale, stale_post_age_days: days })
  })

  test('is flagged by its age when it was found, and never again', async () => {
    const row = await mention({ posted_at: daysAgo(29) })
    bench.now = new Date(Date.parse(now) + 5 * 86_400_000)
    await dispatch(row)
    expect((await allLeads())[0]).toMatchObject({ stale_post: false, stale_post_age_days: 34 })
    bench.now = new Date(Date.parse(now) + 90 * 86_400_000)
    await dispatch(await mention({ posted_at: daysAgo(80) }))
    expect((await allLeads())[0]).toMatchObject({ stale_post: false, stale_post_age_days: 34 })
  })
})
