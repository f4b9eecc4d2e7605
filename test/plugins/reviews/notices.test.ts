import { describe, expect, test } from 'bun:test'
import {
  notifyFailedAct,
  notifyFailedReply,
  notifyRejectedReply,
} from '../../../plugins/reviews/due/replyNotices'
import { scheduleReply } from '../../../plugins/reviews/due/scheduleReply'
import { whySkipped, whySkippedUnseen } from '../../../plugins/reviews/due/whySkipped'
import { whyUnanswered } from '../../../plugins/reviews/due/whyUnanswered'
import { digestOf, isDigestOf, sha256 } from '../../../plugins/reviews/proof/digest'
import { notifyUnreadable } from '../../../plugins/reviews/sync/notifyUnreadable'
import { firstName, starsOf } from '../../../plugins/reviews/writing/reply-parties'
import { platformIdsInTheBox } from '../../support/platforms'

const now = Date.parse('2026-11-20T10:00:00.000Z')
const iso = (ms: number) => new Date(now + ms).toISOString()
const day = 86_400_000

/** What a plugin asks of the product, remembered. `rows` is what every list answers. */
function told(rows: readonly object[] = []) {
  const notices: Record<string, unknown>[] = []
  const updates: unknown[] = []
  const lists: unknown[] = []
  const ctx = {
    now: () => new Date(now),
    extensions: () => platformIdsInTheBox,
    notify: async (notice: Record<string, unknown>) => void notices.push(notice),
    rows: () => ({
      list: async (query: unknown) => {
        lists.push(query)
        return rows
      },
      update: async (...change: unknown[]) => void updates.push(change),
    }),
  }
  return { ctx: ctx as never, notices, updates, lists }
}

describe('that reviews cannot be read', () => {
  const location = {
    id: 'loc_1',
    workspace_id: 'wsp_1',
    business_name: 'Café',
    added_via: 'gbp_oauth',
    google_account_id: 'accounts/1',
    google_location_id: 'locations/2',
  }
  const fault = (kind: string, code?: string) =>
    ({ kind, message: 'It failed.', ...(code ? { code } : {}) }) as never
  const tell = async (
    one: object,
    given: ReturnType<typeof fault>,
    listing: object | null = { id: 'lst_1' },
  ) => {
    const world = told(listing ? [listing] : [])
    await notifyUnreadable(world.ctx, one as never, given)
    return world
  }

  test('is told where people have to act, not of a connection that tells of itself', async () => {
    const count = async (one: object, kind: string, code?: string) =>
      (await tell(one, fault(kind, code))).notices.length
    for (const kind of ['quota', 'rate', 'transient', 'unsupported'])
      expect([kind, await count(location, kind)]).toEqual([kind, 0])
    expect(await count(location, 'auth')).toBe(0)
    expect(await count({ ...location, added_via: 'place', facebook_page_id: 'p' }, 'auth')).toBe(0)
    expect(await count(location, 'auth', 'no_connection')).toBe(1)
    for (const kind of ['permission', 'permanent'])
      expect([kind, await count(location, kind)]).toEqual([kind, 1])
  })

  test('is told for the location, and remembered', async () => {
    const { notices, updates } = await tell(location, fault('permission'))
    expect(notices).toEqual([
      {
        workspace_id: 'wsp_1',
        location_id: 'loc_1',
        type: 'reviews_unread',
        severity: 'warning',
        body: expect.stringMatching(/^It failed\. /),
        entity: 'BusinessLocation',
        entity_id: 'loc_1',
        title: expect.stringContaining('Café'),
        once: 'reviews_unread loc_1 ',
      },
    ])
    expect(updates).toEqual([['lst_1', { unread_told_at: iso(0) }]])
    expect((await tell(location, fault('permission'), null)).updates).toEqual([])
  })

  test('is told again only after a reading worked and a week has passed', async () => {
    const again = async (unread_told_at: string, last_synced_at?: string) =>
      (await tell({ ...location, last_synced_at }, fault('permanent'), { id: 'lst_1', unread_told_at }))
        .notices
    expect(await again(iso(-7 * day), iso(-1))).toMatchObject([
      { once: `reviews_unread loc_1 ${iso(-7 * day)}` },
    ])
    expect(await again(iso(1 - 7 * day), iso(-1))).toEqual([])
    expect(await again(iso(-7 * day), iso(-7 * day))).toEqual([])
    expect(await again(iso(-7 * day))).toEqual([])
  })

  test('for a key of the whole installation is told once a month and workspace', async () => {
    const shared = { ...location, added_via: 'place_id' }
    const { notices, updates } = await tell(shared, fault('auth'))
    expect(notices).toEqual([
      {
        workspace_id: 'wsp_1',
        type: 'reviews_unread',
        severity: 'warning',
        body: expect.any(String),
        title: 'Reviews cannot be read',
        once: 'reviews_unread place_id 2026-11',
      },
    ])
    expect(updates).toEqual([])
    expect((await tell(shared, fault('permission'))).notices[0]?.once).toBe('reviews_unread place_id 2026-11')
    expect((await tell(shared, fault('permanent'))).notices[0]?.once).toBe('reviews_unread loc_1 ')
    expect((await tell({ ...shared, added_via: undefined }, fault('auth'))).notices[0]?.once).toBe(
      'reviews_unread  2026-11',
    )
  })
})

