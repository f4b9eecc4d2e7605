import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { dataforseoReviews as dataforseo } from '../../../plugins/dataforseo/reviews'
import { placesReviews as places } from '../../../plugins/places/reviews'
import { starsOf } from '../../../plugins/reviews/contract'
import { readRows, unreadOf } from '../../../plugins/reviews/read-rows'
import { recommendsOf } from '../../../plugins/reviews/sources/verdict'

const settings = {
  DATAFORSEO_URL: 'https://dfs',
  DATAFORSEO_LOGIN: 'me',
  DATAFORSEO_PASSWORD: 'pass',
  DATAFORSEO_REVIEWS_PER_DAY: 5,
  DATAFORSEO_ANSWERS_PER_DAY: 5,
  PLACES_URL: 'https://places',
  PLACES_API_KEY: 'key',
  PLACES_CALLS_PER_DAY: 7,
}
type Asked = Record<string, unknown> & { answer: v.GenericSchema; faultOf: (answer: object) => unknown }
/** A world whose services answer with this JSON, read by the schema that the source names. */
function world(json: unknown, status = 200) {
  const asked: Asked[] = []
  const spent: object[] = []
  const saved: object[] = []
  const outbound = {
    spend: async (what: object) => void spent.push(what),
    ask: async (question: Asked) => {
      asked.push(question)
      const fault = question.faultOf({ status, json })
      if (fault) throw fault
      return v.parse(question.answer, json)
    },
  }
  return { ctx: { settings, outbound } as never, asked, spent, saved }
}
const read = async (
  source: typeof places,
  location: object,
  json: unknown,
  task: object = {},
  status?: number,
) => {
  const one = world(json, status)
  const signal = new AbortController().signal
  const given = {
    signal,
    attempt: 1,
    saved: {},
    save: async (state: object) => void one.saved.push(state),
    ...task,
  }
  const reader = await source.open(one.ctx, location as never, given as never)
  const page = await (reader as { page(token: string | null): Promise<unknown> })
    .page(null)
    .catch((error) => error)
  return {
    ...one,
    page: page as never as Record<string, unknown> & {
      kind?: string
      code?: string
      retryAfterMs?: number
      message: string
    },
  }
}

describe('a place', () => {
  const told = {
    name: 'places/p/reviews/r1',
    rating: 4,
    publishTime: '2026-01-02T03:04:05.678901Z',
    text: { text: 'translated', languageCode: 'en' },
    originalText: { text: 'urspruenglich', languageCode: 'de' },
    authorAttribution: { displayName: 'Ann', photoUri: 'https://photo' },
    googleMapsUri: 'https://maps',
  }

  test('is asked for its figures and reviews with the key, within the calls of a day', async () => {
    const { page, asked, spent } = await read(
      places,
      { google_place_id: 'p/1' },
      { id: 'p', rating: 4.5, userRatingCount: 9, reviews: [told] },
    )
    expect<unknown>(page).toEqual({
      reviews: [
        {
          source_id: 'r1',
          google_review_id: 'r1',
          star_rating: 4,
          reviewer_name: 'Ann',
          reviewer_photo_url: 'https://photo',
          review_text: 'urspruenglich',
          review_language: 'de',
          review_created_at: '2026-01-02T03:04:05.678Z',
          metadata: { url: 'https://maps' },
        },
      ],
      total: 9,
      next: null,
      average: 4.5,
    })
    expect(asked[0]).toMatchObject({
      url: 'https://places/places/p%2F1',
      headers: { 'x-goog-api-key': 'key', 'x-goog-fieldmask': 'id,rating,userRatingCount,reviews' },
      secrets: ['key'],
    })
    expect(spent).toEqual([
      { provider: 'places', account: 'installation', perDay: 7, timezone: 'America/Los_Angeles' },
    ])
    expect([places.name, places.evidence, places.everyMs]).toEqual(['places', 'none', 86_400_000])
  })

  test('without figures and with little of a review says only what is there', async () => {
    const bare = { name: 'places/p/reviews/r2' }
    const { page } = await read(
      places,
      {},
      {
        id: 'p',
        reviews: [
          bare,
          { ...bare, text: { text: '', languageCode: 'en' } },
          { ...bare, text: { text: 'x' } },
          { name: 'r3' },
        ],
      },
    )
    expect<unknown>(page).toEqual({
      reviews: [
        {
          source_id: 'r2',
          google_review_id: 'r2',
          star_rating: null,
          doesNotReplace: ['review_text', 'review_language'],
        },
        {
          source_id: 'r2',
          google_review_id: 'r2',
          star_rating: null,
          doesNotReplace: ['review_text', 'review_language'],
        },
        {
          source_id: 'r2',
          google_review_id: 'r2',
          star_rating: null,
          review_text: 'x',
          doesNotReplace: ['review_text', 'review_language'],
        },
      ],
      total: null,
      next: null,
      isPart: true,
      unread: [{ source_id: 'r3', reason: 'name' }],
    })
  })

  test('has stars that are whole and from one to five', () => {
    expect([1, 5, 0, 6, 4.5, null, undefined].map(starsOf)).toEqual([1, 5, null, null, null, null, null])
    expect(
      [
        { recommendation_type: 'positive' },
        { recommendation_type: 'negative' },
        { recommendation_type: 'x' },
        {},
        null,
      ].map(recommendsOf),
    ).toEqual([true, false, undefined, undefined, undefined])
  })
})

