import { toStorable } from './values'

/** How much structure a JSON text may have. The caller limits its bytes. */
export interface JsonBounds {
  /** Levels of arrays and objects within each other. */
  readonly depthMax: number
  /**
   * Number of values in the whole text. Object members, array elements, arrays and objects each count as one.
   */
  readonly valuesMax: number
}

/**
 * The bounds of a request body, of `q`, of a log record and of a document fetched from a user-supplied
 * address.
 */
export const jsonBounds: JsonBounds = { depthMax: 32, valuesMax: 20_000 }

/** The bounds of an answer from an outside service. */
export const answerBounds: JsonBounds = { depthMax: 64, valuesMax: 300_000 }

/**
 * Thrown when a JSON text exceeds its bounds. The message is a predicate (`has more than 20,000 values`) and
 * contains none of the text.
 */
export class JsonExcess extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'JsonExcess'
  }
}

/**
 * Parses JSON. Throws a `JsonExcess` before it builds a value that exceeds the bounds. Otherwise throws what
 * `JSON.parse` throws.
 */
export function parseJson(text: string, bounds: JsonBounds = jsonBounds): unknown {
  checkJson(text, bounds)
  return JSON.parse(text)
}

/** Escapes that can make a text that no store can hold. A text that has none of them needs no look at its values. */
const oddEscape = /\\u(?:0000|d[89a-f][\da-f]{2})/i

/**
 * Parses JSON that a stranger's service sent. All texts and names of members are made storable, so that one odd character in
 * the words of one person cannot make a whole answer useless. Throws like `parseJson`.
 */
export function parseForeignJson(text: string, bounds: JsonBounds = answerBounds): unknown {
  const value = parseJson(text, bounds)
  return oddEscape.test(text) ? storableJson(value) : value
}

/** Returns a parsed JSON value whose texts and names every store can hold. */
function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return toStorable(value)
  if (Array.isArray(value)) return value.map(storableJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [toStorable(name), storableJson(part)]),
  )
}

/**
 * Throws a `JsonExcess` when a text exceeds the bounds. Reads each character at most once and stops at the first
 * excess. `JSON.parse` checks the grammar.
 */
export function checkJson(text: string, { depthMax, valuesMax }: JsonBounds = jsonBounds): void {
  // A value has at least two characters, so most bodies are too short to exceed a limit.
  if (text.length <= depthMax) return
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = closingQuote(text, at + 1)
      if (at < 0) return
    } else if (code === comma) values++
    else if (code === openArray || code === openObject) {
      values++
      if (++depth > depthMax) throw new JsonExcess(`is nested deeper than ${depthMax} levels`)
    } else if (code === closeArray || code === closeObject) depth--
    if (values > valuesMax) throw new JsonExcess(`has more than ${valuesMax.toLocaleString('en')} values`)
  }
}

const quote = 34
const comma = 44
const backslash = 92
const openArray = 91
const closeArray = 93
const openObject = 123
const closeObject = 125

/** Returns the index of the quote that closes the string starting at `from`, or -1. */
export function closingQuote(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (end - slashes > from && text.charCodeAt(end - slashes - 1) === backslash) slashes++
    if (slashes % 2 === 0) return end
    // Escapes are often close to each other. A search for each quote would take several times as long.
    let at = end + 1
    while (text.charCodeAt(at) === backslash) at += 2
    if (text.charCodeAt(at) === quote) return at
    end = at - 1
  }
  return -1
}
