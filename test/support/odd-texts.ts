import { pathsOf, replaced } from './replaced'

/** Characters of strangers that no store, no screen or no reader expects, by name. */
export const oddCharacters: Readonly<Record<string, string>> = {
  'the first half of a pair': '\ud800',
  'the second half of a pair': '\udc00',
  'U+0000': '\0',
  'a byte order mark': '\ufeff',
  'a mark that reverses what follows': '\u202e',
  'an emoji of four bytes': '😀',
  'a control character': '\u0007',
}

/** A text of an answer with an odd character in it. */
export interface OddAnswer {
  /** Where and what, for messages. */
  readonly name: string
  readonly path: readonly (string | number)[]
  readonly body: unknown
}

/**
 * Yields a JSON answer once for each of its texts and each odd character. In turn, the character stands in the middle of the text, is
 * all of it, or makes it `a`, the character and `b`.
 */
export function* oddAnswers(body: unknown): Generator<OddAnswer> {
  let turn = 0
  for (const path of pathsOf(body)) {
    const text = path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], body)
    if (typeof text !== 'string') continue
    for (const [what, character] of Object.entries(oddCharacters)) {
      const middle = Math.floor(text.length / 2)
      const forms = [`${text.slice(0, middle)}${character}${text.slice(middle)}`, character, `a${character}b`]
      const odd = forms[turn++ % forms.length]
      yield { name: `${path.join('.')}: ${what}`, path, body: replaced(body, path, odd) }
    }
  }
}

/** Whether a text belongs to one row of a list of that length. */
export const isOfRow = ({ path, body }: OddAnswer, rows: number): boolean =>
  path.some((key, at) => {
    const list = path
      .slice(0, at)
      .reduce<unknown>((value, step) => (value as Record<string | number, unknown>)[step], body)
    return typeof key === 'number' && Array.isArray(list) && list.length === rows
  })

/** Returns the texts of a value that a store cannot hold, with their places. */
export function unstorableTexts(value: unknown): string[] {
  return pathsOf(value).flatMap((path) => {
    const found = path.reduce<unknown>((part, key) => (part as Record<string | number, unknown>)[key], value)
    const texts = [found, path.at(-1)].filter((text) => typeof text === 'string')
    return texts.some((text) => text.includes('\0') || !text.isWellFormed()) ? [path.join('.')] : []
  })
}
