import * as v from 'valibot'
import { field } from '../contracts/field'

/** A share k of n, with its interval and the id of its definition. */
export interface Rate {
  readonly definition: string
  readonly k: number
  readonly n: number
  readonly rate: number | null
  readonly ci95: number[] | null
}

const z = 1.959963984540054

/**
 * Returns the 95 % Wilson interval of k successes in n trials. Null if n is 0. Wilson, E. B. (1927), Probable
 * inference, the law of succession, and statistical inference.
 */
export function wilson(k: number, n: number): [low: number, high: number] | null {
  if (n <= 0) return null
  const p = k / n
  const spread = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))
  const middle = p + (z * z) / (2 * n)
  const scale = 1 + (z * z) / n
  return [round(Math.max(0, (middle - spread) / scale)), round(Math.min(1, (middle + spread) / scale))]
}

/**
 * Whether the difference of two shares is significant: 0 is outside the 95 % interval of their difference.
 * Null if either has no trials. Newcombe, R. G. (1998), Interval estimation for the difference between
 * independent proportions, method 10.
 */
export function differs(a: Pick<Rate, 'k' | 'n'>, b: Pick<Rate, 'k' | 'n'>): boolean | null {
  const first = wilson(a.k, a.n)
  const second = wilson(b.k, b.n)
  if (!first || !second) return null
  const p = a.k / a.n
  const q = b.k / b.n
  const low = p - q - Math.hypot(p - first[0], second[1] - q)
  const high = p - q + Math.hypot(first[1] - p, q - second[0])
  return low > 0 || high < 0
}

/** Declares a rate: its id with a version, what k and n count, its schema, and how to compute it. */
export function defineRate(definition: string, means: string) {
  return {
    definition,
    schema: v.pipe(
      v.object({
        definition: v.pipe(v.literal(definition), v.description('How the rate is counted, with a version')),
        k: field.integer('What the rate counts', { min: 0 }),
        n: field.integer('The total that the rate is a share of', { min: 0 }),
        rate: v.nullable(field.number('k / n; null where n is 0', { min: 0, max: 1 })),
        ci95: v.nullable(
          v.pipe(v.array(v.number()), v.length(2), v.description('95 % Wilson interval, low and high')),
        ),
      }),
      v.description(means),
      v.examples([{ definition, k: 8, n: 10, rate: 0.8, ci95: wilson(8, 10) as number[] }]),
    ),
    of: (k: number, n: number) => ({
      definition,
      k,
      n,
      rate: n > 0 ? round(k / n) : null,
      ci95: wilson(k, n) as number[] | null,
    }),
  }
}

const round = (value: number) => Math.round(value * 1e6) / 1e6