describe('that a reply was not sent', () => {
  const review = { id: 'rev_1', workspace_id: 'wsp_1', location_id: 'loc_1' } as never
  const fail = async (kind: string, code?: string, location: object | null = { business_name: 'Café' }) => {
    const world = told([{ id: 'rev_0' }])
    await notifyFailedReply(
      world.ctx,
      review,
      location as never,
      { kind, message: 'No.', ...(code ? { code } : {}) } as never,
    )
    return world
  }

  test('is told once for the access to a platform, and once for each review otherwise', async () => {
    for (const kind of ['auth', 'permission', 'unsupported'])
      expect((await fail(kind)).notices[0]?.once).toBe('reply_failed loc_1 rev_0')
    for (const kind of ['permanent', 'transient'])
      expect((await fail(kind)).notices[0]?.once).toBe('reply_failed rev_1')
    const { lists, notices } = await fail('auth')
    expect(lists).toEqual([
      {
        where: {
          op: 'and',
          of: [
            { op: 'eq', field: 'location_id', value: 'loc_1' },
            { op: 'eq', field: 'auto_response_status', value: 'sent' },
          ],
        },
        sort: [{ field: 'reply_created_at', direction: 'desc' }],
        limit: 1,
      },
    ])
    expect(notices[0]).toMatchObject({
      workspace_id: 'wsp_1',
      location_id: 'loc_1',
      entity: 'Review',
      entity_id: 'rev_1',
      type: 'reply_failed',
      severity: 'warning',
    })
    expect(String(notices[0]?.title)).toContain('of Café ')
    expect(String(notices[0]?.body)).toStartWith('No. ')
    expect(String((await fail('auth', undefined, null)).notices[0]?.title)).not.toContain(' of ')
  })

  test('comes with advice that fits', async () => {
    const bodies = await Promise.all(
      ['auth', 'permission', 'permanent'].map(async (kind) => (await fail(kind)).notices[0]?.body),
    )
    expect(new Set(bodies).size).toBe(3)
    expect(bodies[0]).toContain('Connect the account again')
    expect(bodies[1]).toContain('may manage this profile')
    expect(bodies[2]).not.toContain('Settings')
  })

  test('or is not shown by the platform is told once for each text', async () => {
    const once = async (text: string) => {
      const { ctx, notices } = told()
      await notifyRejectedReply(ctx, review, { text, reason: 'Spam.' })
      expect(notices[0]).toMatchObject({
        type: 'reply_rejected',
        severity: 'warning',
        entity_id: 'rev_1',
        location_id: 'loc_1',
      })
      expect(String(notices[0]?.body)).toStartWith('Spam. ')
      return String(notices[0]?.once)
    }
    expect(await once('a')).toStartWith('reply_rejected rev_1 ')
    expect(await once('a')).toBe(await once('a'))
    expect(await once('a')).not.toBe(await once('b'))
  })
})

