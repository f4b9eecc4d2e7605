import { describe, expect, test } from 'bun:test'
import { shiftDay } from '../../../../core/kit/periods'
import { changeOf } from '../../../../plugins/traffic/sums/series-changes'
import { randomSource } from '../../../support/random-documents'

const first = '2026-01-05'
const days = (hits: readonly number[]) =>
  hits.map((count, at) => ({ date: shiftDay(first, at), hits: count }))
const change = (...hits: number[]) => changeOf(days(hits))
const steady = (count: number, hits = 9) => Array<number>(count).fill(hits)

describe('a crawler stopped', () => {
  test('after four days without a hit, where it came daily', () => {
    expect(change(...steady(56), 0, 0, 0)).toBeNull()
    expect(change(...steady(56), 0, 0, 0, 0)).toEqual({
      kind: 'stopped',
      began: shiftDay(first, 56),
      usual: 9,
      hits: 0,
    })
    // With fewer days before, one day more is needed.
    expect(change(...steady(40), 0, 0, 0, 0)).toBeNull()
    expect(change(...steady(40), 0, 0, 0, 0, 0)?.kind).toBe('stopped')
    expect(change(...steady(27), 0, 0, 0, 0)).toBeNull()
    expect(change()).toBeNull()
  })
  test('after more than three times its longest pause', () => {
    const pausing = [...steady(30), 0, 0, ...steady(24)]
    expect(change(...pausing, 0, 0, 0, 0, 0, 0)).toBeNull()
    expect(change(...pausing, 0, 0, 0, 0, 0, 0, 0)?.kind).toBe('stopped')
  })
  test('not at a weekend where it never comes at weekends, and not where it came rarely', () => {
    const weeks = Array.from({ length: 8 }, () => [...steady(5), 0, 0]).flat()
    for (let gap = 0; gap <= 4; gap++) expect(change(...weeks, ...Array<number>(gap).fill(0))).toBeNull()
    const rare = Array.from({ length: 56 }, (_, at) => (at % 3 === 0 ? 1 : 0))
    expect(change(...rare, ...Array<number>(9).fill(0))).toBeNull()
  })
})

describe('a crawler jumped', () => {
  test('with at least 50 hits, more than three times the median and the largest day', () => {
    expect(change(...steady(40), 49)).toBeNull()
    expect(change(...steady(40), 50)).toMatchObject({ kind: 'jumped', usual: 9, hits: 50 })
    expect(change(...steady(40, 30), 90)).toBeNull()
    expect(change(...steady(40, 30), 91)?.kind).toBe('jumped')
    expect(change(...steady(20), 60, ...steady(20), 180)).toBeNull()
    expect(change(...steady(20), 60, ...steady(20), 181)?.kind).toBe('jumped')
    expect(change(...steady(27), 500)).toBeNull()
  })
})

/** How counts of a crawler without a change are drawn. `size` is the dispersion of a negative binomial count. */
interface Model {
  readonly mean: number
  readonly size: number
  /** Factor at weekends. */
  readonly weekend: number
  /** The probability that a quiet or busy time ends on a day, where the crawler works in such times. */
  readonly turn?: number
}

const models: Readonly<Record<string, Model>> = {
  'few hits': { mean: 1.5, size: 1e6, weekend: 1 },
  'many hits': { mean: 60, size: 1e6, weekend: 1 },
  'scattered hits': { mean: 12, size: 2, weekend: 1 },
  'very scattered hits': { mean: 25, size: 0.8, weekend: 1 },
  'quiet weekends': { mean: 15, size: 3, weekend: 0.2 },
  'no weekends': { mean: 20, size: 3, weekend: 0 },
  'busy and quiet times': { mean: 15, size: 2, weekend: 1, turn: 0.25 },
}

/** Draws a gamma value by Marsaglia and Tsang, and from it a Poisson count. */
function drawSeries({ mean, size, weekend, turn }: Model, length: number, random: () => number): number[] {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const gamma = (shape: number): number => {
    if (shape < 1) return gamma(shape + 1) * random() ** (1 / shape)
    const d = shape - 1 / 3
    for (;;) {
      const x = normal()
      const value = (1 + x / Math.sqrt(9 * d)) ** 3
      if (value > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * value + d * Math.log(value))
        return d * value
    }
  }
  const poisson = (rate: number): number => {
    if (rate > 200) return Math.max(0, Math.round(rate + Math.sqrt(rate) * normal()))
    let count = 0
    for (let product = random(); product > Math.exp(-rate); product *= random()) count++
    return count
  }
  let isBusy = true
  return Array.from({ length }, (_, at) => {
    if (turn !== undefined && random() < turn) isBusy = !isBusy
    const rate = mean * (at % 7 >= 5 ? weekend : 1) * (isBusy ? 1 : 0.1)
    return rate === 0 ? 0 : poisson(size > 1e5 ? rate : (gamma(size) * rate) / size)
  })
}

/** Counts the episodes of a year in many series: a change that goes on, or comes again within a week, is one. */
function episodes(model: Model, series: number, seed: number) {
  const random = randomSource(seed).next
  let found = 0
  for (let one = 0; one < series; one++) {
    const counts = days(drawSeries(model, 56 + 364, random))
    let quietUntil = 0
    for (let end = 57; end <= counts.length; end++) {
      if (!changeOf(counts.slice(Math.max(0, end - 90), end))) continue
      if (end > quietUntil) found++
      quietUntil = end + 7
    }
  }
  return found
}

describe('without a change', () => {
  test.each(Object.entries(models))(
    '%s: at most one false episode in 1,000 weeks of a crawler',
    (_name, model) => {
      // 1,040 weeks.
      expect(episodes(model, 20, 7)).toBeLessThanOrEqual(1)
    },
  )
})

test('a crawler that really stops is found within a week in nine of ten series', () => {
  const random = randomSource(9).next
  for (const name of ['many hits', 'scattered hits', 'quiet weekends']) {
    const model = models[name] as Model
    const found = Array.from({ length: 200 }, () => {
      const counts = [...drawSeries(model, 70, random), ...Array<number>(7).fill(0)]
      return changeOf(days(counts))?.kind === 'stopped'
    }).filter(Boolean).length
    expect(found).toBeGreaterThanOrEqual(180)
  }
})
