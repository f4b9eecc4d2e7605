import { describe, expect, test } from 'bun:test'
import type { SourcePage } from '../../../../plugins/reviews/contract'
import {
  afterPage,
  begin,
  changedAt,
  restartProgress,
  type StoredPage,
  storedProgress,
} from '../../../../plugins/reviews/proof/progress'
import {
  disagrees,
  needsWhole,
  nextReading,
  resumedOf,
  wholeAt,
} from '../../../../plugins/reviews/sync/readingPlan'

const start = Date.parse('2026-11-20T10:00:00.000Z')
const at = (ms: number) => new Date(start + ms)
const iso = (ms: number) => at(ms).toISOString()
const first = begin({
  id: 'r1',
  reader: 'google',
  full: true,
  repeat: false,
  began_at: iso(0),
  visible: 7,
  changed: 2,
})
const page = (more: Partial<SourcePage> = {}): SourcePage => ({ reviews: [], total: 10, next: 'b', ...more })
const stored = (more: Partial<StoredPage> = {}): StoredPage => ({
  distinct: 0,
  changed: 0,
  hasEntries: false,
  isEnough: false,
  ...more,
})
const review = (updated?: string, created?: string) =>
  ({ source_id: 's', star_rating: 5, review_updated_at: updated, review_created_at: created }) as never

describe('how far a reading is', () => {
  test('begins at nothing', () => {
    expect(first).toEqual({
      id: 'r1',
      reader: 'google',
      full: true,
      repeat: false,
      began_at: iso(0),
      visible: 7,
      changed: 2,
      page_at: iso(0),
      state: 'open',
      token: null,
      tokens: [],
      pages: 0,
      items: 0,
      distinct: 0,
      first_total: null,
      last_total: null,
      is_part: false,
      unread: 0,
      interruptions: 0,
      restarts: 0,
      has_entries: false,
    })
    expect(storedProgress(first)).toEqual(first)
    expect(storedProgress({ ...first, pages: -1 })).toBeNull()
    expect(storedProgress({ ...first, state: 'over' })).toBeNull()
    expect(storedProgress(undefined)).toBeNull()
  })

  test('adds each page up', () => {
    const one = afterPage(
      first,
      page({ reviews: [review(iso(5), iso(1)), review(undefined, iso(9))], average: 4.5 }),
      stored({ distinct: 2, changed: 1 }),
      at(1_000),
    )
    expect(one).toMatchObject({
      page_at: iso(1_000),
      pages: 1,
      token: 'b',
      state: 'open',
      items: 2,
      distinct: 2,
      changed: 3,
      first_total: 10,
      last_total: 10,
      average: 4.5,
      newest: iso(9),
      is_part: false,
      unread: 0,
      interruptions: 0,
      has_entries: false,
    })
    expect(one.tokens).toHaveLength(1)
    const two = afterPage(
      one,
      page({
        reviews: [review(iso(3))],
        total: 11,
        next: null,
        isPart: true,
        unread: [{ reason: 'x' }, { reason: 'y' }] as never,
      }),
      stored({ distinct: 1, changed: 1, hasEntries: true }),
      at(2_000),
    )
    expect(two).toMatchObject({
      pages: 2,
      token: null,
      state: 'ended',
      items: 3,
      distinct: 3,
      changed: 4,
      first_total: 10,
      last_total: 11,
      average: 4.5,
      newest: iso(9),
      is_part: true,
      unread: 2,
      unread_reason: 'x',
      has_entries: true,
    })
    expect(two.tokens).toEqual(one.tokens)
    const three = afterPage(two, page({ unread: [{ reason: 'z' }] as never }), stored(), at(3_000))
    expect(three).toMatchObject({
      unread: 3,
      unread_reason: 'x',
      is_part: true,
      has_entries: true,
      newest: iso(9),
    })
  })

  test('ends with its last page, goes round in a circle, is cut off where that is enough, or at 5,000 pages', () => {
    const one = afterPage(first, page({ next: 'b' }), stored(), at(0))
    expect(afterPage(one, page({ next: 'c' }), stored(), at(0)).state).toBe('open')
    expect(afterPage(one, page({ next: 'b' }), stored(), at(0)).state).toBe('looped')
    expect(afterPage(one, page({ next: 'b' }), stored({ isEnough: true }), at(0)).state).toBe('looped')
    expect(afterPage(one, page({ next: 'c' }), stored({ isEnough: true }), at(0)).state).toBe('cut_off')
    expect(afterPage(one, page({ next: null }), stored({ isEnough: true }), at(0)).state).toBe('ended')
    expect(afterPage({ ...one, pages: 4_998 }, page({ next: 'c' }), stored(), at(0)).state).toBe('open')
    expect(afterPage({ ...one, pages: 4_999 }, page({ next: 'c' }), stored(), at(0)).state).toBe('cut_off')
  })

  test('counts an interruption where more than two minutes lie between two pages, not before the first', () => {
    const one = afterPage(first, page(), stored(), at(0))
    const pause = (ms: number, before = one) => afterPage(before, page(), stored(), at(ms)).interruptions
    expect([pause(120_000), pause(120_001), pause(-120_001)]).toEqual([0, 1, 1])
    expect(pause(500_000, first)).toBe(0)
  })

  test('begins anew with what was changed, once more', () => {
    const one = { ...afterPage(first, page(), stored({ changed: 3 }), at(0)), restarts: 1 }
    expect(restartProgress(one, { id: 'r2', began_at: iso(9), visible: 8 }, 'token expired')).toEqual({
      ...begin({
        id: 'r2',
        reader: 'google',
        full: true,
        repeat: false,
        began_at: iso(9),
        visible: 8,
        changed: 5,
      }),
      restarts: 2,
      restart_reason: 'token expired',
    })
  })

  test('a review changed when it was updated, else when it was written', () => {
    expect(changedAt(review('b', 'a'))).toBe('b')
    expect(changedAt(review(undefined, 'a'))).toBe('a')
    expect(changedAt(review())).toBeUndefined()
  })
})

