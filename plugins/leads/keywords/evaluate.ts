import { isOwnWordAt, isWordAt } from './characters'
import { type Folded, foldedString, originalSpan } from './fold'
import type { FieldNode, KeywordNode, NearNode, PhraseNode, TextField } from './node'

/** A post as the keyword language sees it. */
export interface Post {
  readonly title?: string | undefined
  readonly body: string
  readonly url?: string | undefined
  readonly author?: string | { readonly handle: string } | undefined
  /** BCP 47 language tag, if the language is known. */
  readonly language?: string | undefined
  readonly source?: string | undefined
}

/** An occurrence in the folded text of a field. */
export interface Occurrence {
  readonly field: TextField
  readonly start: number
  readonly end: number
}

/** A post whose phrases were found. */
export interface ScannedPost {
  readonly post: Post
  readonly texts: Readonly<Record<TextField, Folded>>
  /** Occurrences of a folded phrase, in order, titles first. */
  occurrences(folded: string): readonly Occurrence[]
  /** For each index of a field, how many words begin before it. Counted once, however many keywords ask. */
  wordStarts(field: TextField): Uint32Array
  /** Results that several keywords ask for, by what they ask. */
  readonly ways: Map<string, readonly Way[]>
  readonly written: Map<string, readonly string[]>
}

/** Whether a post matches. Null if a field decides that the post does not have, such as its language. */
export type Verdict = boolean | null

/** Evaluates a keyword on a post. */
export function evaluate(node: KeywordNode, scanned: ScannedPost): Verdict {
  if (node.kind === 'phrase') return occurrencesOf(node, scanned).length > 0
  if (node.kind === 'near') return isNear(node, scanned)
  if (node.kind === 'field') return hasField(node, scanned.post)
  if (node.kind === 'not') {
    const verdict = evaluate(node.of, scanned)
    return verdict === null ? null : !verdict
  }
  const decisive = node.kind === 'or'
  let result: Verdict = !decisive
  for (const one of node.of) {
    const verdict = evaluate(one, scanned)
    if (verdict === decisive) return decisive
    if (verdict === null) result = null
  }
  return result
}

/** Returns where a phrase occurs, in its field and in its case. */
export function occurrencesOf(
  { folded, exact, within }: PhraseNode,
  scanned: ScannedPost,
): readonly Occurrence[] {
  const all = scanned.occurrences(folded)
  if (all.length === 0 || (exact === null && within === null)) return all
  const written = exact === null ? null : writtenForms(folded, scanned)
  return all.filter(
    ({ field }, at) => (within === null || field === within) && (written === null || written[at] === exact),
  )
}

/** Returns each occurrence of a phrase in its own case. Read once, however many cases keywords ask for. */
function writtenForms(folded: string, scanned: ScannedPost): readonly string[] {
  const known = scanned.written.get(folded)
  if (known) return known
  const forms = scanned.occurrences(folded).map(({ field, start, end }) => {
    const text = textOf(scanned.post, field)
    const [from, to] = originalSpan(text, scanned.texts[field], start, end)
    return foldedString(text.slice(from, to), { keepsCase: true })
  })
  scanned.written.set(folded, forms)
  return forms
}

/** Returns the text of a field. */
export const textOf = (post: Post, field: TextField): string =>
  (field === 'title' ? post.title : post.body) ?? ''

/** A pair of phrases in a field: the span of both, and how many words are between them. */
interface Pair extends Occurrence {
  readonly between: number
}

/** Returns the first pairs that are near enough, as the spans from the first phrase to the second. */
export function nearSpans(node: NearNode, scanned: ScannedPost, most: number): Occurrence[] {
  const found: Occurrence[] = []
  for (const way of ways(node, scanned)) {
    if (way.gap > node.distance) continue
    let left = most
    for (const { between, ...span } of pairs(way)) {
      if (between > node.distance) continue
      found.push(span)
      left--
      if (left === 0) break
    }
  }
  return found
}

const isNear = (node: NearNode, scanned: ScannedPost): boolean =>
  ways(node, scanned).some(({ gap }) => gap <= node.distance)

/** Two phrases in one field, in one order. */
interface Way {
  /** By their ends. */
  readonly first: readonly Occurrence[]
  /** By their starts. */
  readonly second: readonly Occurrence[]
  readonly starts: Uint32Array
  /** The smallest number of words between them. */
  readonly gap: number
}

