import { describe, expect, test } from 'bun:test'
import { Refusal } from 'renown'
import * as v from 'valibot'
import { rowPages, rowsOf } from '../../../core/contexts/row-pages'
import type { PagesQuery } from '../../../core/contracts/context'
import { ServiceFault } from '../../../core/contracts/service-fault'
import { readSettings } from '../../../core/contracts/settings'
import {
  createAdoption,
  type ReviewRow,
  reconcile,
  sourceFieldsOf,
} from '../../../plugins/reviews/analysis/reconcile'
import { afterFault, permissionWaitsMs, savedTries } from '../../../plugins/reviews/due/replyRetries'
import reviews from '../../../plugins/reviews/index'
import { setAutoResponse } from '../../../plugins/reviews/operations/setAutoResponse'
import { ReviewedLocation } from '../../../plugins/reviews/records/ReviewedLocation'
import {
  begin,
  dueReviews,
  enqueueSync,
  findLocations,
  isRead,
} from '../../../plugins/reviews/sync/dueReviews'
import { readAtOnce } from '../../../plugins/reviews/sync/readAtOnce'
import { isReadNow } from '../../../plugins/reviews/sync/readNow'
import { modelReply, writeReply } from '../../../plugins/reviews/writing/writeReply'
import { shippedRegistry } from '../../support/shipped'
import { nothingFound } from './support/looks'

const now = Date.parse('2026-11-20T10:00:00.000Z')
const iso = (ms: number) => new Date(now + ms).toISOString()
const day = 86_400_000

type Row = Record<string, unknown> & { id: string }
type Part = { op: string; field?: string; value?: string; of?: unknown[] }
type Query = { where?: Part; limit: number }
const shipped = shippedRegistry()
/** The owner's side over lists of rows by entity, with what it was asked and told. */
function owner(tables: Record<string, Row[]>) {
  const queued: { key: string; runAt: Date }[] = []
  const asked: Query[] = []
  const inserted: object[] = []
  const updated: [string, object][] = []
  const rows = ({ name }: { name: string }) => ({
    list: async (query: Query) => {
      asked.push(query)
      const parts = [query.where, ...((query.where?.of ?? []) as Part[])]
      const last = String(parts.find((part) => part?.field === 'id')?.value ?? '')
      return (tables[name] ?? []).filter(({ id }) => id > last).slice(0, query.limit)
    },
    get: async (id: string) => tables[name]?.find((row) => row.id === id) ?? null,
    insert: async (row: object) => {
      inserted.push(row)
      if ('taken' in row) throw new Refusal('conflict', 'x')
    },
    update: async (id: string, changes: object) => updated.push([id, changes]),
    updateWhere: async () => ({ location_id: 'x', workspace_id: 'w', due_at: iso(0) }),
  })
  const paged = (entity: { name: string }) => {
    const own = rows(entity)
    return { ...own, each: (query: PagesQuery) => rowsOf(rowPages(own.list as never, query), query?.signal) }
  }
  const ctx = {
    now: () => new Date(now),
    rows: paged,
    extensions: shipped.extensions,
    settings: readSettings({}, Object.fromEntries(shipped.settings)),
    enqueue: async (_: string, job: { key: string; runAt: Date }) => queued.push(job),
  }
  return { ctx: ctx as never, queued, asked, inserted, updated }
}
const signal = new AbortController().signal
const listing = (n: number, more: object = {}) => ({
  id: `lst_${String(n).padStart(5, '0')}`,
  location_id: `loc_${n}`,
  workspace_id: 'w',
  due_at: iso(-n),
  ...more,
})
const location = (n: number, more: object = {}) => ({
  id: `loc_${String(n).padStart(5, '0')}`,
  workspace_id: 'w',
  is_active: true,
  is_prospect: false,
  facebook_page_id: 'p',
  ...more,
})

const accountReady = (provider: string, account_id: string) =>
  ({ workspace_id: 'w', data: { provider, account_id } }) as never