describe('an order of reviews', () => {
  const cafe = { id: 'loc_1', business_name: 'Café Zoë', city: 'Bonn', country: 'DE' }
  const done = (result: object) => ({
    status_code: 20_000,
    tasks: [{ status_code: 20_000, result: [result] }],
  })
  const kept = { saved: { order: 'o/1' } }
  const fetched = (result: object, location: object = cafe) => read(dataforseo, location, done(result), kept)

  test('is paid once, kept, and looked for again after a doubled wait of a minute to half an hour', async () => {
    const placed = { status_code: 20_000, tasks: [{ status_code: 20_100, id: 'o/1' }] }
    const { page, asked, spent, saved } = await read(dataforseo, cafe, placed)
    expect(page).toMatchObject({ kind: 'transient', code: 'not_ready', retryAfterMs: 60_000 })
    expect(saved).toEqual([{ order: 'o/1' }])
    expect(spent).toEqual([{ provider: 'dataforseo', account: 'installation', cost: 100, perDay: 5 }])
    expect(asked[0]).toMatchObject({
      url: 'https://dfs/v3/business_data/google/reviews/task_post',
      headers: { authorization: `Basic ${btoa('me:pass')}` },
      secrets: ['pass', btoa('me:pass')],
      json: [
        {
          keyword: 'Café Zoë, Bonn',
          location_code: 2_276,
          language_code: 'en',
          depth: 100,
          sort_by: 'newest',
          priority: 1,
          tag: 'loc_1',
        },
      ],
    })
    const byPlace = await read(dataforseo, { ...cafe, google_place_id: 'p' }, placed)
    expect(byPlace.asked[0]).toMatchObject({ json: [{ place_id: 'p' }] })
    for (const [attempt, minutes] of [
      [2, 2],
      [6, 32],
      [9, 32],
    ] as const)
      expect((await read(dataforseo, cafe, placed, { attempt })).page.retryAfterMs).toBe(minutes * 60_000)
    expect((await read(dataforseo, { ...cafe, country: 'Nowhere' }, placed)).page).toMatchObject({
      kind: 'permanent',
    })
  })

  test('is read in the words of its writer', async () => {
    const item = {
      review_id: 'r1',
      review_text: 'translated',
      original_review_text: 'own',
      original_language: 'de',
      timestamp: '2026-01-02 03:04:05 +00:00',
      rating: { value: 5 },
      profile_name: 'Ann',
      profile_image_url: 'https://photo',
      local_guide: false,
      review_url: 'https://review',
      owner_answer: 'translated',
      original_owner_answer: 'Danke',
      owner_timestamp: '2026-01-03 03:04:05 +00:00',
    }
    const { page, asked } = await fetched({
      title: 'cafe ZOE bonn',
      rating: { value: 4.2 },
      reviews_count: 12,
      items: [
        item,
        { review_id: 'r2' },
        { review_id: '' },
        { review_id: 'r4', owner_answer: 'x', original_language: 'de', timestamp: null },
      ],
    })
    expect(asked[0]?.url).toBe('https://dfs/v3/business_data/google/reviews/task_get/o%2F1')
    expect<unknown>(page).toEqual({
      reviews: [
        {
          source_id: 'r1',
          google_review_id: 'r1',
          star_rating: 5,
          reviewer_name: 'Ann',
          reviewer_photo_url: 'https://photo',
          reviewer_is_local_guide: false,
          review_text: 'own',
          review_language: 'de',
          review_created_at: '2026-01-02T03:04:05.000Z',
          reply: { text: 'Danke', at: '2026-01-03T03:04:05.000Z' },
          metadata: { url: 'https://review' },
          doesNotReplace: [],
        },
        {
          source_id: 'r2',
          google_review_id: 'r2',
          star_rating: null,
          doesNotReplace: ['review_text', 'review_language', 'reply'],
        },
        {
          source_id: 'r4',
          google_review_id: 'r4',
          star_rating: null,
          reply: { text: 'x' },
          doesNotReplace: ['review_text', 'review_language', 'reply'],
        },
      ],
      total: 12,
      next: null,
      isPart: true,
      unread: [{ source_id: '', reason: 'review_id' }],
      average: 4.2,
    })
  })

  test('of another business is refused by its name, unless its place is known', async () => {
    const found = (title: string | null, location: object = cafe) =>
      fetched({ title, items_count: 0 }, location)
    for (const title of ['Café Zoë', 'zoe CAFE', 'Café', 'Café Zoë am Markt'])
      expect([title, (await found(title)).page]).toMatchObject([title, { reviews: [] }])
    for (const title of ['Bar Zoë', 'Kiosk', '', null])
      expect([title, (await found(title)).page]).toMatchObject([title, { kind: 'permanent' }])
    expect((await found('Kiosk', { ...cafe, google_place_id: 'p' })).page).toMatchObject({
      reviews: [],
      total: null,
    })
  })

  test('says that there is nothing only in its own words', async () => {
    const none = { status_code: 20_000, tasks: [{ status_code: 40_102 }] }
    expect<unknown>((await read(dataforseo, cafe, none, kept)).page).toEqual({
      reviews: [],
      total: null,
      next: null,
    })
    expect((await fetched({ title: 'Café Zoë', reviews_count: 0 })).page).toMatchObject({
      reviews: [],
      total: 0,
    })
    expect((await fetched({ title: 'Café Zoë' })).page).toBeInstanceOf(Error)
    expect((await fetched({ title: 'Café Zoë', items: [], items_count: 3 })).page).toBeInstanceOf(Error)
  })

  test('fails by the codes of the service, of the answer and of the task', async () => {
    const of = async (code: number) => {
      const inTask = await read(
        dataforseo,
        cafe,
        { status_code: 20_000, tasks: [{ status_code: code, status_message: 'm' }] },
        kept,
      )
      const whole = await read(dataforseo, cafe, { status_code: code, status_message: 'm' }, kept)
      expect([code, whole.page.kind, whole.page.code]).toEqual([code, inTask.page.kind, inTask.page.code])
      return {
        kind: inTask.page.kind,
        code: inTask.page.code,
        wait: inTask.page.retryAfterMs,
        saved: inTask.saved,
      }
    }
    for (const code of [40_601, 40_602])
      expect(await of(code)).toMatchObject({ kind: 'transient', code: 'not_ready', wait: 60_000, saved: [] })
    for (const code of [40_400, 40_401])
      expect(await of(code)).toMatchObject({ kind: 'transient', code: 'unknown_order', saved: [{}] })
    for (const code of [40_202, 42_900])
      expect(await of(code)).toMatchObject({ kind: 'rate', code: String(code) })
    for (const code of [40_101, 50_000, 59_999])
      expect(await of(code)).toMatchObject({ kind: 'transient', code: String(code) })
    for (const code of [40_200, 40_299])
      expect(await of(code)).toMatchObject({ kind: 'quota', code: String(code), wait: 3_600_000 })
    for (const code of [40_100, 40_199])
      expect(await of(code)).toMatchObject({ kind: 'auth', code: String(code) })
    for (const code of [40_000, 40_300, 49_999])
      expect(await of(code)).toMatchObject({ kind: 'permanent', code: String(code) })
    expect((await read(dataforseo, cafe, 'a proxy', kept, 502)).page).toMatchObject({
      name: 'ServiceFault',
      kind: 'transient',
    })
  })
})

test('rows are read each by itself: those that cannot be are named by their id and their first fault', () => {
  const schema = v.object({ id: v.string(), stars: v.number() })
  const { rows, unread } = readRows(
    schema,
    [{ id: 'a', stars: 1 }, { id: 'b', stars: 'x' }, { id: 7, stars: 1 }, 'x'],
    'id',
  )
  expect(rows).toEqual([{ id: 'a', stars: 1 }])
  expect(unread).toEqual([{ source_id: 'b', reason: 'stars' }, { reason: 'id' }, { reason: 'the row' }])
  expect(unreadOf(unread)).toEqual({ isPart: true, unread })
  expect(unreadOf([])).toEqual({})
})
