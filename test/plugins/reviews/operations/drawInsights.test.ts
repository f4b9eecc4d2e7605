import { beforeEach, expect, test } from 'bun:test'
import * as v from 'valibot'
import { drawInsights, dueInsights } from '../../../../plugins/reviews/operations/drawInsights'

const now = '2026-03-16T00:00:00.000Z'
const place = {
  id: 'loc_1',
  workspace_id: 'wsp_1',
  business_name: 'Bakery',
  business_category: 'bakery',
}
interface Place {
  readonly id: string
  readonly ai_insights_updated_at?: string
}
let location: Place | null
let reviews: object[]
let listings: object[]
let isConfigured: boolean
let told: { summary: string; praised: string[]; criticised: string[] }
const heard = {
  queries: [] as object[],
  asked: [] as object[],
  updates: [] as object[],
  queued: [] as object[],
}
const { signal } = new AbortController()

beforeEach(() => {
  location = place
  reviews = Array.from({ length: 5 }, (_, n) => ({
    star_rating: n === 0 ? undefined : n,
    review_text: `text ${n}`,
    created_date: now,
    review_created_at: `2026-03-0${n + 1}T00:00:00.000Z`,
  }))
  listings = [{ location_id: 'loc_1', workspace_id: 'wsp_1', due_at: now }]
  isConfigured = true
  told = { summary: 'Good.', praised: ['staff'], criticised: ['queue'] }
  for (const list of Object.values(heard)) list.length = 0
})

const ctx = {
  now: () => new Date(now),
  rows: ({ name }: { name: string }) => ({
    get: async () => location,
    list: async (query: object) => {
      heard.queries.push(query)
      return reviews
    },
    update: async (id: string, set: object) => void heard.updates.push({ name, id, set }),
    each: async function* () {
      yield* listings
    },
  }),
  outbound: {
    model: {
      get isConfigured() {
        return isConfigured
      },
      generator: 'llm:small',
      ask: async (asked: object) => {
        heard.asked.push(asked)
        return told
      },
    },
  },
  enqueue: async (...job: unknown[]) => void heard.queued.push(job as object),
} as never
const draw = () => drawInsights.run(ctx, { location_id: 'loc_1' }, { signal } as never)
const due = () => dueInsights.run(ctx, signal)

test('the model reads the newest reviews with words, and its answer is kept with their number', async () => {
  await draw()
  expect<unknown>(heard.asked).toEqual([
    {
      name: 'review_insights',
      isBackground: true,
      signal,
      workspace_id: 'wsp_1',
      instructions: expect.stringContaining('Write English.'),
      answer: expect.anything(),
      data: {
        business: { name: 'Bakery', category: 'bakery' },
        reviews: [null, 1, 2, 3, 4].map((stars, n) => ({
          stars,
          at: `2026-03-0${n + 1}T00:00:00.000Z`,
          text: `text ${n}`,
        })),
      },
    },
  ])
  expect(heard.queries).toEqual([
    {
      where: {
        op: 'and',
        of: [
          { op: 'eq', field: 'location_id', value: 'loc_1' },
          { op: 'eq', field: 'removed_at_source_at', value: null },
          { op: 'ne', field: 'review_text', value: null },
        ],
      },
      sort: [{ field: 'review_created_at', direction: 'desc' }],
      limit: 50,
    },
  ])
  const ai_insights = { ...told, generator: 'llm:small' }
  expect(heard.updates).toEqual([
    {
      name: 'BusinessLocation',
      id: 'loc_1',
      set: { ai_insights, ai_insights_updated_at: now, ai_insights_review_count: 5 },
    },
  ])
})

