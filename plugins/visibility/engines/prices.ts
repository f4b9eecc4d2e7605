import * as v from 'valibot'
import type { EngineCost } from './engine'

/** The prices of a model, in US dollars. */
export interface Price {
  /** Price per million input tokens. */
  readonly input: number
  /** Price per million output tokens. */
  readonly output: number
  /** Price per 1,000 searches. */
  readonly search: number
}

/** Prices by prefix of a model's id. The longest matching prefix counts. */
export type PriceTable = Readonly<Record<string, Price>>

/** The form of a setting with prices: `input,output,search`. If empty, the table is used. */
export const priceForm = v.pipe(
  v.string(),
  v.check(
    (text) => text === '' || numbersOf(text).length === 3,
    'three numbers: US dollars per million input tokens, per million output tokens, and per 1,000 searches',
  ),
  v.transform((text): Price | null => {
    const [input = 0, output = 0, search = 0] = numbersOf(text)
    return text === '' ? null : { input, output, search }
  }),
)

const numbersOf = (text: string): number[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => /^\d{1,6}(?:\.\d{1,6})?$/.test(part))
    .map(Number)

/** The usage of an answer, as the engine reports it. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly searches: number
}

/** Returns the price of a model, or null if it is unknown. */
export function priceOf(table: PriceTable, model: string): Price | null {
  const known = Object.keys(table).filter((start) => model.startsWith(start))
  const longest = known.sort((a, b) => b.length - a.length)[0]
  return longest === undefined ? null : (table[longest] ?? null)
}

/**
 * Returns the cost that the engine reported, or computes it from the usage. Otherwise the cost is unknown.
 */
export function costOf(
  reported: number | null | undefined,
  usage: Usage | null,
  price: Price | null,
): EngineCost {
  if (typeof reported === 'number' && reported >= 0) return { usd: reported, basis: 'reported' }
  if (usage === null || price === null) return { usd: null, basis: 'unknown' }
  const tokens = (usage.input * price.input + usage.output * price.output) / 1_000_000
  return { usd: tokens + (usage.searches * price.search) / 1_000, basis: 'computed' }
}