describe('locations that are due', () => {
  test('are queued, all of them, 500 at a time', async () => {
    const world = owner({ ReviewListing: Array.from({ length: 1_001 }, (_, n) => listing(n)) })
    await dueReviews.run(world.ctx, signal)
    expect(world.queued).toHaveLength(1_001)
    expect(world.asked.map(({ limit }) => limit)).toEqual([500, 500, 500])
    expect(world.asked[0]?.where?.of?.[0]).toEqual({
      op: 'or',
      of: [
        { op: 'lte', field: 'due_at', value: iso(0) },
        { op: 'gt', field: 'due_at', value: iso(2 * day) },
      ],
    })
  })

  test('are not queued any more by a job that is to stop', async () => {
    const world = owner({ ReviewListing: [listing(1)] })
    await dueReviews.run(world.ctx, AbortSignal.abort())
    expect(world.queued).toEqual([])
  })

  test('come first where they were never read, else by how long they are due', async () => {
    const runAt = async (more: object) => {
      const world = owner({})
      await enqueueSync(world.ctx, listing(1, more) as never)
      return world.queued[0]?.runAt.getTime()
    }
    expect(await runAt({})).toBe(0)
    expect(await runAt({ last_full_at: iso(0) })).toBe(now - 1)
    expect(await runAt({ reading: {} })).toBe(now - 1)
    expect(await runAt({ reading: {}, due_at: iso(5 * day) })).toBe(now)
  })
})

describe('known locations', () => {
  test('are begun where they can be read, and left where they cannot, however many there are', async () => {
    const locations = Array.from({ length: 1_100 }, (_, n) => location(n, n % 2 ? {} : { is_active: false }))
    const listings = Array.from({ length: 600 }, (_, n) => listing(n, { location_id: locations[n]?.id }))
    const world = owner({ BusinessLocation: locations, ReviewListing: listings })
    await findLocations.run(world.ctx, signal)
    expect(world.inserted).toHaveLength(250)
    expect(world.updated).toHaveLength(300)
    expect(world.updated[0]).toEqual(['lst_00000', { due_at: undefined }])
    expect(world.inserted[0]).toEqual({ workspace_id: 'w', location_id: 'loc_00601', due_at: iso(0) })
  })

  test('are read where they are active, real and have a source', () => {
    const { ctx } = owner({})
    const read = (more: object) => isRead(ctx, location(1, more) as never)
    expect(read({})).toBe(true)
    expect(read({ is_demo: false })).toBe(true)
    for (const more of [
      { is_active: false },
      { is_prospect: true },
      { is_demo: true },
      { facebook_page_id: undefined },
    ])
      expect([more, read(more)]).toEqual([more, false])
  })

  test('that are begun already go on as they were; every other fault is told', async () => {
    const failing = (error: Error) =>
      ({
        now: () => new Date(now),
        rows: () => ({ insert: () => Promise.reject(error), updateWhere: async () => null }),
      }) as never
    expect(await begin(failing(new Refusal('conflict', 'x')), 'loc', 'w')).toBeUndefined()
    const other = new Refusal('invalid_field', 'x')
    expect(await begin(failing(other), 'loc', 'w').catch((error) => error)).toBe(other)
  })

  test('of an account are read at once, by either form of its id, 500 at a time', async () => {
    const world = owner({ BusinessLocation: Array.from({ length: 501 }, (_, n) => location(n)) })
    await readAtOnce(world.ctx, accountReady('google', 'accounts/7'))
    expect(world.queued).toHaveLength(501)
    expect(world.asked.map(({ limit }) => limit)).toEqual([500, 500])
    const own = (query?: Query) => (query?.where?.of?.[0] as Part | undefined)?.of
    expect(own(world.asked[0])).toEqual([
      { op: 'eq', field: 'workspace_id', value: 'w' },
      { op: 'or', of: [{ op: 'in', field: 'google_account_id', values: ['7', 'accounts/7'] }] },
    ])
    const page = owner({})
    await readAtOnce(page.ctx, accountReady('facebook', 'p'))
    expect(own(page.asked[0])?.[1]).toEqual({
      op: 'or',
      of: [{ op: 'eq', field: 'facebook_page_id', value: 'p' }],
    })
  })

  test('are read now where that was asked for since they were last read', () => {
    const asked = (read_now_at?: string, last_full_at?: string) =>
      isReadNow({ read_now_at, last_full_at } as never)
    expect([
      asked(),
      asked(iso(0)),
      asked(undefined, iso(0)),
      asked(iso(1), iso(0)),
      asked(iso(0), iso(0)),
    ]).toEqual([false, true, false, true, false])
  })
})

