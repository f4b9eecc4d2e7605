import { afterEach, describe, expect, test } from 'bun:test'
import { fairIntervals, newBudget, type WantedTarget } from '../../../../plugins/leads/finding/intervals'
import { BrandTracker } from '../../../../plugins/leads/records/BrandTracker'
import { type FindingWorld, findingWorld } from '../support/finding-world'

const minute = 60_000
const hour = 60 * minute
/** Targets of workspaces, by how many each has. */
const targetsOf = (counts: Readonly<Record<string, number>>): WantedTarget[] =>
  Object.entries(counts).flatMap(([id, count]) =>
    Array.from({ length: count }, (_, n) => ({ key: `${id} ${n}`, workspaces: new Set([id]) })),
  )
const readingsPerHour = (intervals: ReadonlyMap<string, number>) =>
  [...intervals.values()].reduce((sum, ms) => sum + hour / ms, 0)

describe('the intervals of terms', () => {
  test('stay as they are while the budget is enough', () => {
    const intervals = fairIntervals(targetsOf({ a: 10, b: 2 }), 5 * minute, 144)
    expect(new Set(intervals.values())).toEqual(new Set([5 * minute]))
  })

  test('get longer, so that all terms together keep the budget', () => {
    const intervals = fairIntervals(targetsOf({ a: 1_200 }), 5 * minute, 3_000)
    expect(readingsPerHour(intervals)).toBeLessThanOrEqual(3_000)
    expect(readingsPerHour(intervals)).toBeGreaterThan(2_900)
  })

  test('stay short for a workspace with few terms beside one with many', () => {
    const intervals = fairIntervals(targetsOf({ big: 5_000, small: 3, other: 40 }), 5 * minute, 1_200)
    expect([intervals.get('small 0'), intervals.get('other 0')]).toEqual([5 * minute, 5 * minute])
    expect(intervals.get('big 0')).toBeGreaterThan(hour)
    expect(readingsPerHour(intervals)).toBeLessThanOrEqual(1_200)
  })

  test('count a term of several workspaces once', () => {
    const shared = targetsOf({ a: 100 }).map(({ key }) => ({ key, workspaces: new Set(['a', 'b', 'c']) }))
    expect(readingsPerHour(fairIntervals(shared, 5 * minute, 1_200))).toBeCloseTo(1_200, 6)
  })

  test('are never so long that a reading seems to be stored by a wrong clock', () => {
    for (const ms of fairIntervals(targetsOf({ a: 9_000 }), hour, 3).values())
      expect(ms).toBeLessThan(48 * hour)
  })
})

describe('the budget of a host', () => {
  test('fills up over time, and says how long to wait', () => {
    const budget = newBudget()
    const used = Array.from({ length: 20 }, () => budget.use(60, 0))
    expect(used.filter((wait) => wait === 0)).toHaveLength(10)
    expect(used[10]).toBe(minute)
    expect([budget.use(60, minute), budget.use(60, minute) > 0]).toEqual([0, true])
  })

  test('is not filled by a clock that goes back', () => {
    const budget = newBudget()
    for (let n = 0; n < 10; n++) budget.use(60, hour)
    expect(budget.use(60, 0)).toBeGreaterThan(0)
  })
})

describe('readings', () => {
  let world: FindingWorld
  afterEach(() => world.stop())

  test('of 300 terms keep the budget of the host in each hour, and every term is read', async () => {
    world = await findingWorld()
    world.search.perHour = 600
    for (let n = 0; n < 12; n++) {
      const keywords = Array.from({ length: 25 }, (_, k) => `word${n}x${k}`)
      await world.tracker(keywords, { workspace_id: `wsp_${n % 3}`, sources: ['forum'] })
    }
    for (let passed = 0; passed < 60; passed += 0.5) await world.read(0.5)
    const asked = world.search.asked.length
    expect(asked).toBeLessThanOrEqual(600 + 10)
    expect(asked).toBeGreaterThan(300)
    expect(new Set(world.search.asked.map(({ target }) => target)).size).toBe(300)
    const [tracker] = await world.owner.rows(BrandTracker).list({ limit: 1 })
    const told = Date.parse(tracker?.next_run_at ?? '') - Date.parse(tracker?.last_run_at ?? '')
    expect(told).toBeGreaterThan(25 * minute)
  })

  test('of a term that two workspaces want are made once', async () => {
    world = await findingWorld()
    for (const workspace_id of ['wsp_1', 'wsp_2'])
      await world.tracker(['acme'], { workspace_id, sources: ['forum'] })
    await world.read()
    expect(world.search.asked.map(({ target }) => target)).toEqual(['acme'])
  })
})
