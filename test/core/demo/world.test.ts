import { expect, test } from 'bun:test'
import { randomFrom } from '../../../core/demo/random'
import { demoWorld } from '../../../core/demo/world'

const today = '2026-11-20'

test('a stream of chance follows from its text, to the last digit', () => {
  const draws = (text: string) => {
    const random = randomFrom(text, today)
    return [random.next(), random.integer(1, 6), random.instant(3), random.pick(['a', 'b', 'c'])]
  }
  expect(draws('x')).toEqual(draws('x'))
  expect(draws('x')).not.toEqual(draws('y'))
})

test('draws are spread evenly and keep their bounds', () => {
  const random = randomFrom('spread', today)
  const counts = new Map<number, number>()
  for (let n = 0; n < 60_000; n++) {
    const drawn = random.integer(1, 6)
    counts.set(drawn, (counts.get(drawn) ?? 0) + 1)
  }
  expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6])
  for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(500)
  const weighted = { a: 0, b: 0, c: 0 }
  for (let n = 0; n < 10_000; n++) weighted[random.weighted({ a: 8, b: 2, c: 0 })]++
  expect(weighted.c).toBe(0)
  expect(Math.abs(weighted.a - 8_000)).toBeLessThan(300)
})

test('an instant lies on its day', () => {
  const random = randomFrom('days', today)
  for (let n = 0; n < 500; n++) expect(random.instant(1).slice(0, 10)).toBe('2026-11-19')
})

test('a world has three workspaces and twelve businesses, each in one of them, and ids that outlive the day', () => {
  const world = demoWorld({ seed: 'renown', today })
  const tomorrow = demoWorld({ seed: 'renown', today: '2026-11-21' })
  const other = demoWorld({ seed: 'other', today })
  expect([world.workspaces.length, world.businesses.length]).toEqual([3, 12])
  expect(new Set(world.businesses.map(({ id }) => id)).size).toBe(12)
  const spaces = new Set(world.workspaces.map(({ id }) => id))
  expect([...world.businesses, ...world.prospects].every((one) => spaces.has(one.workspace_id))).toBe(true)
  expect(tomorrow.businesses.map(({ id }) => id)).toEqual(world.businesses.map(({ id }) => id))
  expect(other.agency_id).not.toBe(world.agency_id)
  expect(world.agency_id).toMatch(/^agc_[0-9A-HJKMNP-TV-Z]{26}$/)
})

test('every place that a person sees says that it is a demo, and nothing in it can be reached', () => {
  const { workspaces, businesses, prospects } = demoWorld({ seed: 'renown', today })
  expect(workspaces.filter(({ name }) => !name.includes('(demo)'))).toEqual([])
  expect([...businesses, ...prospects].filter(({ domain }) => !domain.endsWith('.example'))).toEqual([])
})
