import * as v from 'valibot'
import type { CostLimit, EngineCost } from './engine'

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

/** What an answer used. */
export interface Usage {
  /** Input tokens. */
  readonly input: number
  /** Output tokens. */
  readonly output: number
  readonly searches: number
}

/** The usage of an answer as the engine reports it. Null where it is not known. */
export type SaidUsage = { readonly [K in keyof Usage]: number | null }

/** The price of a model. */
export interface ModelPrice {
  readonly price: Price
  /** False if the model has no price of its own, and the dearest known price of the service stands for it. */
  readonly isKnown: boolean
}

const versionMark = /^(?:\d{1,8}|v\d{1,4}|latest|preview|exp)$/

/** Whether the rest of a name is a date, the number of a version, `latest` or `preview`, and not another model. */
const isVersion = (rest: string): boolean =>
  rest === '' ||
  (/^[-@.:]/.test(rest) &&
    rest
      .slice(1)
      .split(/[-@.:]/)
      .every((mark) => versionMark.test(mark)))

/** Returns the price of a model: the operator's own, that of the table, or the dearest of the table. */
export function priceOf(table: PriceTable, model: string, own: Price | null = null): ModelPrice {
  if (own) return { price: own, isKnown: true }
  const known = Object.keys(table).filter(
    (start) => model.startsWith(start) && isVersion(model.slice(start.length)),
  )
  const longest = known.sort((a, b) => b.length - a.length)[0]
  const found = longest === undefined ? undefined : table[longest]
  return found ? { price: found, isKnown: true } : { price: dearestOf(Object.values(table)), isKnown: false }
}

/**
 * Returns the price by which an answer is billed. A service may answer with another model than the one that was asked. If that one
 * is known to be dearer, its price counts.
 */
export function billedPrice(
  table: PriceTable,
  asked: string,
  answered: string | null,
  own: Price | null,
): ModelPrice {
  const price = priceOf(table, asked, own)
  if (own || answered === null) return price
  const other = priceOf(table, answered)
  if (!other.isKnown || !price.isKnown) return price
  return { price: dearestOf([price.price, other.price]), isKnown: true }
}

const dearestOf = (prices: readonly Price[]): Price => ({
  input: Math.max(0, ...prices.map(({ input }) => input)),
  output: Math.max(0, ...prices.map(({ output }) => output)),
  search: Math.max(0, ...prices.map(({ search }) => search)),
})

const usdOf = ({ input, output, searches }: Usage, price: Price): number =>
  (input * price.input + output * price.output) / 1_000_000 + (searches * price.search) / 1_000

/**
 * Returns the cost that the engine reported, or computes it from the usage. `most` stands for each part of the usage that is not
 * known. The amount is then the largest that it can be. A reported 0, no input tokens and a text of no tokens are not known: no
 * service answers for nothing.
 */
export function costOf(
  reported: number | null | undefined,
  usage: SaidUsage,
  { price, isKnown }: ModelPrice,
  most: Usage,
  text: string,
): EngineCost {
  if (typeof reported === 'number' && reported > 0) return { usd: reported, basis: 'reported' }
  const { searches } = usage
  const input = usage.input === 0 ? null : usage.input
  const output = usage.output === 0 && text !== '' ? null : usage.output
  const odd = [
    ...(reported === 0 ? ['the reported cost is 0'] : []),
    ...(usage.input === 0 ? ['the usage has no tokens of the question'] : []),
    ...(output !== usage.output ? ['the usage has no tokens of the answer'] : []),
  ]
  const isWhole = input !== null && output !== null && searches !== null
  const used = {
    input: input ?? most.input,
    output: output ?? most.output,
    searches: searches ?? most.searches,
  }
  return { usd: usdOf(used, price), basis: isKnown && isWhole ? 'computed' : 'at_most', odd }
}

/** Returns the largest amount that a question to a model can cost, and which setting has the price if it is not known. */
export function limitOf(
  model: string,
  { price, isKnown }: ModelPrice,
  most: Usage,
  priceSetting: string,
): CostLimit {
  const usd = usdOf(most, price)
  if (isKnown) return { usd }
  const because = `The price of ${model} is not known, so each answer counts at the dearest known price. Set ${priceSetting}.`
  return { usd, because }
}
