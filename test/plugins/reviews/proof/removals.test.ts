import { describe, expect, test } from 'bun:test'
import type { Proof } from '../../../../plugins/reviews/proof/pass'
import { judgeRemovals, type StoredReview, type Suspects } from '../../../../plugins/reviews/proof/removals'

const instant = (hour: number) => new Date(Date.UTC(2026, 0, 10, hour)).toISOString()
const proof = (hour: number, changes: Partial<Proof> = {}): Proof => ({
  evidence: 'counted',
  complete: true,
  pages: 1,
  items: 100,
  distinct: 100,
  first_total: 100,
  last_total: 100,
  began_at: instant(hour),
  ended_at: instant(hour),
  ...changes,
})
const held = (n: number, changes: Partial<StoredReview> = {}): StoredReview => ({
  id: `rev_${n}`,
  source_id: `s${n}`,
  created_date: instant(0),
  seen_at: instant(1),
  ...changes,
})
const hundred = Array.from({ length: 100 }, (_, n) => held(n))
const seenBut = (...missing: number[]) =>
  new Set(hundred.map(({ source_id }) => source_id).filter((id) => !missing.includes(Number(id.slice(1)))))
const ids = (rows: readonly StoredReview[]) => rows.map(({ id }) => id)
const judge = (given: Proof, seen: Set<string>, before: Suspects = {}, rows = hundred) =>
  judgeRemovals(
    given,
    { unseen: rows.filter(({ source_id }) => !seen.has(source_id)), visible: rows.length },
    before,
  )

describe('A review is taken for removed', () => {
  test('when a complete reading did not return it', () => {
    expect(ids(judge(proof(5), seenBut(7, 8)).removed)).toEqual(['rev_7', 'rev_8'])
  })

  test('never by a reading that was not complete', () => {
    expect(judge(proof(5, { complete: false, gap: 'total_differs' }), seenBut(7))).toEqual({
      removed: [],
      suspects: {},
    })
  })

  test('never when the source itself never returned it', () => {
    const rows = [...hundred.slice(1), held(0, { seen_at: undefined })]
    expect(judge(proof(5), seenBut(0), {}, rows).removed).toEqual([])
  })

  test('never when it came while the reading went on', () => {
    for (const late of [{ created_date: instant(6) }, { seen_at: instant(5) }]) {
      expect(judge(proof(5), seenBut(0), {}, [...hundred.slice(1), held(0, late)]).removed).toEqual([])
    }
  })

  test('only by a second reading an hour later, where many would go at once', () => {
    const many = Array.from({ length: 11 }, (_, n) => n)
    const first = judge(proof(5), seenBut(...many))
    expect([first.removed.length, Object.keys(first.suspects).length]).toEqual([0, 11])
    const soon = judge(proof(5, { began_at: '2026-01-10T05:59:59.000Z' }), seenBut(...many), first.suspects)
    expect([soon.removed, soon.suspects]).toEqual([[], first.suspects])
    expect(judge(proof(6), seenBut(...many), first.suspects).removed).toHaveLength(11)
  })

  test('up to a tenth, and up to five of few, by one reading', () => {
    expect(judge(proof(5), seenBut(...Array.from({ length: 10 }, (_, n) => n))).removed).toHaveLength(10)
    const few = hundred.slice(0, 8)
    expect(judge(proof(5), new Set(['s5', 's6', 's7']), {}, few).removed).toHaveLength(5)
    expect(judge(proof(5), new Set(['s6', 's7']), {}, few).removed).toHaveLength(0)
  })

  test('only by a second reading where the source shows nothing at all', () => {
    const one = [held(1)]
    const first = judge(proof(5, { distinct: 0 }), new Set(), {}, one)
    expect([first.removed, Object.keys(first.suspects)]).toEqual([[], ['rev_1']])
    expect(ids(judge(proof(6, { distinct: 0 }), new Set(), first.suspects, one).removed)).toEqual(['rev_1'])
  })

  test('only by a second reading where the source does not count', () => {
    const paged = { evidence: 'paged' } as const
    const first = judge(proof(5, paged), seenBut(1))
    expect(first.removed).toEqual([])
    expect(ids(judge(proof(7, paged), seenBut(1), first.suspects).removed)).toEqual(['rev_1'])
  })

  test('and is no suspect any more once it was seen, whatever else the reading proves', () => {
    const before = { rev_1: instant(3), rev_2: instant(3) }
    const partly = judge(proof(5, { complete: false, gap: 'looped' }), seenBut(2), before)
    expect(partly).toEqual({ removed: [], suspects: { rev_2: instant(3) } })
    expect(judge(proof(5, { evidence: 'paged' }), seenBut(), before).suspects).toEqual({})
  })
})
