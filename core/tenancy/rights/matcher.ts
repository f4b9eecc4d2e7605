import { parseForeignJson } from '../../contracts/bounded-json'
import type { IdentifierKind } from '../../contracts/people'
import {
  digestsOf,
  normalForm,
  type PersonKey,
  phoneOf,
  plainWord,
  profileOf,
  wordForm,
  wordsOf,
} from './identifiers'

/** What stands where a person was named. */
export const erasedText = '[erased]'

/** What is searched: identifiers, and parts of what the person wrote. */
export interface Wanted {
  readonly salt: string
  readonly keys: readonly PersonKey[]
  /** Hashes of eight words in a row, or of a short text as a whole, from the words of the person. */
  readonly marks?: readonly string[]
}

/** Finds a person in values, and takes them out. */
export interface PersonMatcher {
  /** Whether a value is one of the identifiers. */
  has(kind: IdentifierKind, value: string): boolean
  /** Whether a text of a value names the person or quotes their words. */
  names(value: unknown): boolean
  /** Returns a copy in which each such place is `[erased]`. Returns the value itself if there is none. */
  redact<T>(value: T): T
  /** Returns where a text first names the person. Null if it does not. */
  placeOf(text: string): number | null
}

/** A place in a text, from its first character to the one after its last. */
type Span = readonly [from: number, to: number]

/** Words in a row by which a quote is recognized. Fewer are common to texts of different people. */
const quoteWords = 8
/** Shorter texts of fewer words, such as `Great service!`, are written by many people. */
const shortTextMin = 24
/** Parts of the path of an address that can be a profile: `example.com/in/anna`. */
const profileParts = 4

/** Returns the marks of what a person wrote. */
export function marksOf(salt: string, text: string): string[] {
  const { mark } = digestsOf(salt)
  const words = wordsOf(text)
  if (words.length < quoteWords) return text.trim().length < shortTextMin ? [] : [mark(words.join(' '))]
  return words.slice(0, 1 - quoteWords).map((_, at) => mark(words.slice(at, at + quoteWords).join(' ')))
}

/** Creates what finds a person. Names of one word are found only as a whole value. */
export function createMatcher(wanted: Wanted): PersonMatcher {
  const { digest, quick, mark } = digestsOf(wanted.salt)
  const quicks = new Set(wanted.keys.map((key) => key.quick))
  const digests = new Set(wanted.keys.map((key) => key.digest))
  const marks = new Set(wanted.marks)
  const kinds = new Set(wanted.keys.map(({ kind }) => kind))
  const lengths = new Set(
    wanted.keys.flatMap(({ kind, words }) => (kind === 'name' && words > 1 ? [words] : [])),
  )

  const isKey = (kind: IdentifierKind, normal: string | null) =>
    normal !== null && quicks.has(quick(kind, normal)) && digests.has(digest(kind, normal))

  const inWords = (text: string, spans: Span[]) => {
    if (lengths.size === 0 && marks.size === 0) return
    const words = [...text.matchAll(wordForm)].map((found) => ({
      word: plainWord(found[0]),
      from: found.index,
      to: found.index + found[0].length,
    }))
    const join = (at: number, count: number) =>
      words
        .slice(at, at + count)
        .map(({ word }) => word)
        .join(' ')
    for (let at = 0; at < words.length; at++) {
      for (const count of lengths) {
        const last = words[at + count - 1]
        if (!last || !isKey('name', join(at, count))) continue
        spans.push([words[at]?.from ?? 0, last.to])
      }
      const last = words[at + quoteWords - 1]
      if (marks.size > 0 && last && marks.has(mark(join(at, quoteWords))))
        spans.push([words[at]?.from ?? 0, last.to])
    }
    if (
      marks.size > 0 &&
      words.length > 0 &&
      words.length < quoteWords &&
      marks.has(mark(join(0, words.length)))
    )
      spans.push([0, text.length])
  }
  const spansOf = (text: string): Span[] => {
    const spans: Span[] = []
    if (kinds.has('email')) inAddresses(text, (address) => isKey('email', address), spans)
    if (kinds.has('handle')) inHandles(text, (handle) => isKey('handle', handle), spans)
    if (kinds.has('profile')) inLinks(text, (link) => isKey('profile', link), spans)
    if (kinds.has('phone')) inNumbers(text, (number) => isKey('phone', number), spans)
    inWords(text, spans)
    return spans
  }
  const redactText = (text: string): string => {
    const json = jsonOf(text)
    if (json !== undefined) {
      const redacted = redact(json)
      return redacted === json ? text : JSON.stringify(redacted)
    }
    const spans = spansOf(text)
    return spans.length === 0 ? text : replaced(text, spans)
  }
  const redact = <T>(value: T): T => mapTexts(value, redactText) as T
  return {
    has: (kind, value) => kinds.has(kind) && isKey(kind, normalForm(kind, value)),
    names: (value) => redact(value) !== value,
    placeOf: (text) => {
      const places = spansOf(text).map(([from]) => from)
      return places.length > 0 ? Math.min(...places) : redactText(text) === text ? null : 0
    },
    redact,
  }
}

