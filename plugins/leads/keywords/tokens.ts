import { KeywordFault, keywordLimits } from './node'

/** A piece of a keyword as written. */
export type KeywordToken =
  | { readonly kind: '(' | ')' | 'AND' | 'OR' | 'NOT'; readonly at: number; readonly length: number }
  | { readonly kind: 'NEAR'; readonly distance: number; readonly at: number; readonly length: number }
  | {
      readonly kind: 'phrase'
      readonly text: string
      readonly isExact: boolean
      readonly isQuoted: boolean
      readonly at: number
      readonly length: number
    }
  | {
      readonly kind: 'field'
      readonly field: FieldName
      readonly value: string
      readonly at: number
      readonly length: number
    }

const fieldNames = ['site', 'author', 'lang', 'source', 'in'] as const
type FieldName = (typeof fieldNames)[number]

/** Field names that people know from elsewhere, and what to write instead. */
const otherFields: Readonly<Record<string, string>> = {
  title: 'in:title',
  intitle: 'in:title',
  body: 'in:body',
  text: 'in:body',
  url: 'site:',
  inurl: 'site:',
  domain: 'site:',
  host: 'site:',
  link: 'site:',
  from: 'author:',
  by: 'author:',
  user: 'author:',
  language: 'lang:',
  subreddit: 'site:reddit.com/r/',
  network: 'source:',
  platform: 'source:',
}

const closings: Readonly<Record<string, string>> = {
  '"': '"”“',
  '“': '”"',
  '„': '“”"',
  '«': '»',
  '»': '«',
  '「': '」',
  '『': '』',
  '＂': '＂"',
}
const isSpace = (character: string) => /\s/.test(character)
const endsWord = (character: string) => isSpace(character) || '()（）'.includes(character)

/** Splits a keyword into tokens. Throws a KeywordFault at the first that is not part of the language. */
export function tokensOf(text: string): KeywordToken[] {
  const tokens: KeywordToken[] = []
  let at = 0
  while (at < text.length) {
    const character = text.charAt(at)
    if (isSpace(character)) at++
    else if ('(（'.includes(character)) tokens.push({ kind: '(', at: at++, length: 1 })
    else if (')）'.includes(character)) tokens.push({ kind: ')', at: at++, length: 1 })
    else {
      const token = readToken(text, at)
      tokens.push(token)
      at = token.at + token.length
    }
  }
  return tokens
}

function readToken(text: string, at: number): KeywordToken {
  const character = text.charAt(at)
  if (character in closings) return quoted(text, at, at, false)
  const next = text.charAt(at + 1)
  if (character === '=' && next in closings) return quoted(text, at, at + 1, true)
  if (character === '-' || character === '−' || character === '–') {
    if (next === '' || isSpace(next)) {
      throw new KeywordFault('Remove the dash, or put the whole phrase in quotation marks', at, 1)
    }
    // Programs for texts make a longer dash of the one that was typed.
    if (character !== '-' || next !== '-') return { kind: 'NOT', at, length: 1 }
  }
  let end = at
  while (end < text.length && !endsWord(text.charAt(end)) && !(text.charAt(end) in closings)) end++
  if (end === at) end++
  const word = text.slice(at, end)
  return operatorOf(word, at) ?? fieldOf(text, word, at) ?? wordOf(text, word, at)
}

function operatorOf(word: string, at: number): KeywordToken | null {
  const length = word.length
  if (word === 'AND' || word === 'OR' || word === 'NOT') return { kind: word, at, length }
  const instead = { '|': 'OR', '||': 'OR', '&': 'AND', '&&': 'AND', '!': 'NOT' }[word]
  if (instead !== undefined) throw new KeywordFault(`Write ${instead} instead of ${word}`, at, length)
  const distant = /^(?:o?near|within|pre|adj|[nw])[/:~](\d{1,3})$/i.exec(word)
  if (distant && !/^NEAR/.test(word)) {
    const words = Math.min(Math.max(1, Number(distant[1])), keywordLimits.distanceMax)
    throw new KeywordFault(`Write NEAR/${words} in capital letters instead of ${word}`, at, length)
  }
  if (!/^NEAR(?:$|[/:~\d])/.test(word)) return null
  const max = keywordLimits.distanceMax
  const distance = Number(/^NEAR\/(\d{1,3})$/.exec(word)?.[1] ?? 0)
  if (distance < 1 || distance > max) {
    throw new KeywordFault(`Write NEAR with a number of words from 1 to ${max}, such as NEAR/5`, at, length)
  }
  return { kind: 'NEAR', distance, at, length }
}