describe('the plan of readings', () => {
  const day = 86_400_000
  const ctx = { now: () => at(0) } as never
  const sync = (more: { listing?: object; source?: object; manual?: boolean; location?: object } = {}) =>
    ({
      manual: false,
      ...more,
      listing: { last_full_at: iso(-1), ...more.listing },
      source: { evidence: 'counted', name: 'google', ...more.source },
      location: { ...more.location },
    }) as never

  test('reads everything once a day, when asked, for a suspect after an hour, and where nothing is ever counted', () => {
    const needs = (more?: Parameters<typeof sync>[0]) => needsWhole(ctx, sync(more))
    expect(needs()).toBe(false)
    expect(needs({ manual: true })).toBe(true)
    expect(needs({ source: { evidence: 'none' } })).toBe(true)
    expect(needs({ listing: { last_full_at: undefined } })).toBe(true)
    expect(needs({ listing: { last_full_at: iso(-day) } })).toBe(true)
    expect(needs({ listing: { last_full_at: iso(1 - day) } })).toBe(false)
    expect(needs({ listing: { last_full_at: iso(day) } })).toBe(true)
    const suspects = { rev_1: iso(-day) }
    expect(needs({ listing: { last_full_at: iso(-3_600_000), suspects } })).toBe(false)
    expect(needs({ listing: { last_full_at: iso(-3_600_001), suspects } })).toBe(true)
    expect(needs({ listing: { last_full_at: iso(-3_600_001), suspects: {} } })).toBe(false)
  })

  test('goes on with what an earlier attempt left, where it still serves', () => {
    const resumed = (reading: unknown, isWhole: boolean, reader = 'google') =>
      resumedOf(sync({ listing: { reading }, source: { name: reader } }), isWhole)
    expect(resumed(first, true)).toEqual({ ...first, interruptions: 1 })
    expect(resumed({ ...first, full: false, interruptions: 2 }, false)).toEqual({
      ...first,
      full: false,
      interruptions: 3,
    })
    expect(resumed({ ...first, full: false }, true)).toBeNull()
    expect(resumed(first, false)).not.toBeNull()
    expect(resumed(first, true, 'facebook')).toBeNull()
    expect(resumed(undefined, true)).toBeNull()
  })

  const outcome = (progress: object, more: { gap?: string; visible?: number; suspects?: object } = {}) =>
    ({
      progress: { ...first, full: false, last_total: 7, ...progress },
      visible: more.visible ?? 7,
      suspects: more.suspects ?? {},
      proof: more.gap === undefined ? {} : { gap: more.gap },
    }) as never
  const next = (given: ReturnType<typeof outcome>, more?: Parameters<typeof sync>[0], isPutOff = false) =>
    nextReading(ctx, sync(more), given, isPutOff)
  const whole = { full: true, repeat: false }
  const again = { full: true, repeat: true }

  test('reads everything after a look that counts other than we do', () => {
    expect(next(outcome({}))).toBeNull()
    expect(next(outcome({ last_total: null }))).toBeNull()
    expect(next(outcome({ last_total: 8 }))).toEqual(whole)
    expect(next(outcome({ last_total: 6 }))).toEqual(whole)
    expect(next(outcome({ last_total: 6 }, { suspects: { rev_1: 'x' } }))).toBeNull()
    expect(next(outcome({}, { suspects: { rev_1: 'x' } }))).toEqual(whole)
    expect(next(outcome({ last_total: 8 }), {}, true)).toBeNull()
    expect(next(outcome({ last_total: 8 }), { source: { evidence: 'none' } })).toBeNull()
    const waits = { location: { review_count_recheck_after: iso(1) } }
    expect(next(outcome({ last_total: 8 }), waits)).toBeNull()
    expect(next(outcome({ last_total: 8 }), { ...waits, manual: true })).toEqual(whole)
    expect(next(outcome({ last_total: 8 }), { location: { review_count_recheck_after: iso(0) } })).toEqual(
      whole,
    )
    expect(disagrees(outcome({ last_total: 8 }))).toBe(true)
    expect(disagrees(outcome({}))).toBe(false)
  })

  test('reads everything once more where the count did not come out', () => {
    const full = (gap?: string, more: object = {}) =>
      outcome({ full: true, ...more }, gap === undefined ? {} : { gap })
    expect(next(full())).toBeNull()
    expect(next(full('count'))).toEqual(again)
    expect(next(full('unread'))).toBeNull()
    expect(next(full('count', { repeat: true }))).toBeNull()
    expect(next(full('interrupted'))).toEqual(again)
    expect(next(full('interrupted'), { listing: { last_full_at: undefined } })).toBeNull()
    expect(next(full('count'), { listing: { last_full_at: undefined } })).toEqual(again)
  })

  test('a first reading that was interrupted is due again in an hour, every other in a day', () => {
    const listing = (last_full_at?: string) => ({ last_full_at }) as never
    const of = (gap?: string) => outcome({}, gap === undefined ? {} : { gap })
    expect(wholeAt(listing(), of('interrupted'), at(0))).toEqual(at(3_600_000 - day))
    expect(wholeAt(listing(iso(-1)), of('interrupted'), at(0))).toEqual(at(0))
    expect(wholeAt(listing(), of('count'), at(0))).toEqual(at(0))
    expect(wholeAt(listing(), of(), at(0))).toEqual(at(0))
  })
})