/** Returns the orders of the phrases in each field. Keywords often name one pair with several distances: read once. */
function ways({ left, right }: NearNode, scanned: ScannedPost): readonly Way[] {
  const key = `${keyOf(left)} ${keyOf(right)}`
  const known = scanned.ways.get(key)
  if (known) return known
  const found = (['title', 'body'] as const).flatMap((field) => {
    const a = inField(left, field, scanned)
    const b = a.length === 0 ? a : inField(right, field, scanned)
    if (b.length === 0) return []
    const starts = scanned.wordStarts(field)
    return [wayOf(a, b, starts), wayOf(b, a, starts)]
  })
  scanned.ways.set(key, found)
  return found
}

function wayOf(from: readonly Occurrence[], to: readonly Occurrence[], starts: Uint32Array): Way {
  const first = from.toSorted((a, b) => a.end - b.end)
  const second = to.toSorted((a, b) => a.start - b.start)
  let gap = Number.POSITIVE_INFINITY
  for (const { between } of pairs({ first, second, starts })) gap = Math.min(gap, between)
  return { first, second, starts, gap }
}

const keyOf = (phrases: readonly PhraseNode[]): string =>
  JSON.stringify(phrases.map(({ folded, exact, within }) => [folded, exact, within]))

const inField = (phrases: readonly PhraseNode[], field: TextField, scanned: ScannedPost): Occurrence[] =>
  phrases.flatMap((phrase) => occurrencesOf(phrase, scanned).filter((one) => one.field === field))

/** Yields for each occurrence the next one of the others that begins after its end. */
function* pairs({ first, second, starts }: Omit<Way, 'gap'>): Generator<Pair> {
  let next = 0
  for (const { field, start, end } of first) {
    while (next < second.length && (second[next] as Occurrence).start < end) next++
    const other = second[next]
    if (!other) return
    const between = (starts[other.start] as number) - (starts[end] as number)
    yield { field, start, end: other.end, between }
  }
}

/** Returns for each index how many words begin before it. */
export function wordStarts({ codes, length }: Folded): Uint32Array {
  const counts = new Uint32Array(length + 2)
  for (let at = 0; at < length; at++) {
    const isStart = isWordAt(codes, at) && (at === 0 || !isWordAt(codes, at - 1) || isOwnWordAt(codes, at))
    counts[at + 1] = (counts[at] as number) + (isStart ? 1 : 0)
  }
  counts[length + 1] = counts[length] as number
  return counts
}

function hasField({ field, value }: FieldNode, post: Post): Verdict {
  if (field === 'lang') {
    const language = languageOf(post)
    return language === null ? null : hasLanguage(language, value)
  }
  if (field === 'source') return post.source === undefined ? null : post.source.toLowerCase() === value
  if (field === 'author') {
    const handle = typeof post.author === 'string' ? post.author : post.author?.handle
    return handle === undefined ? null : handle.replace(/^@/, '').toLowerCase() === value
  }
  return post.url === undefined ? null : isOnSite(post.url, value)
}

/** Returns the language of a post. Null if it is unknown: absent or `und`. */
export const languageOf = ({ language }: Post): string | null =>
  language === undefined || language === '' || language === 'und' ? null : language

/** Whether a language tag is the tag or a more precise one: en-GB is en. */
export const hasLanguage = (tag: string, wanted: string): boolean => {
  const own = tag.toLowerCase()
  const other = wanted.toLowerCase()
  return own === other || own.startsWith(`${other}-`)
}

function isOnSite(url: string, value: string): boolean {
  const plain = url.toLowerCase().replace(/^https?:\/\//, '')
  const slash = plain.indexOf('/')
  const host = slash < 0 ? plain : plain.slice(0, slash)
  const path = slash < 0 ? '' : plain.slice(slash)
  const cut = value.indexOf('/')
  const [wantedHost, wantedPath] = cut < 0 ? [value, ''] : [value.slice(0, cut), value.slice(cut)]
  const isHost = host === wantedHost || host.endsWith(`.${wantedHost}`)
  return (
    isHost &&
    (path === wantedPath ||
      (path.startsWith(wantedPath) && (wantedPath === '' || '/?#'.includes(path.charAt(wantedPath.length)))))
  )
}
