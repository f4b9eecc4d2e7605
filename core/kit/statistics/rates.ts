import * as v from 'valibot'
import { field } from '../../contracts/field'
import { type ShareRound, shareOf } from './shares'
import { wilson } from './wilson'

/** A share k of n, with its interval and the id of its definition. */
export interface Rate {
  readonly definition: string
  readonly k: number
  readonly n: number
  readonly rate: number | null
  readonly ci95: number[] | null
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
          v.pipe(v.array(v.number()), v.length(2), v.description('95 % interval, low and high')),
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
    /** Returns the rate of counts by assistant and day. Its interval holds that answers of one day move together. */
    ofRounds: (rounds: readonly ShareRound[]) => ({ definition, ...shareOf(rounds) }),
  }
}

const round = (value: number) => Math.round(value * 1e6) / 1e6
