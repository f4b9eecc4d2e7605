import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { countersPerSite, createSketch } from '../../../ingest/count/sketch'

const seen = (token: string, hits = 1, day = '2026-11-20') => ({
  token,
  host: null,
  hits,
  first: day,
  last: day,
})

test('the true number of hits of each name is within its bounds, and of all others below the floor', () => {
  const names = fc.array(fc.tuple(fc.integer({ min: 0, max: 80 }), fc.integer({ min: 1, max: 9 })), {
    maxLength: 600,
  })
  fc.assert(
    fc.property(names, (hits) => {
      const sketch = createSketch()
      const truth = new Map<string, number>()
      for (const [n, count] of hits) {
        // Small numbers are frequent names.
        const token = `Bot${Math.floor((n * n) / 80)}`
        truth.set(token, (truth.get(token) ?? 0) + count)
        sketch.add(seen(token, count))
      }
      const all = hits.reduce((sum, [, count]) => sum + count, 0)
      const counted = new Set(sketch.entries().map(({ token }) => token))
      expect(counted.size).toBeLessThanOrEqual(countersPerSite)
      for (const { token, count, error } of sketch.entries()) {
        const real = truth.get(token) ?? 0
        expect(count - error <= real && real <= count && error <= all / countersPerSite).toBe(true)
      }
      for (const [token, real] of truth)
        if (!counted.has(token)) expect(real).toBeLessThanOrEqual(sketch.floor())
    }),
  )
})

test('a name keeps its first spelling, and its first and last day', () => {
  const sketch = createSketch()
  for (const [token, day] of [
    ['OwlBot', '2026-11-20'],
    ['owlbot', '2026-11-22'],
    ['OWLBOT', '2026-11-18'],
  ] as const)
    sketch.add({ ...seen(token, 2, day), host: token === 'owlbot' ? 'owl.example' : null })
  expect(sketch.entries()).toEqual([
    { token: 'OwlBot', host: 'owl.example', count: 6, error: 0, first: '2026-11-18', last: '2026-11-22' },
  ])
  sketch.remove('oWlBot')
  expect([sketch.entries(), sketch.floor()]).toEqual([[], 0])
})
