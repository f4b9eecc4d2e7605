import { describe, expect, test } from 'bun:test'
import {
  emptyTally,
  isWithdrawn,
  missingAfter,
  type ReplyTally,
  storedEvidence,
  storedTally,
} from '../../../../plugins/reviews/evidence/reply-evidence'

const at = '2026-11-28T12:00:00.000Z'
const earlier = (hours: number, ms = 0) => new Date(Date.parse(at) - hours * 3_600_000 + ms).toISOString()
const since = earlier(1_000)
/** One missing reply of a location with a hundred. */
const few = [{ touched: 1, held: 100 }]
const many = { touched: 6, held: 59 }

describe('a missing reply was withdrawn', () => {
  test('when two complete syncs an hour apart showed others, and not a millisecond earlier', () => {
    expect(isWithdrawn({ since, beside: earlier(1) }, { at, shares: few })).toBe(true)
    expect(isWithdrawn({ since, beside: earlier(1, 1) }, { at, shares: few })).toBe(false)
    expect(isWithdrawn({ since, beside: at }, { at, shares: few })).toBe(false)
    expect(isWithdrawn({ since }, { at, shares: few })).toBe(false)
  })

  test('when complete syncs missed it for a week, although nothing else was shown', () => {
    expect(isWithdrawn({ since, whole: earlier(7 * 24) }, { at, shares: few })).toBe(true)
    expect(isWithdrawn({ since, whole: earlier(7 * 24, 1) }, { at, shares: few })).toBe(false)
    expect(isWithdrawn({ since, whole: earlier(7 * 24) }, { at, shares: [many] })).toBe(true)
    expect(isWithdrawn({ since, whole: earlier(7 * 24) }, { at, shares: [] })).toBe(true)
  })

  test('only after a week where many are missing at the location, its account or its platform', () => {
    const quick = { since, beside: earlier(167), whole: earlier(167) }
    expect(isWithdrawn(quick, { at, shares: [...few, { touched: 6, held: 60 }] })).toBe(true)
    expect(isWithdrawn(quick, { at, shares: [many] })).toBe(false)
    expect(isWithdrawn(quick, { at, shares: few.concat(many) })).toBe(false)
    expect(isWithdrawn(quick, { at, shares: few.concat(few, many) })).toBe(false)
  })

  test('not by one reading, of however many replies of a location', () => {
    for (const shares of [[], few, [many], [{ touched: 1, held: 1 }]])
      expect(isWithdrawn({ since }, { at, shares })).toBe(false)
  })
})

const tallied = (more: Partial<ReplyTally>): ReplyTally => ({ ...emptyTally('one'), ...more })
const always = () => true

describe('the replies that are missing after a sync', () => {
  const began_at = at
  const before = { a: { since, whole: earlier(9), beside: earlier(8) }, b: { since: earlier(5) } }

  test('keep what is known of them where it did not read everything, and begin with it', () => {
    const tally = tallied({ missing: ['a', 'c'], shown: 3 })
    expect(missingAfter(before, { began_at, isWhole: false, tally }, always)).toEqual({
      a: before.a,
      b: before.b,
      c: { since: at },
    })
  })

  test('were missed by it from its begin, beside others only where it showed one', () => {
    const tally = tallied({ missing: ['a', 'b', 'c'], shown: 1 })
    expect(missingAfter(before, { began_at, isWhole: true, tally }, always)).toEqual({
      a: before.a,
      b: { since: earlier(5), whole: at, beside: at },
      c: { since: at, whole: at, beside: at },
    })
    const alone = tallied({ missing: ['a', 'c'], shown: 0 })
    expect(missingAfter(before, { began_at, isWhole: true, tally: alone }, always)).toEqual({
      a: { since, whole: earlier(9) },
      b: before.b,
      c: { since: at, whole: at },
    })
  })

  test('lack those that are back, unless it missed them too, and those without a stored reply', () => {
    const ended = (tally: ReplyTally) => ({ began_at, isWhole: false, tally })
    const idsOf = (tally: ReplyTally, isKnown: (id: string) => boolean = always) =>
      Object.keys(missingAfter(before, ended(tally), isKnown))
    expect(idsOf(tallied({ back: ['a'] }))).toEqual(['b'])
    expect(idsOf(tallied({ back: ['a'], missing: ['a'] }))).toEqual(['a', 'b'])
    expect(idsOf(tallied({ missing: ['c', 'c'] }), (id) => id !== 'b')).toEqual(['a', 'c'])
    expect(idsOf(tallied({}))).toEqual(['a', 'b'])
  })
})

describe('what is stored', () => {
  const empty = { sync: 'one', shown: 0, missing: [], back: [], unclear: 0 }

  test('as a tally counts for its own sync only, and nothing that cannot be read', () => {
    const kept = { sync: 'one', shown: 2, missing: ['a'], back: ['b'], unclear: 1 }
    expect(storedTally(kept, 'one')).toEqual(kept)
    for (const other of [{ ...kept, sync: 'two' }, { ...kept, shown: null }, null, undefined, [], 'x'])
      expect(storedTally(other, 'one')).toEqual(empty)
  })

  test('as evidence has its times, or is none', () => {
    const kept = { missing: { a: { since, whole: at, beside: at } }, proven_at: at, texts_lost_at: at }
    expect(storedEvidence(kept)).toEqual(kept)
    expect(storedEvidence({ missing: {} })).toEqual({ missing: {} })
    for (const other of [{}, { missing: { a: {} } }, { missing: {}, proven_at: null }, null, undefined])
      expect(storedEvidence(other)).toEqual({ missing: {} })
  })
})
