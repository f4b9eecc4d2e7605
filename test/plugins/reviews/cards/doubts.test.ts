import { expect, test } from 'bun:test'
import type { PageContext } from 'renown/pages'
import type { Doubt } from 'renown/sources'
import { doubtProblems, doubtsInbox } from '../../../../plugins/reviews/cards/doubts'
import { reviewNews } from '../../../../plugins/reviews/cards/news'
import { inEnglish } from '../../../support/english-entries'

const doubt = (about: string): Doubt => ({ about, why: `${about} differ`, since: '2026-01-01T00:00:00.000Z' })

/** A workspace whose locations are in these doubts, and what is read of it. */
function workspaceWith(...doubts: readonly (Doubt | undefined)[]) {
  const queries: unknown[] = []
  const list = async (query: object) => {
    queries.push(query)
    return doubts.map((in_doubt, at) => ({ id: `loc ${at}`, business_name: 'B'.repeat(201), in_doubt }))
  }
  return { queries, ctx: { rows: () => ({ list }) } as unknown as PageContext }
}
const read = (limit: number) => ({
  where: {
    op: 'and',
    of: [
      { op: 'ne', field: 'in_doubt', value: null },
      { op: 'eq', field: 'is_prospect', value: false },
    ],
  },
  sort: [{ field: 'id', direction: 'asc' }],
  limit,
  fields: ['business_name', 'in_doubt'],
})

test('a doubt of a location is in the inbox until it changes', async () => {
  const { ctx, queries } = workspaceWith(doubt('replies'), doubt('other'), undefined, doubt('texts'))
  const name = 'B'.repeat(201)
  const since = '2026-01-01T00:00:00.000Z'
  const entry = { word: 'In doubt', tone: 'warn' as const, at: since, about: name }
  const link = (at: number) => ({ href: `/app/locations/one?location=loc+${at}`, label: 'Open location' })
  expect<unknown>(inEnglish(await doubtsInbox.list(ctx, 7))).toStrictEqual([
    {
      id: 'loc 0',
      ...entry,
      state: `${since} replies`,
      title: `The replies of ${name.slice(1)} are in doubt`,
      text: 'replies differ',
      link: link(0),
    },
    {
      id: 'loc 3',
      ...entry,
      state: `${since} texts`,
      title: `The texts of ${name.slice(1)} are in doubt`,
      text: 'texts differ',
      link: link(3),
    },
  ])
  expect(queries).toEqual([read(7)])
  expect(doubtsInbox).toMatchObject({ name: 'doubts', order: 15, icon: 'triangle-alert' })
})

test('a doubt of a location is a problem of the workspace', async () => {
  const { ctx, queries } = workspaceWith(doubt('automatic_replies'), doubt('texts'))
  const problem = { kind: 'location_in_doubt', severity: 'critical', since: '2026-01-01T00:00:00.000Z' }
  const todo = (what: string) =>
    `Compare the ${what} at the platform with those in /app/reviews. The doubt ends by itself when they agree.`
  const found = await doubtProblems.read(ctx as never, 3)
  expect<unknown>(found).toStrictEqual([
    {
      ...problem,
      location_id: 'loc 0',
      about: 'automatic_replies',
      why: 'automatic_replies differ',
      todo: todo('replies'),
    },
    { ...problem, location_id: 'loc 1', about: 'texts', why: 'texts differ', todo: todo('texts') },
  ])
  expect(queries).toEqual([read(3)])
  expect(doubtProblems).toMatchObject({ name: 'review-doubts', order: 25 })
})

test.each([
  [[], []],
  [[[5, 2]], [{ text: '2 new reviews', tone: 'plain' }]],
  [[[3, 1]], [{ text: '1 new review', tone: 'plain' }]],
  [[[null, 4]], [{ text: '4 new reviews', tone: 'plain' }]],
  [
    [
      [1, 1_000],
      [2, 1],
      [3, 5],
      [null, 2],
    ],
    [{ text: '1,008 new reviews, 1,001 below 3 stars', tone: 'warn' }],
  ],
] satisfies [[number | null, number][], object[]][])('news of %j', async (groups, news) => {
  const queries: Record<string, unknown>[] = []
  const group = async (query: Record<string, unknown>) => {
    queries.push(query)
    return groups.map(([star_rating, n]) => ({ star_rating, n }))
  }
  const ctx = { workspace: { timezone: 'Asia/Tokyo' }, rows: () => ({ group }) } as unknown as PageContext
  const href = '/app/reviews?order=worst&from=2026-03-02'
  const found = await reviewNews(ctx, '2026-03-01T20:00:00.000Z')
  expect<unknown>(found).toEqual(news.map((one) => ({ ...one, href })))
  expect(queries[0]).toMatchObject({ by: ['star_rating'], measures: [{ as: 'n', fn: 'count' }] })
  const { where } = queries[0] as { where: { of: object[] } }
  expect(where.of).toContainEqual({ op: 'gt', field: 'created_date', value: '2026-03-01T20:00:00.000Z' })
  // What was written a month before is a first reading.
  const written = '2026-01-30T20:00:00.000Z'
  expect(where.of).toContainEqual({ op: 'gte', field: 'review_created_at', value: written })
})