/** Applies a function to all texts of a value, also to the keys of objects. Returns the value itself if no text changes. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTexts(item, change))
    return items.every((item, at) => item === value[at]) ? value : items
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const changed = entries.map(([key, item]) => [change(key), mapTexts(item, change)] as const)
  return changed.every(([key, item], at) => key === entries[at]?.[0] && item === entries[at]?.[1])
    ? value
    : Object.fromEntries(changed)
}

/** Returns the value of a text that is JSON. Undefined if it is not. */
function jsonOf(text: string): unknown {
  if (!/^\s{0,9}[[{]/.test(text)) return
  try {
    return parseForeignJson(text)
  } catch {
    return
  }
}

const isLocalPart = /[\p{L}\p{N}._%+-]/u
const isDomainPart = /[\p{L}\p{N}.-]/u

/** Finds e-mail addresses around each `@`. */
function inAddresses(text: string, isWanted: (address: string) => boolean, spans: Span[]): void {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    let from = at
    while (from > 0 && at - from < 64 && isLocalPart.test(text[from - 1] ?? '')) from--
    let to = at + 1
    while (to < text.length && to - at < 255 && isDomainPart.test(text[to] ?? '')) to++
    while (to > at + 1 && /[.-]/.test(text[to - 1] ?? '')) to--
    if (isWanted(text.slice(from, to).normalize('NFKC').toLowerCase())) spans.push([from, to])
  }
}

/** Finds `@name`, and `@name@server`. */
function inHandles(text: string, isWanted: (handle: string) => boolean, spans: Span[]): void {
  for (const { 0: found, index } of text.matchAll(/(?<![\p{L}\p{N}._-])@[\p{L}\p{N}._@-]{1,200}/gu)) {
    const handle = found
      .slice(1)
      .replace(/[.@-]{1,9}$/, '')
      .toLowerCase()
    const [name = ''] = handle.split('@')
    if (isWanted(handle) || isWanted(name)) spans.push([index, index + 1 + handle.length])
  }
}

/** Finds addresses of profiles, and of pages below them. */
function inLinks(text: string, isWanted: (link: string) => boolean, spans: Span[]): void {
  for (const { 0: found, index } of text.matchAll(/[^\s<>"'`(){}[\],;|\\]{3,2000}/g)) {
    if (!found.includes('.')) continue
    const link = found.replace(/[.:!?]{1,9}$/, '')
    const parts = (profileOf(link) ?? '').split('/')
    for (let count = 1; count <= Math.min(parts.length, profileParts); count++) {
      if (!isWanted(parts.slice(0, count).join('/'))) continue
      spans.push([index, index + link.length])
      break
    }
  }
}

/** Finds phone numbers. */
function inNumbers(text: string, isWanted: (number: string | null) => boolean, spans: Span[]): void {
  for (const { 0: found, index } of text.matchAll(/[+\d][\d ()./-]{4,28}\d/g))
    if (isWanted(phoneOf(found))) spans.push([index, index + found.length])
}

function replaced(text: string, spans: readonly Span[]): string {
  let result = ''
  let at = 0
  for (const [from, to] of merged(spans)) {
    result += text.slice(at, from) + erasedText
    at = to
  }
  return result + text.slice(at)
}

/** Returns places in order, where those that overlap are one. */
function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last && from <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], to)]
    else result.push([from, to])
  }
  return result
}
