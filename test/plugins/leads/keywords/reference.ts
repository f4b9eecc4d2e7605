/** A query as the tests draw it. The product never sees this tree, only its text. */
export type Query =
  | { readonly is: 'phrase'; readonly text: string; readonly isExact: boolean }
  | { readonly is: 'and' | 'or'; readonly of: readonly Query[] }
  | { readonly is: 'not'; readonly of: Query }
  | {
      readonly is: 'near'
      readonly distance: number
      readonly left: string
      readonly right: readonly string[]
    }
  | { readonly is: 'lang' | 'source' | 'author' | 'site'; readonly value: string }
  | { readonly is: 'in'; readonly field: 'title' | 'body'; readonly of: string }

export interface DrawnPost {
  readonly title?: string
  readonly body: string
  readonly url?: string
  readonly author?: string
  readonly language?: string
  readonly source?: string
}

/** Writes a query in the keyword language. */
export function written(query: Query): string {
  switch (query.is) {
    case 'phrase':
      return `${query.isExact ? '=' : ''}"${query.text}"`
    case 'and':
      return `(${query.of.map(written).join(' ')})`
    case 'or':
      return `(${query.of.map(written).join(' OR ')})`
    case 'not':
      return `NOT ${written(query.of)}`
    case 'near':
      return `("${query.left}" NEAR/${query.distance} (${query.right.map((one) => `"${one}"`).join(' OR ')}))`
    case 'in':
      return `("${query.of}" in:${query.field})`
    default:
      return `${query.is}:${query.value}`
  }
}

/** Evaluates a query without an index, a tree of the product or an automaton: slowly and plainly. */
export function holds(query: Query, post: DrawnPost): boolean | null {
  switch (query.is) {
    case 'phrase':
      return (['title', 'body'] as const).some(
        (field) => spans(post[field], query.text, query.isExact).length > 0,
      )
    case 'in':
      return spans(post[query.field], query.of, false).length > 0
    case 'and': {
      const all = query.of.map((one) => holds(one, post))
      return all.includes(false) ? false : all.includes(null) ? null : true
    }
    case 'or': {
      const all = query.of.map((one) => holds(one, post))
      return all.includes(true) ? true : all.includes(null) ? null : false
    }
    case 'not': {
      const one = holds(query.of, post)
      return one === null ? null : !one
    }
    case 'near':
      return (['title', 'body'] as const).some((field) => isNear(post[field], query))
    case 'lang':
      return post.language === undefined ? null : post.language.split('-')[0] === query.value
    case 'site':
      return post.url === undefined ? null : new URL(post.url).hostname.endsWith(query.value)
    default:
      return post[query.is] === undefined ? null : post[query.is] === query.value
  }
}

function isNear(text: string | undefined, query: Extract<Query, { is: 'near' }>): boolean {
  const letters = plain(text ?? '')
  const left = spans(text, query.left, false)
  const right = query.right.flatMap((one) => spans(text, one, false))
  const between = (from: number, to: number) => {
    let words = 0
    for (let at = from; at < to; at++) {
      const before = letters[at - 1]
      const here = letters[at]
      if (
        here &&
        isLetter(here.character) &&
        (!before || !isLetter(before.character) || isSingle(here.character))
      )
        words++
    }
    return words
  }
  return left.some((a) =>
    right.some(
      (b) =>
        (a.end <= b.start && between(a.end, b.start) <= query.distance) ||
        (b.end <= a.start && between(b.end, a.start) <= query.distance),
    ),
  )
}

interface Letter {
  readonly character: string
  /** In its own case. */
  readonly cased: string
  readonly isAfterApostrophe: boolean
}

const isLetter = (character: string) => /[\p{L}\p{N}\p{M}]/u.test(character)
const isSingle = (character: string) =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]/u.test(character)
const isOpen = (character: string) => isSingle(character) || /\p{Script=Hangul}/u.test(character)

/** The letters of a text as they are compared, with spaces joined. */
function plain(text: string): Letter[] {
  const whole = text
    .normalize('NFKC')
    .replace(/\p{Script=Latin}/gu, (letter) => letter.normalize('NFD').replace(/[\u0300-\u036f]/g, ''))
    .replace(/[\u0300-\u036f\u200b]/g, '')
    .replace(/ß/g, 'ss')
  const out: Letter[] = []
  let isAfterApostrophe = false
  for (const character of whole) {
    if (/['’]/.test(character)) {
      isAfterApostrophe = true
      continue
    }
    const cased = /[\s-]/.test(character) ? ' ' : character
    if (cased === ' ' && (out.length === 0 || out.at(-1)?.cased === ' ')) continue
    out.push({ character: cased.toLowerCase(), cased, isAfterApostrophe })
    isAfterApostrophe = false
  }
  return out
}

/** Every occurrence of a phrase that is not part of a longer word, as indexes of the letters above. */
export function spans(
  text: string | undefined,
  phrase: string,
  isExact: boolean,
): { start: number; end: number }[] {
  const letters = plain(text ?? '')
  const wanted = plain(phrase.trim())
  while (wanted.at(-1)?.cased === ' ') wanted.pop()
  const found: { start: number; end: number }[] = []
  for (let start = 0; start + wanted.length <= letters.length; start++) {
    const end = start + wanted.length
    const isSame = wanted.every(
      (one, at) =>
        one[isExact ? 'cased' : 'character'] === letters[start + at]?.[isExact ? 'cased' : 'character'],
    )
    if (isSame && isFreeStart(letters, start) && isFreeEnd(letters, end)) found.push({ start, end })
  }
  return found
}

function isFreeStart(letters: readonly Letter[], at: number): boolean {
  const before = letters[at - 1]
  const after = letters[at]
  if (!before || !after || after.isAfterApostrophe) return true
  if (!isLetter(after.character)) return !isLetter(before.character)
  return !isLetter(before.character) || isOpen(before.character) || isOpen(after.character)
}

function isFreeEnd(letters: readonly Letter[], at: number): boolean {
  const before = letters[at - 1]
  const after = letters[at]
  if (!before || !after || after.isAfterApostrophe) return true
  if (!isLetter(before.character) || !isLetter(after.character)) return true
  return isOpen(before.character) || isOpen(after.character)
}