function fieldOf(text: string, word: string, at: number): KeywordToken | null {
  const colon = word.indexOf(':')
  if (colon <= 0) return null
  const name = word.slice(0, colon).toLowerCase()
  const instead = otherFields[name]
  if (instead !== undefined && Object.hasOwn(otherFields, name)) {
    throw new KeywordFault(`There is no field ${name}:. Write ${instead}`, at, word.length)
  }
  const field = fieldNames.find((one) => one === name)
  if (!field) return null
  const value = word.slice(colon + 1)
  const opening = at + word.length
  if (value === '' && text.charAt(opening) in closings) {
    const inner = quoted(text, at, opening, false)
    return { kind: 'field', field, value: inner.text.trim(), at, length: inner.length }
  }
  if (value === '') {
    const example = { site: 'example.com', author: 'ann', lang: 'en', source: 'reddit', in: 'title' }[field]
    throw new KeywordFault(
      `Write the value directly after ${name}:, such as ${name}:${example}`,
      at,
      word.length,
    )
  }
  return { kind: 'field', field, value, at, length: word.length }
}

function wordOf(text: string, word: string, at: number): KeywordToken {
  const end = at + word.length
  if (text.charAt(end) in closings && '"＂'.includes(text.charAt(end))) {
    throw new KeywordFault('Put a space before the quotation mark', end, 1)
  }
  if (word.startsWith('+')) {
    throw new KeywordFault(`Write ${word.slice(1) || 'the word'} without +. Every word is required`, at, 1)
  }
  refuseOtherLanguages(word, at)
  const isExact = word.startsWith('=')
  if (word === '=') throw new KeywordFault('Write the word directly after =, such as =Apple', at, 1)
  return {
    kind: 'phrase',
    text: isExact ? word.slice(1) : word,
    isExact,
    isQuoted: false,
    at,
    length: word.length,
  }
}

/** Signs of other query languages. Taken as they are, they would match nothing, or something else. */
const otherSigns: readonly (readonly [form: RegExp, instead: (word: string, bare: string) => string])[] = [
  [
    /[\p{L}\p{N}]\*|\*[\p{L}\p{N}]/u,
    (_, bare) => `The * is not supported. List the forms with OR, such as ${bare} OR ${bare}s`,
  ],
  [
    /[\p{L}\p{N}]\?/u,
    (_, bare) =>
      `The ? is not supported. List the forms with OR, such as ${bare} OR ${bare}s. For the sign itself, use quotation marks`,
  ],
  [
    /^\/.*(?:\/[gimsuy]{0,3}|[\\[\]{}^$+|])$/u,
    () => 'Regular expressions are not supported. List the forms with OR, such as acme OR acmes',
  ],
  [
    /[\p{L}\p{N}][~^][\d.]{0,5}$/u,
    (_, bare) => `Write ${bare} without the sign and the number. List other spellings with OR`,
  ],
  [/^[~^][\d.]{1,5}$/u, () => 'Write words that are near each other with NEAR, such as blue NEAR/5 bottle'],
  [/^~[\p{L}\p{N}]/u, (_, bare) => `Write ${bare} without ~. List other words with OR`],
  [/^![\p{L}\p{N}]/u, (_, bare) => `Write NOT ${bare} instead of !${bare}`],
  [
    /[\p{L}\p{N}](?:\|\|?|&&)[\p{L}\p{N}]/u,
    (word) => `Write ${word.includes('|') ? 'OR' : 'AND'}, with spaces around it, instead of the signs`,
  ],
]

/** Throws a KeywordFault if a word has a sign of another query language. Quotation marks keep the sign. */
function refuseOtherLanguages(word: string, at: number): void {
  const found = otherSigns.find(([form]) => form.test(word))
  if (!found) return
  const bare = word.replace(/[~^][\d.]{0,5}$/u, '').replace(/[*?~^!]/g, '')
  throw new KeywordFault(found[1](word, bare), at, word.length)
}

function quoted(text: string, at: number, opening: number, isExact: boolean) {
  const closing = closings[text.charAt(opening)] ?? '"'
  let end = opening + 1
  while (end < text.length && !closing.includes(text.charAt(end))) end++
  if (end >= text.length) {
    throw new KeywordFault('Close the quotation mark', opening, 1)
  }
  const inner = text.slice(opening + 1, end)
  return { kind: 'phrase', text: inner, isExact, isQuoted: true, at, length: end + 1 - at } as const
}
