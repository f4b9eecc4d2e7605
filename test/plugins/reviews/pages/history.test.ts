import { expect, test } from 'bun:test'
import { historyOf } from '../../../../plugins/reviews/pages/history'

const review = { location_id: 'loc_1', source: 'google', source_id: 'g1' } as const
const at = (n: number) => `2026-03-01T00:00:${String(n).padStart(2, '0')}.000Z`

/** The history of one review in a log of these entries, and the query that read the log. */
async function historyIn(entries: readonly object[]) {
  const queries: object[] = []
  const list = async (query: object) => {
    queries.push(query)
    return entries.map((entry, n) => ({ entry, at: at(n % 60), seq: n + 1 })).toReversed()
  }
  const history = await historyOf({ rows: () => ({ list }) } as never, review as never)
  return { ...history, queries }
}

const seen = (said: object, source_id = 'g1') => ({
  kind: 'seen',
  reviews: [{ digest: 'd', review: { source_id, star_rating: 5, ...said } }],
})
/** The events of a review that was first returned as `first`, and then as each of the others. */
async function changes(first: object, ...others: object[]) {
  const { events } = await historyIn([seen(first), ...others.map((said) => seen(said))])
  return events.toReversed().slice(1)
}

test('the newest 300 entries of the log are searched, and the result says whether these are all', async () => {
  const ofOthers = (count: number) => Array.from({ length: count }, () => seen({}, 'g2'))
  expect(await historyIn(ofOthers(299))).toEqual({
    events: [],
    is_whole: true,
    queries: [
      {
        where: {
          op: 'and',
          of: [
            { op: 'eq', field: 'location_id', value: 'loc_1' },
            { op: 'eq', field: 'source', value: 'google' },
          ],
        },
        sort: [{ field: 'seq', direction: 'desc' }],
        limit: 300,
        fields: ['entry', 'at', 'seq'],
      },
    ],
  })
  expect(await historyIn(ofOthers(300))).toMatchObject({ events: [], is_whole: false })
})

test('each change is an event with its values, the newest first', async () => {
  const { events } = await historyIn([
    seen({ review_text: 'Warm soup' }),
    seen({ review_text: 'Of somebody else' }, 'g2'),
    seen({ review_text: 'Cold soup', star_rating: 1, reply: { text: 'Sorry' } }),
    { kind: 'pass', removed: ['g2'], statements: { g2: 'not ours' } },
    { kind: 'pass', removed: ['g2', 'g1'], statements: { g2: 'not ours', g1: '404 NOT_FOUND' } },
    { kind: 'seen', reviews: [], restored: ['g2'] },
    { kind: 'seen', reviews: [], restored: ['g2', 'g1'] },
    { kind: 'pass', removed: ['g1'] },
    { ...seen({ review_text: 'Cold soup', star_rating: null, reply: { text: 'Sorry' } }), restored: ['g1'] },
  ])
  expect(events).toStrictEqual([
    { at: at(8), kind: 'rated', before: '1 star', after: 'no stars' },
    { at: at(8), kind: 'restored' },
    { at: at(7), kind: 'removed' },
    { at: at(6), kind: 'restored' },
    { at: at(4), kind: 'removed', after: '404 NOT_FOUND' },
    { at: at(2), kind: 'replied', after: 'Sorry' },
    { at: at(2), kind: 'rated', before: '5 stars', after: '1 star' },
    { at: at(2), kind: 'rewritten', before: 'Warm soup', after: 'Cold soup' },
    { at: at(0), kind: 'first' },
  ])
})

test.each([
  ['nothing', {}, {}, []],
  ['an empty text', {}, { review_text: '' }, []],
  ['a text that was empty', { review_text: '' }, {}, []],
  ['a first text', {}, { review_text: 'a' }, [{ kind: 'rewritten', before: '', after: 'a' }]],
  ['a text that is gone', { review_text: 'a' }, {}, [{ kind: 'rewritten', before: 'a', after: '' }]],
  ['a first reply', {}, { reply: { text: 'a' } }, [{ kind: 'replied', after: 'a' }]],
  ['the same reply', { reply: { text: 'a' } }, { reply: { text: 'a' } }, []],
  [
    'another reply',
    { reply: { text: 'a' } },
    { reply: { text: 'b' } },
    [{ kind: 'reply_changed', after: 'b' }],
  ],
  ['no reply any more', { reply: { text: 'a' } }, {}, [{ kind: 'reply_gone' }]],
] as const)('a review that is returned again with %s', async (_, before, now, events) => {
  const expected = events.map((event) => ({ at: at(1), ...event }))
  expect(await changes(before, now)).toStrictEqual(expected)
  // Each version is compared with the one before it, not with the first.
  expect(await changes(before, now, now)).toStrictEqual(expected)
})