test('an answer has a summary of up to 400 characters and up to five points of up to 80 each', async () => {
  await draw()
  const [{ answer }] = heard.asked as [{ answer: v.GenericSchema }]
  const isTaken = (more: object) => v.is(answer, { ...told, ...more })
  for (const [length, takes] of [
    [0, false],
    [1, true],
    [400, true],
    [401, false],
  ] as const)
    expect([length, isTaken({ summary: 'x'.repeat(length) })]).toEqual([length, takes])
  for (const name of ['praised', 'criticised']) {
    expect(isTaken({ [name]: Array(5).fill('x'.repeat(80)) })).toBe(true)
    for (const wrong of [Array(6).fill('x'), ['x'.repeat(81)], [''], [' '], undefined])
      expect([name, wrong, isTaken({ [name]: wrong })]).toEqual([name, wrong, false])
  }
  expect(isTaken({ more: 1 })).toBe(false)
  expect(v.parse(answer, { ...told, summary: ' x ', praised: [' y '] })).toEqual({
    ...told,
    summary: 'x',
    praised: ['y'],
  })
})

test('a long review is cut to 600 characters, and a translation is left out', async () => {
  const text = `(Translated by Google) Tasty\n\n(Original)\nLecker`
  reviews = [...reviews.slice(2), { review_text: 'x'.repeat(601), created_date: now }]
  reviews.push({ review_text: text, created_date: now })
  await draw()
  const [{ data }] = heard.asked as [{ data: { reviews: { text: string }[] } }]
  expect(data.reviews.slice(3).map((one) => one.text)).toEqual(['x'.repeat(600), 'Lecker'])
})

test('what looks like a link, an address or a long number is left out', async () => {
  const strange = ['see http://a', 'HTTPS:', 'www.a', 'a@b', 'call 12345']
  const plain = ['http', 'www', 'since 1234']
  told = { summary: 'See www.a', praised: [...strange, ...plain], criticised: [...plain, ...strange] }
  await draw()
  const [{ set }] = heard.updates as [{ set: { ai_insights: object } }]
  expect(set.ai_insights).toEqual({ praised: plain, criticised: plain, generator: 'llm:small' })
})

/** Each makes insights due no longer, or not yet. */
const notDue: readonly (readonly [string, () => void])[] = [
  ['the location is gone', () => (location = null)],
  ['no model is set up', () => (isConfigured = false)],
  ['there are four reviews', () => reviews.pop()],
  ['they are from less than a week ago', () => known('2026-03-09T00:00:00.001Z')],
  ['nothing is new', () => known(now)],
]
const known = (at: string) => {
  location = { ...place, ai_insights_updated_at: at }
}

test.each(notDue)('nothing is drawn where %s', async (_, change) => {
  change()
  await draw()
  await due()
  expect([heard.asked, heard.updates, heard.queued]).toEqual([[], [], []])
})

test('insights of a week ago are drawn again for a new or a rewritten review', async () => {
  const queued = async () => {
    heard.queued.length = 0
    await due()
    await draw()
    expect(heard.asked.splice(0).length).toBe(heard.queued.length)
    return heard.queued.length
  }
  known('2026-03-09T00:00:00.000Z')
  expect(await queued()).toBe(1)
  const old = { review_text: 'x', created_date: '2026-03-09T00:00:00.000Z' }
  reviews = Array(5).fill(old)
  expect(await queued()).toBe(0)
  reviews[4] = { ...old, review_updated_at: '2026-03-09T00:00:00.000Z' }
  expect(await queued()).toBe(0)
  reviews[4] = { ...old, review_updated_at: '2026-03-09T00:00:00.001Z' }
  expect(await queued()).toBe(1)
})

test('locations that are read are queued once each', async () => {
  const other = { location_id: 'loc_2', workspace_id: 'wsp_1', due_at: now }
  listings = [{ location_id: 'loc_0', workspace_id: 'wsp_1' }, ...listings, other]
  await due()
  const job = (location_id: string) => ({
    workspace_id: 'wsp_1',
    key: location_id,
    payload: { location_id },
  })
  expect(heard.queued).toEqual([
    ['draw-insights', job('loc_1')],
    ['draw-insights', job('loc_2')],
  ])
})