describe('a review that was imported another way', () => {
  const row = (more: object = {}) =>
    ({
      id: 'rev_1',
      source_id: 'a',
      star_rating: 5,
      reviewer_name: 'Ann',
      review_text: 'Café  au lait',
      review_created_at: iso(0),
      ...more,
    }) as unknown as ReviewRow
  const review = (more: object = {}) =>
    ({
      source_id: 'b',
      star_rating: 5,
      reviewer_name: 'Ann',
      review_text: ' Café au lait ',
      review_created_at: iso(0),
      ...more,
    }) as never
  const adopted = (one: ReviewRow[], given: never = review()) => createAdoption(one)(given)

  test('is known by its stars, name, beginning and day, and given away once', () => {
    const only = row()
    expect(adopted([only])).toBe(only)
    expect(adopted([row({ review_text: 'Cafe\u0301 au lait' })])).toBeDefined()
    expect(
      adopted([row({ review_text: `${'x'.repeat(40)}a` })], review({ review_text: `${'x'.repeat(40)}b` })),
    ).toBeDefined()
    expect(
      adopted([row({ review_text: `${'x'.repeat(39)}a` })], review({ review_text: `${'x'.repeat(39)}b` })),
    ).toBeUndefined()
    expect(adopted([row({ review_created_at: iso(day) })])).toBeDefined()
    expect(adopted([row({ review_created_at: iso(-day) })])).toBeDefined()
    for (const more of [
      { star_rating: 4 },
      { reviewer_name: 'Bob' },
      { reviewer_name: undefined },
      { review_text: 'Tea' },
      { review_created_at: iso(day + 1) },
      { review_created_at: iso(-day - 1) },
      { review_created_at: undefined },
    ])
      expect([more, adopted([row(more)])]).toEqual([more, undefined])
    expect(adopted([row({ star_rating: undefined })], review({ star_rating: null }))).toBeDefined()
    expect(adopted([row(), row()])).toBeUndefined()
    const adopt = createAdoption([only])
    expect([adopt(review()), adopt(review())]).toEqual([only, undefined])
  })

  test('is compared field by field with what its source decides', () => {
    const stored = row({
      source_id: 'b',
      review_text: 'x',
      reply_text: 'r',
      review_language: 'en',
      source_metadata: { a: 1 },
    })
    const of = (given: object, options?: Parameters<typeof reconcile>[2]) =>
      reconcile([review({ review_text: 'x', ...given })], [stored], options)
    expect(of({ reply: { text: 'r' } })).toMatchObject({ fresh: [], changed: [], same: [stored] })
    expect(of({ reply: { text: 'r' }, metadata: { b: 2 } }).changed[0]?.set).toEqual({
      source_metadata: { a: 1, b: 2 },
    })
    expect(of({ reply: { text: 'r' }, metadata: { a: 1 } }).same).toHaveLength(1)
    // A reply that is left out stays: several readings must prove that it was withdrawn.
    expect(of({}).same).toHaveLength(1)
    expect(of({ reply: { text: 'r' }, star_rating: 4 }).changed[0]).toMatchObject({
      set: { star_rating: 4 },
      rewritten: true,
    })
    expect(of({ reply: { text: 'r' }, review_text: 'y' }).changed[0]).toMatchObject({
      set: { review_text: 'y' },
      rewritten: true,
    })
    expect(of({ reply: { text: 'r2' } }, { isTurned: () => true }).changed[0]).toMatchObject({
      rewritten: true,
    })
    const gone = reconcile(
      [review({ review_text: 'x', reply: { text: 'r' } })],
      [{ ...stored, removed_at_source_at: iso(0) }],
    )
    expect(gone.changed[0]).toMatchObject({ set: { removed_at_source_at: null }, restored: true })
    expect(reconcile([review()], []).fresh).toHaveLength(1)
    expect(
      reconcile([review({ source_id: 'c' })], [stored], { adopt: () => stored }).changed[0]?.set,
    ).toMatchObject({ source_id: 'c' })
    expect(
      sourceFieldsOf(
        review({ recommends: true, rejectedReply: {}, reply: { text: 'r', at: 't' }, metadata: { a: 1 } }),
      ),
    ).toMatchObject({ reply_text: 'r', reply_created_at: 't', source_metadata: { a: 1 } })
    for (const name of ['recommends', 'rejectedReply', 'reply', 'metadata'])
      expect(
        sourceFieldsOf(review({ recommends: true, rejectedReply: {}, reply: { text: 'r' }, metadata: {} })),
      ).not.toHaveProperty(name)
  })
})

