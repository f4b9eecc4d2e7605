import { expect, test } from 'bun:test'
import type { ReviewRow } from '../../../../plugins/reviews/analysis/reconcile'
import { digestOf } from '../../../../plugins/reviews/proof/digest'
import { provenOwn } from '../../../../plugins/reviews/proof/provenOwn'
import { type Proven, unprovenFigures, unprovenRows } from '../../../../plugins/reviews/verify/unproven-rows'
import { part } from '../../../support/part'

test('the figures of a location are held against each platform that said some', () => {
  const location = (average_rating?: number, total_reviews?: number) =>
    ({ average_rating, total_reviews }) as never
  const [average, total] = ['average_rating', 'total_reviews'].map(
    (name) => `${name} of the location: the platform never reported it`,
  )
  expect(unprovenFigures(location(4.5, 9), [])).toEqual([])
  expect(unprovenFigures(location(4.5, 9), [undefined, {}])).toEqual([])
  expect(unprovenFigures(location(4.5, 9), [{ average: 4.5, total: 9 }])).toEqual([])
  expect<unknown>(unprovenFigures(location(4.5, 9), [{ average: 4.5 }])).toEqual([total])
  expect<unknown>(unprovenFigures(location(4.5, 9), [{ total: 9 }])).toEqual([average])
  expect<unknown>(unprovenFigures(location(), [{ total: 9 }, {}, { average: 4 }])).toEqual([total, average])
})

test('a removal is written within the hour after its entry, and none is known of a review that has a new id', () => {
  const entryAt = Date.parse('2026-11-20T12:00:00.000Z')
  const hour = 3_600_000
  const found = (lagMs: number, entries: readonly number[], isDemo = false) => {
    const removed_at_source_at = new Date(entryAt + lagMs).toISOString()
    const row = part<ReviewRow>({
      workspace_id: 'wsp_1',
      source_id: 'r1',
      star_rating: 5,
      removed_at_source_at,
    })
    const removedAt = new Map([['r1', entries.map((at) => new Date(at).toISOString())]])
    const proven = part<Proven>({
      standing: new Map(),
      past: new Map([['r1', digestOf(row)]]),
      own: part<Proven['own']>({ ...provenOwn(), removedAt: entries.length === 0 ? new Map() : removedAt }),
      earlier: new Map(),
      moving: new Set(),
      workspaceId: 'wsp_1',
      now: new Date(entryAt + 2 * hour),
      isDemo,
    })
    return unprovenRows(proven, [row])
  }
  const other = ['r1: it was removed at another time']
  expect([-1, 0, hour, hour + 1].map((lagMs) => found(lagMs, [entryAt]))).toEqual([other, [], [], other])
  expect(found(0, [entryAt - 2 * hour, entryAt])).toEqual([])
  expect(found(0, [entryAt - 2 * hour])).toEqual(other)
  expect(found(0, [entryAt - 2 * hour], true)).toEqual([])
  expect(found(0, [])).toEqual([])
})
