import * as v from 'valibot'
import { field } from '../contracts/field'
import { rounded as round, wilson } from './wilson'

export { wilson }

/** A share k of n as it is answered: never without its n, its interval and the definition it was counted by. */
export interface Rate {
  readonly definition: string
  readonly k: number
  readonly n: number
  readonly rate: number | null
  readonly ci95: number[] | null
}

/**
 * Whether two shares differ by more than chance makes likely: 0 lies outside the 95 % interval of their difference.
 * Null where either has no trials. Newcombe, R. G. (1998), Interval estimation for the difference between independent
 * proportions, method 10.
 */
export function differs(a: Pick<Rate, 'k' | 'n'>, b: Pick<Rate, 'k' | 'n'>): boolean | null {
  const [first, second] = [wilson(a.k, a.n), wilson(b.k, b.n)]
  if (!first || !second) return null
  const [p, q] = [a.k / a.n, b.k / b.n]
  const low = p - q - Math.hypot(p - first[0], second[1] - q)
  const high = p - q + Math.hypot(first[1] - p, q - second[0])
  return low > 0 || high < 0
}

/** Declares a rate once: its id with a version, what k and n count, its schema, and how to make one. */
export function defineRate(definition: string, means: string) {
  return {
    definition,
    schema: v.pipe(
      v.object({
        definition: v.pipe(v.literal(definition), v.description('How the rate is counted, with a version')),
        k: field.integer('What the rate counts', { min: 0 }),
        n: field.integer('What it is a share of', { min: 0 }),
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