describe('after a fault a reply', () => {
  const after = (error: unknown, before: object | null, random = 0) => {
    const { fault, failed } = afterFault(error, before as never, { now: new Date(now), random: () => random })
    return {
      kind: fault.kind,
      wait: fault.retryAfterMs,
      code: fault.code,
      tries: failed.tries,
      refusals: failed.refusals,
      since: failed.since,
    }
  }
  const minute = 60_000
  const passing = new ServiceFault('transient', 'x')

  test('is tried again after a doubled wait of a minute to an hour, and up to a tenth more', () => {
    expect(after(passing, null)).toEqual({
      kind: 'transient',
      wait: minute,
      code: undefined,
      tries: 1,
      refusals: 0,
      since: iso(0),
    })
    expect(after(passing, null, 1).wait).toBe(66_000)
    const tried = (tries: number) => after(passing, { tries, refusals: 0, since: iso(0) }).wait
    expect([1, 2, 5, 6, 99].map(tried)).toEqual([2, 4, 32, 60, 60].map((minutes) => minutes * minute))
    expect(after(new ServiceFault('rate', 'x', { retryAfterMs: 90 * minute }), null).wait).toBe(90 * minute)
    expect(after(new Error('x'), null)).toMatchObject({ kind: 'transient', wait: minute })
    expect(after(new ServiceFault('auth', 'x'), null)).toMatchObject({ kind: 'transient', wait: minute })
  })

  test('ends after 24 hours and eight tries, never before both', () => {
    const ended = (tries: number, ms: number) => after(passing, { tries, refusals: 0, since: iso(-ms) }).kind
    expect([ended(7, day), ended(6, day), ended(7, day - 1), ended(50, day - 1)]).toEqual([
      'permanent',
      'transient',
      'transient',
      'transient',
    ])
    expect(after(passing, { tries: 7, refusals: 0, since: iso(-day) }).code).toBe('gave_up')
    for (const kind of ['permanent', 'unsupported'] as const)
      expect(after(new ServiceFault(kind, 'x', { code: 'c' }), null)).toMatchObject({
        kind,
        wait: undefined,
        code: 'c',
      })
  })

  test('waits for permissions 10 minutes to 4 hours, five times', () => {
    expect(permissionWaitsMs).toEqual([10, 30, 60, 120, 240].map((minutes) => minutes * minute))
    const refused = new ServiceFault('permission', 'x')
    expect(after(refused, { tries: 3, refusals: 1, since: iso(0) })).toMatchObject({
      kind: 'transient',
      wait: 30 * minute,
      refusals: 2,
      tries: 4,
    })
    expect(after(refused, { tries: 0, refusals: 5, since: iso(0) })).toMatchObject({
      kind: 'permission',
      wait: undefined,
    })
  })

  test('that only waits for its turn has not failed', () => {
    const paced = new ServiceFault('rate', 'x', { code: 'paced', retryAfterMs: 7_000 })
    expect(after(paced, { tries: 3, refusals: 0, since: iso(0) })).toMatchObject({ wait: 7_000, tries: 3 })
    expect(savedTries({ tries: 1, refusals: 0, since: 'x' })).toEqual({ tries: 1, refusals: 0, since: 'x' })
    expect([savedTries(null), savedTries({ tries: 'x' })]).toEqual([null, null])
  })
})