describe('an automatic reply', () => {
  const rules = {
    is_enabled: true,
    ratings: [4, 5],
    include_unrated: true,
    newest_days: 30,
    delay_min_minutes: 10,
    delay_max_minutes: 30,
  }
  const location = { is_active: true, auto_response_enabled: true }
  const review = { source_id: 's', star_rating: 5, review_text: 'Great.', review_created_at: iso(-day) }
  const why = (more: object = {}, given: object | null = rules, place: object = location) =>
    whyUnanswered({ ...review, ...more } as never, given as never, place as never, new Date(now))

  test('is given by the rules, the opt-in, the stars, the age and the words', () => {
    expect(why()).toBeNull()
    expect(why({}, null)).toBe('replies_off')
    expect(why({}, { ...rules, is_enabled: false })).toBe('replies_off')
    expect(why({}, rules, { ...location, is_active: false })).toBe('location_off')
    expect(why({}, rules, { ...location, auto_response_enabled: false })).toBe('location_off')
    expect(why({ reply: { text: 'x' } })).toBe('answered')
    expect([why({ star_rating: 4 }), why({ star_rating: 3 })]).toEqual([null, 'rating'])
    expect([
      why({ star_rating: null }),
      why({ star_rating: null, recommends: true }),
      why({ star_rating: null, recommends: false }),
    ]).toEqual([null, null, 'rating'])
    const bad = { star_rating: null, recommends: false }
    expect(why(bad, { ...rules, ratings: [1] })).toBe('low_stars')
    expect(why(bad, { ...rules, ratings: [1], low_stars_allowed: true })).toBeNull()
    expect(why({ star_rating: null }, { ...rules, include_unrated: false })).toBe('rating')
    expect(why({ star_rating: null, recommends: true }, { ...rules, include_unrated: false })).toBe('rating')
    expect([
      why({ review_created_at: iso(-30 * day) }),
      why({ review_created_at: iso(-30 * day - 1) }),
    ]).toEqual([null, 'too_old'])
    expect(why({ review_created_at: undefined })).toBeNull()
    expect(why({ review_text: 'The police came.', review_language: 'en' })).toBe('sensitive')
  })

  test('is drawn once, evenly over the window', () => {
    const schedule = (random: number, more: object = {}, given: object | null = rules) =>
      scheduleReply(
        { ...review, ...more } as never,
        given as never,
        location as never,
        new Date(now),
        () => random,
      )
    const pending = (minutes: number) => ({
      auto_response_status: 'pending',
      auto_response_scheduled_at: iso(minutes * 60_000),
    })
    expect<unknown>([schedule(0), schedule(0.5), schedule(1)]).toEqual([
      pending(10),
      pending(20),
      pending(30),
    ])
    expect(schedule(0, { star_rating: 1 })).toEqual({
      auto_response_status: 'skipped',
      auto_response_reason: 'rating',
    })
    expect(schedule(0, {}, null)).toEqual({})
  })

  test('that is due is judged again, by what is stored and by what the platform says now', () => {
    const row = { id: 'rev_1', is_flagged: false, created_date: iso(0) }
    const deciding = { location, rules, source: {} } as never
    const unseen = (more: object, given = deciding) => whySkippedUnseen({ ...row, ...more } as never, given)
    expect(unseen({})).toBeNull()
    expect(unseen({ removed_at_source_at: iso(0) })).toBe('removed')
    expect(unseen({ removed_at_source_at: null })).toBeNull()
    expect(unseen({ reply_text: 'x' })).toBe('answered')
    expect(unseen({ is_flagged: true })).toBe('flagged')
    expect(unseen({}, { location, rules: null } as never)).toBe('replies_off')
    expect(unseen({}, { location, rules: { ...rules, is_enabled: false } } as never)).toBe('replies_off')
    expect(unseen({}, { location: { ...location, is_active: false }, rules } as never)).toBe('location_off')
    expect(unseen({}, { location: { ...location, auto_response_enabled: false }, rules } as never)).toBe(
      'location_off',
    )
    const seen = (more: object, said: object = {}) =>
      whySkipped({ ...row, ...more } as never, { ...review, ...said } as never, deciding)
    expect(seen({})).toBeNull()
    expect(seen({}, { reply: { text: 'x' } })).toEqual({ reason: 'answered' })
    expect(seen({ is_flagged: true })).toEqual({ reason: 'flagged' })
    expect(seen({ removed_at_source_at: iso(0) })).toEqual({ reason: 'removed' })
    expect(seen({}, { review_text: 'The police came.', review_language: 'en' })).toMatchObject({
      reason: 'sensitive',
      flag: { is_flagged: true },
    })
    const urgent = { analysis_method: 'llm:x', priority: 'urgent' }
    expect(seen(urgent)).toMatchObject({ reason: 'urgent', flag: { is_flagged: true } })
    expect(seen({ ...urgent, star_rating: 1 })).toBeNull()
    expect(seen({ ...urgent, priority: 'high' })).toBeNull()
    expect(seen({ ...urgent, analysis_method: 'rules' })).toBeNull()
  })

  test('speaks to a first name that surely is one, and takes stars from a feeling', () => {
    for (const [name, first] of [
      ['Ann Lee', 'Ann'],
      ['  Zoë  X', 'Zoë'],
      ["O'Neil", "O'Neil"],
      ['Jean-Luc P', 'Jean-Luc'],
      ['ANN', undefined],
      ['ann', undefined],
      ['A', undefined],
      ['Ann3', undefined],
      ['@Ann', undefined],
      ['', undefined],
      [undefined, undefined],
      [`A${'n'.repeat(59)}`, `A${'n'.repeat(59)}`],
      [`A${'n'.repeat(60)}`, undefined],
    ] as const)
      expect([name, firstName(name)]).toEqual([name, first])
    const stars = (star_rating: number | undefined, sentiment?: string) =>
      starsOf({ star_rating, sentiment } as never)
    expect([
      stars(2, 'positive'),
      stars(undefined, 'negative'),
      stars(undefined, 'positive'),
      stars(undefined, 'mixed'),
      stars(undefined),
    ]).toEqual([2, 1, 5, 3, 3])
  })
})

