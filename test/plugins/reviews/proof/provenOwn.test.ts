import { expect, test } from 'bun:test'
import type { Entry } from '../../../../plugins/reviews/proof/ledger'
import { provenOwn } from '../../../../plugins/reviews/proof/provenOwn'

const at = (day: number) => `2026-11-0${day}T00:00:00.000Z`
/** An entry that saw these reviews. */
const seen = (ids: readonly string[], more: object = {}) =>
  ({
    kind: 'seen',
    reviews: ids.map((source_id) => ({ review: { source_id } })),
    ...more,
  }) as unknown as Entry
const passed = (...removed: string[]) => ({ kind: 'pass', removed }) as unknown as Entry

/** What the entries of a log prove, each a day after the last. */
function follow(...entries: Entry[]) {
  const own = provenOwn()
  for (const [day, entry] of entries.entries()) own.follow(entry, at(day + 1))
  const { sent, judged, sinceNew, sinceWords, removedAt } = own
  return {
    sent: [...sent],
    judged: Object.fromEntries(judged),
    sinceNew: [...sinceNew],
    sinceWords: [...sinceWords],
    removedAt: Object.fromEntries(removedAt),
  }
}

test('a log proves what was sent and how a model judged last', () => {
  const { sent, judged } = follow(
    seen([], { own: { a: { sent: true, judged: 'x' }, b: { judged: 'y' } } }),
    seen([], { own: { a: { judged: 'z' }, c: {} } }),
  )
  expect([sent, judged]).toEqual([['a'], { a: 'z', b: 'y' }])
})

test('a review is proven since it was new, and since its last words, where the log had our own acts then', () => {
  const { sinceNew, sinceWords } = follow(
    seen(['old', 'worded', 'back']),
    seen(['new', 'worded', 'back'], { logs_own: true }),
    seen(['back', 'new']),
    seen(['new'], { logs_own: true }),
  )
  expect([sinceNew, sinceWords.toSorted()]).toEqual([['new'], ['new', 'worded']])
})

test('a review that gets another id keeps all that is known of it', () => {
  const { sent, judged, sinceNew, sinceWords } = follow(
    seen(['a', 'b'], { logs_own: true, own: { a: { sent: true, judged: 'x' } } }),
    seen([], { adopted: [{ from: 'a', to: 'own' }] }),
    seen(['own'], { logs_own: true }),
  )
  expect([sent, judged.own, sinceNew.toSorted(), sinceWords.toSorted()]).toEqual([
    ['own'],
    'x',
    ['b', 'own'],
    ['b', 'own'],
  ])
})

test('each removal has its time, in order', () => {
  expect(follow(passed('a', 'b'), seen(['a']), passed('a')).removedAt).toEqual({
    a: [at(1), at(3)],
    b: [at(1)],
  })
})