describe('a written reply', () => {
  const business = { business_name: 'Café', country: 'GB' } as never
  const review = (stars: number) =>
    ({
      id: 'rev_1',
      workspace_id: 'w',
      star_rating: stars,
      review_text: 'Great food.',
      review_language: 'en',
      reviewer_name: 'Ann Lee',
    }) as never
  const written = async (stars: number, rules: object | null) => {
    const asked: { instructions: string; data: unknown }[] = []
    const model = {
      isConfigured: true,
      ask: async (question: { instructions: string; data: unknown }) => {
        asked.push(question)
        return { ...nothingFound, reply: 'Thank you, Ann.' }
      },
    }
    const rows = ({ name }: { name: string }) => ({
      get: async () => (name === 'AutoResponseRules' ? rules : { agency_id: 'agn' }),
    })
    const outcome = await writeReply({ outbound: { model }, rows } as never, review(stars), business)
    return { outcome, asked }
  }

  test('of a language model has the tone of the rules, and is sent from their stars upwards, 4 where they say none', async () => {
    expect((await written(5, { tone: 'formal' })).asked[0]?.instructions).toContain('in a formal tone')
    expect((await written(5, null)).asked[0]?.instructions).toContain('in a friendly tone')
    expect((await written(3, null)).outcome).toMatchObject({
      isSendable: false,
      reason: 'stars_below_model_minimum',
      why: expect.stringContaining('from 4 stars'),
      draft: 'Thank you, Ann.',
    })
    expect((await written(3, { model_stars_min: 3 })).outcome).not.toMatchObject({
      reason: 'stars_below_model_minimum',
    })
    expect((await written(4, null)).outcome).not.toMatchObject({ reason: 'stars_below_model_minimum' })
  })

  test('is asked for with the business, the review and the first name alone', async () => {
    const asked: { name: string; data: unknown; answer: v.GenericSchema; workspace_id: string }[] = []
    const model = {
      ask: async (question: never) => {
        asked.push(question)
        return { reply: 'ok' }
      },
    } as never
    expect(await modelReply(model, review(5), business, 'friendly')).toEqual({
      text: 'ok',
      needs_person: false,
    })
    expect(asked[0]).toMatchObject({
      name: 'review_reply',
      workspace_id: 'w',
      data: {
        business: { name: 'Café' },
        review: { stars: 5, text: 'Great food.', language: 'en', name: 'Ann' },
      },
    })
    const fits = (reply: unknown) =>
      v.safeParse(asked[0]?.answer ?? v.never(), { reply, needs_person: false }).success
    expect([fits('x'), fits('x'.repeat(2_000)), fits('x'.repeat(2_001)), fits(' '), fits(1)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

test('commands of reviews take their ids by position, and the rules have their defaults and bounds', () => {
  const positions = (reviews.commands ?? []).map(({ name, positional = [] }) =>
    [name, ...positional].join(' '),
  )
  expect(positions.filter((one) => /_id/.test(one)).length).toBeGreaterThan(7)
  expect(positions).toEqual(
    expect.arrayContaining([
      'auto-response set agency_id',
      'auto-response show agency_id',
      'review sync location_id',
    ]),
  )
  const read = (more: object) => v.safeParse(setAutoResponse.command.input, { agency_id: 'a', ...more })
  expect(read({}).output).toEqual({
    agency_id: 'a',
    enabled: true,
    ratings: [4, 5],
    include_unrated: false,
    delay_min_minutes: 60,
    delay_max_minutes: 1_440,
    newest_days: 7,
    model_stars_min: 4,
    tone: 'friendly',
    allow_templates: false,
  })
  for (const [more, is] of [
    [{ ratings: [1, 5] }, true],
    [{ ratings: [0] }, false],
    [{ ratings: [6] }, false],
    [{ ratings: [1.5] }, false],
    [{ delay_max_minutes: 43_200 }, true],
    [{ delay_max_minutes: 43_201 }, false],
    [{ delay_min_minutes: 0 }, true],
    [{ delay_min_minutes: -1 }, false],
    [{ newest_days: 0 }, false],
    [{ newest_days: 1 }, true],
    [{ newest_days: 365 }, true],
    [{ newest_days: 366 }, false],
    [{ model_stars_min: 0 }, false],
    [{ model_stars_min: 5 }, true],
    [{ model_stars_min: 6 }, false],
    [{ tone: 'shouting' }, false],
  ] as const)
    expect([more, read(more).success]).toEqual([more, is])
})

test('what is read of a location is named, and all of it stands in the record', async () => {
  const { BusinessLocation } = await import('../../../core/tenancy/BusinessLocation')
  const names = Object.keys(ReviewedLocation.fields)
  for (const name of names) expect(Object.keys(BusinessLocation.fields)).toContain(name)
  for (const name of [
    'ai_insights',
    'ai_insights_updated_at',
    'ai_insights_review_count',
    'last_synced_at',
    'last_full_review_sync_at',
    'review_count_recheck_after',
    'average_rating',
    'total_reviews',
    'is_demo',
    'auto_response_enabled',
    'facebook_page_id',
    'google_place_id',
    'google_account_id',
    'google_location_id',
    'added_via',
    'phone',
    'website',
    'city',
    'country',
  ])
    expect(names).toContain(name)
})
