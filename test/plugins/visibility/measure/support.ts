import type { Cell } from 'renown/statistics'

/** Returns numbers in [0, 1) that are the same in each run. */
export function drawing(seed: number) {
  let state = seed
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
  /** Marsaglia and Tsang, "A simple method for generating gamma variables", 2000. */
  const gamma = (shape: number): number => {
    if (shape < 1) return gamma(shape + 1) * uniform() ** (1 / shape)
    const d = shape - 1 / 3
    for (;;) {
      const x = normal()
      const cube = (1 + x / Math.sqrt(9 * d)) ** 3
      if (cube > 0 && Math.log(uniform()) < 0.5 * x * x + d - d * cube + d * Math.log(cube)) return d * cube
    }
  }
  const beta = (a: number, b: number) => {
    const x = gamma(a)
    return x / (x + gamma(b))
  }
  return { uniform, normal, beta }
}

export type Drawing = ReturnType<typeof drawing>

/** The rates of cells, as baskets have them. */
export const scenarios: Readonly<Record<string, (draw: Drawing) => number>> = {
  'cells that nearly always agree with themselves': ({ beta }) => beta(0.25, 0.35),
  'a brand that is seldom named': ({ uniform, beta }) => (uniform() < 0.85 ? 0.005 : beta(1, 8)),
  'cells of middling rates': ({ beta }) => beta(6, 9),
}

export const meanOf = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length

/** Asks each cell a number of times. */
const asked = (rates: readonly number[], rounds: number, { uniform }: Drawing): Cell[] =>
  rates.map((rate, key) => {
    let k = 0
    for (let round = 0; round < rounds; round++) if (uniform() < rate) k++
    return { key: String(key), series: 'one', k, n: rounds }
  })