describe('the digest of a review', () => {
  const said = {
    source_id: 's',
    star_rating: 4,
    review_text: 't',
    reviewer_name: 'n',
    review_created_at: 'c',
    review_updated_at: 'u',
  }
  const row = { ...said, reply_text: 'r', reply_created_at: 'a', source_metadata: {} }

  test('is the same for what a source tells and for the row that holds it', () => {
    expect(digestOf({ ...said, reply: { text: 'r', at: 'a' } })).toBe(digestOf(row))
    expect(digestOf({ ...said, reply: { text: 'r' } })).toBe(
      digestOf({ ...row, reply_created_at: undefined }),
    )
    expect(digestOf({ source_id: 's' })).toBe(
      digestOf({ source_id: 's', star_rating: null, review_text: '', reply_text: '' }),
    )
    expect(digestOf(row)).toMatch(/^2:[0-9a-f]{64}$/)
  })

  test('changes with each part, and is known in both versions', () => {
    const parts = [
      { source_id: 'x' },
      { star_rating: 5 },
      { review_text: 'x' },
      { reviewer_name: 'x' },
      { review_created_at: 'x' },
      { review_updated_at: 'x' },
      { reply_text: 'x' },
      { reply_created_at: 'x' },
      { recommends: true },
      { recommends: false },
    ]
    const digests = [row, ...parts.map((part) => ({ ...row, ...part }))].map(digestOf)
    expect(new Set(digests).size).toBe(parts.length + 1)
    expect(isDigestOf(digestOf(row), row)).toBe(true)
    expect(isDigestOf(digestOf({ ...row, star_rating: 1 }), row)).toBe(false)
    const old = sha256(JSON.stringify(['s', 4, 't', 'n', 'c', 'u', 'r']))
    expect(isDigestOf(old, row)).toBe(true)
    expect(isDigestOf(old, { ...row, review_text: 'x' })).toBe(false)
  })
})

test('that a person’s reply was not sent or not deleted is told once for each act, with what to do', async () => {
  const fail = async (kind: string, act: string) => {
    const { ctx, notices } = told()
    const one = { review_id: 'rev_1', workspace_id: 'wsp_1', location_id: 'loc_1', act, act_id: 'act_7' }
    await notifyFailedAct(ctx, one as never, { kind, message: 'It failed' } as never)
    return notices
  }
  expect(await fail('permission', 'publish')).toEqual([
    {
      workspace_id: 'wsp_1',
      location_id: 'loc_1',
      entity: 'Review',
      entity_id: 'rev_1',
      type: 'reply_failed',
      severity: 'warning',
      once: 'reply_failed act_7',
      title: 'Your reply was not sent',
      body: 'It failed. Check that the account under Settings, Connections may manage this profile.',
    },
  ])
  const bodyOf = async (kind: string) => (await fail(kind, 'delete'))[0]
  expect(await bodyOf('auth')).toMatchObject({
    title: 'A reply was not deleted',
    body: 'It failed. Connect the account again under Settings, Connections.',
  })
  for (const kind of ['permanent', 'transient', 'unsupported'])
    expect((await bodyOf(kind))?.body).toBe('It failed.')
})
