import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type TrafficCategory, trafficCategories } from '../../../../core/contracts/traffic'
import type { Day } from '../../../../plugins/traffic/records/days'
import { pagesOf } from '../../../../plugins/traffic/sums/pages'
import { dayOf } from '../support/day'

const listOf = (paths: readonly [string, number][]) => paths.map(([path, hits]) => ({ path, hits }))
const full = (first: string, hits: number) =>
  listOf([[first, hits + 1], ...Array.from({ length: 24 }, (_, n): [string, number] => [`/${n}`, hits])])

describe('Pages of a period', () => {
  test('are added up over days, most hits first, ties by path', () => {
    const days = [
      dayOf({
        date: '2026-01-01',
        top_paths: listOf([
          ['/b', 3],
          ['/a', 2],
        ]),
      }),
      dayOf({ date: '2026-01-02', top_paths: listOf([['/a', 1]]) }),
    ]
    expect(pagesOf(days, undefined).map(({ path, hits, days }) => [path, hits, days])).toEqual([
      ['/a', 3, 2],
      ['/b', 3, 1],
    ])
  })

  test('stay apart by site', () => {
    const top_paths = listOf([['/', 1]])
    const days = [dayOf({ site_id: 'sit_a', top_paths }), dayOf({ site_id: 'sit_b', top_paths })]
    expect(pagesOf(days, undefined)).toHaveLength(2)
  })

  test('that a full list leaves out may have had as many hits as its last place', () => {
    const days = [
      dayOf({ date: '2026-01-01', top_paths: listOf([['/rare', 4]]) }),
      dayOf({ date: '2026-01-02', top_paths: full('/home', 7) }),
    ]
    const rare = pagesOf(days, undefined).find(({ path }) => path === '/rare')
    expect([rare?.hits, rare?.hidden]).toEqual([4, 7])
    const home = pagesOf(days, undefined).find(({ path }) => path === '/home')
    expect([home?.hits, home?.hidden]).toEqual([8, 0])
  })

  test('count what their categories list where the list of all has no room for them', () => {
    const day = dayOf({
      top_paths: full('/home', 7),
      paths_by_category: { training: listOf([['/corner', 5]]), ai_answers: listOf([['/corner', 1]]) },
    })
    const corner = pagesOf([day], undefined).find(({ path }) => path === '/corner')
    expect(corner).toMatchObject({ hits: 6, hidden: 1, byCategory: { training: 5, ai_answers: 1 } })
  })

  test('of one category come from its own lists', () => {
    const day = dayOf({
      top_paths: listOf([['/x', 9]]),
      paths_by_category: { training: listOf([['/y', 2]]), ai_answers: listOf([['/x', 1]]) },
    })
    expect(pagesOf([day], 'training').map(({ path, hits }) => [path, hits])).toEqual([['/y', 2]])
  })

  test('never claim more than there was, nor a ceiling below the truth', () => {
    const counts = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 39 }), fc.constantFrom(...trafficCategories)),
      {
        maxLength: 400,
      },
    )
    fc.assert(
      fc.property(
        fc.array(counts, { maxLength: 4 }),
        fc.constantFrom(undefined, ...trafficCategories),
        (days, only) => {
          const truth = new Map<string, number>()
          const rows = days.map((hits, index) => {
            for (const [page, category] of hits) {
              if (only === undefined || category === only)
                truth.set(`/${page}`, (truth.get(`/${page}`) ?? 0) + 1)
            }
            return rolled(hits, index)
          })
          for (const { path, hits, hidden } of pagesOf(rows, only)) {
            const real = truth.get(path) ?? 0
            expect(hits).toBeLessThanOrEqual(real)
            expect(hits + hidden).toBeGreaterThanOrEqual(real)
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})

/** A daily row as the rollup makes it: the lists descending, ties by path, capped. */
function rolled(hits: readonly (readonly [number, TrafficCategory])[], index: number): Day {
  const top = (only: TrafficCategory | undefined, cap: number) => {
    const counted = new Map<string, number>()
    for (const [page, category] of hits) {
      if (only === undefined || category === only) counted.set(`/${page}`, (counted.get(`/${page}`) ?? 0) + 1)
    }
    return [...counted]
      .map(([path, hits]) => ({ path, hits }))
      .sort((a, b) => b.hits - a.hits || (a.path < b.path ? -1 : 1))
      .slice(0, cap)
  }
  return dayOf({
    date: `2026-01-0${index + 1}`,
    top_paths: top(undefined, 25),
    paths_by_category: Object.fromEntries(trafficCategories.map((name) => [name, top(name, 12)])),
  })
}
