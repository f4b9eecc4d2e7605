import type { Said } from './world'

/**
 * The statistics again, straight from single answers and by slow methods: integrals, searches and double sums. It shares no
 * code with the product.
 */

/** The 97.5 % quantile of Student's t, by integrating its density. */
export function quantile(freedom: number): number {
  if (freedom > 5_000) return 1.959963984540054
  const density = (x: number) => (1 + (x * x) / freedom) ** (-(freedom + 1) / 2)
  // x = tan(u) maps the whole line to a short one.
  const area = (to: number) => {
    const steps = 800
    let total = 0
    for (let step = 0; step < steps; step++) {
      const u = ((step + 0.5) / steps) * to
      total += density(Math.tan(u)) / Math.cos(u) ** 2
    }
    return (total * to) / steps
  }
  const half = area(Math.PI / 2)
  let low = 0
  let high = Math.PI / 2
  for (let turn = 0; turn < 34; turn++) {
    const middle = (low + high) / 2
    if (area(middle) < 0.95 * half) low = middle
    else high = middle
  }
  return Math.tan(low)
}

const known = new Map<number, number>()
function cached(freedom: number): number {
  const found = known.get(freedom) ?? quantile(freedom)
  known.set(freedom, found)
  return found
}

/** All rates that a score test with this quantile and this sample size does not refuse, found by halving. */
function scoreInterval(rate: number, size: number, q: number): [number, number] {
  const isRefused = (at: number) => size * (rate - at) ** 2 > q * q * at * (1 - at)
  const edge = (from: number) => {
    let inside = rate
    let outside = from
    if (!isRefused(outside)) return outside
    for (let turn = 0; turn < 60; turn++) {
      const middle = (inside + outside) / 2
      if (isRefused(middle)) outside = middle
      else inside = middle
    }
    return inside
  }
  return [edge(0), edge(1)]
}

/** The mean rate of the cells with its interval, for balanced rounds: the means of days are the observations. */
export function meanRate(said: readonly Said[], isHit: (one: Said) => boolean = (one) => one.isNamed) {
  const days = [...Map.groupBy(said, ({ day }) => day).values()].map(
    (own) => own.filter(isHit).length / own.length,
  )
  const rate = days.reduce((all, one) => all + one, 0) / days.length
  let squares = 0
  for (const one of days) for (const other of days) squares += (one - other) ** 2 / 2
  const variance = squares / days.length / (days.length - 1) / days.length
  if (variance === 0) return { rate, ci95: scoreInterval(rate, said.length, 1.959963984540054) }
  const size = (rate * (1 - rate)) / variance
  return { rate, ci95: scoreInterval(rate, size, cached(days.length - 1)) }
}

/** The share of voice with its interval, for balanced rounds: the ratio of the sums of days. */
export function voice(said: readonly Said[]) {
  const days = [...Map.groupBy(said, ({ day }) => day).values()].map((own) => ({
    own: own.filter((one) => one.isNamed).length,
    all: own.reduce((total, one) => total + one.rivals + Number(one.isNamed), 0),
  }))
  const own = days.reduce((total, day) => total + day.own, 0)
  const all = days.reduce((total, day) => total + day.all, 0)
  const rate = own / all
  const parts = days.map((day) => day.own - rate * day.all)
  const mean = parts.reduce((total, one) => total + one, 0) / parts.length
  const variance =
    (parts.reduce((total, one) => total + (one - mean) ** 2, 0) / (parts.length - 1)) *
    (parts.length / all ** 2)
  if (variance === 0) return { rate, ci95: scoreInterval(rate, all, 1.959963984540054) }
  return { rate, ci95: scoreInterval(rate, (rate * (1 - rate)) / variance, cached(parts.length - 1)) }
}

/**
 * How strongly balanced rounds speak for a change, by fitting both models to the means of days and integrating over the
 * size of the change, mean and variance: the ratio of the marginal likelihoods of the invariant.
 */
export function evidence(means: readonly number[]): number {
  const n = means.length
  let total = 0
  let weights = 0
  for (let at = 10; at < 10 + 354; at++) weights += 1 / at
  for (let at = 10; at <= n - 3; at++) {
    const before = means.slice(0, at)
    const since = means.slice(at)
    const average = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length
    const gap = average(since) - average(before)
    const overall = average(means)
    const whole = means.reduce((sum, one) => sum + (one - overall) ** 2, 0)
    const size = (at * (n - at)) / n
    // With a normal size of the change, its part of the sum of squares shrinks by 1 + 2 size.
    const left = whole - gap ** 2 * size * (1 - 1 / (1 + 2 * size))
    total += (1 / at / weights) * Math.sqrt(1 / (1 + 2 * size)) * (whole / left) ** ((n - 1) / 2)
  }
  return total
}
