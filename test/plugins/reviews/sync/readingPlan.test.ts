import { describe, expect, test } from 'bun:test'
import { disagrees, needsWhole, nextReading, wholeAt } from '../../../../plugins/reviews/sync/readingPlan'

const hourMs = 3_600_000
const now = new Date('2026-03-15T12:00:00.000Z')
const ctx = { now: () => now } as Parameters<typeof needsWhole>[0]
const at = (ms: number) => new Date(now.getTime() + ms).toISOString()
const given = (more: { listing?: object; location?: object; source?: object; manual?: boolean }) =>
  ({
    location: {},
    listing: {},
    task: {},
    manual: false,
    source: { evidence: 'full' },
    ...more,
  }) as Parameters<typeof needsWhole>[1]

describe('a reading is of all reviews', () => {
  const whole = (last_full_at: string | undefined, more: object = {}, suspects = {}) =>
    needsWhole(ctx, given({ listing: { last_full_at, suspects }, ...more }))

  test('once a day, and the first time', () => {
    expect(whole(undefined)).toBe(true)
    expect(whole(at(-24 * hourMs))).toBe(true)
    expect(whole(at(1 - 24 * hourMs))).toBe(false)
  })

  test('where a wrong clock has stored a time of tomorrow, though not one that is near', () => {
    expect(whole(at(24 * hourMs))).toBe(true)
    expect(whole(at(24 * hourMs - 1))).toBe(false)
  })

  test('where reviews were missed once, an hour later, and on request, and where nothing else is known', () => {
    const missed = { rev_1: '' }
    expect(whole(at(-23 * hourMs), {}, missed)).toBe(true)
    expect(whole(at(-1), {}, missed)).toBe(false)
    expect(whole(at(-1), { manual: true })).toBe(true)
    expect(whole(at(-1), { source: { evidence: 'none' } })).toBe(true)
  })
})

type Outcome = Parameters<typeof nextReading>[2]
const outcome = (progress: object, proof: object = {}, counted: object = {}) =>
  ({
    progress: { full: true, repeat: false, last_total: 3, ...progress },
    proof,
    visible: 3,
    suspects: {},
    ...counted,
  }) as Outcome

test('a count differs apart from the reviews that wait for a second reading', () => {
  expect(disagrees(outcome({}))).toBe(false)
  expect(disagrees(outcome({ last_total: 4 }))).toBe(true)
  expect(disagrees(outcome({ last_total: null }))).toBe(false)
  expect(disagrees(outcome({ last_total: 2 }, {}, { suspects: { rev_1: '' } }))).toBe(false)
})

describe('after a reading of the newest reviews, all are read', () => {
  const next = (last_total: number, more: object = {}, isPutOff = false) =>
    nextReading(ctx, given(more), outcome({ full: false, last_total }), isPutOff)
  const all = { full: true, repeat: false }

  test('where the count differs', () => {
    expect([next(4), next(3)]).toEqual([all, null])
  })

  test('not while the difference waits for its day, unless a person asks', () => {
    const waits = { location: { review_count_recheck_after: at(1) } }
    expect([next(4, waits), next(4, { ...waits, manual: true })]).toEqual([null, all])
    expect(next(4, { location: { review_count_recheck_after: at(0) } })).toEqual(all)
  })

  test('not where it is put off, or the source proves nothing', () => {
    expect([next(4, {}, true), next(4, { source: { evidence: 'none' } })]).toEqual([null, null])
  })
})

describe('a reading of all reviews', () => {
  const next = (gap: string | undefined, repeat = false, last_full_at: string | undefined = at(0)) =>
    nextReading(ctx, given({ listing: { last_full_at } }), outcome({ repeat }, { gap }), false)

  test('is repeated once where it has a gap', () => {
    expect(next('changed')).toEqual({ full: true, repeat: true })
    expect([next('changed', true), next(undefined), next('unread')]).toEqual([null, null, null])
    expect(next('interrupted')).toEqual({ full: true, repeat: true })
  })

  test('that was interrupted the first time goes on in an hour', () => {
    const first = given({})
    const interrupted = outcome({}, { gap: 'interrupted' })
    expect(nextReading(ctx, first, interrupted, false)).toBeNull()
    const isDueAt = wholeAt(first.listing, interrupted, now).getTime() + 24 * hourMs
    expect(isDueAt).toBeGreaterThan(now.getTime())
    expect(isDueAt).toBeLessThan(now.getTime() + 2 * hourMs)
    expect(wholeAt(first.listing, outcome({}, { gap: 'changed' }), now)).toEqual(now)
    expect(wholeAt(given({ listing: { last_full_at: at(0) } }).listing, interrupted, now)).toEqual(now)
  })
})
