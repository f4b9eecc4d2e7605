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
  if (exact === null && within === null) return all
  return all.filter(
    (one) =>
      (within === null || one.field === within) && (exact === null || isWrittenSo(exact, one, scanned)),
  )
}

function isWrittenSo(
  exact: string,
  { field, start, end }: Occurrence,
  { post, texts }: ScannedPost,
): boolean {
  const text = textOf(post, field)
  const [from, to] = originalSpan(text, texts[field], start, end)
  return foldedString(text.slice(from, to), { keepsCase: true }) === exact
}

/** Returns the text of a field. */
export const textOf = (post: Post, field: TextField): string =>
  (field === 'title' ? post.title : post.body) ?? ''

/** Returns the pairs that are near enough, as the spans from the first phrase to the second. */
export function nearSpans(node: NearNode, scanned: ScannedPost): Occurrence[] {
  const left = node.left.flatMap((phrase) => occurrencesOf(phrase, scanned))
  const right = node.right.flatMap((phrase) => occurrencesOf(phrase, scanned))
  const found: Occurrence[] = []
  for (const field of ['title', 'body'] as const) {
    const a = left.filter((one) => one.field === field)
    const b = right.filter((one) => one.field === field)
    if (a.length === 0 || b.length === 0) continue
    const starts = wordStarts(scanned.texts[field])
    found.push(...nearest(a, b, starts, node.distance), ...nearest(b, a, starts, node.distance))
  }
  return found
}

const isNear = (node: NearNode, scanned: ScannedPost): boolean => nearSpans(node, scanned).length > 0

/** For each occurrence, the next one of the others that begins after its end, if it is near enough. */
function nearest(
  first: readonly Occurrence[],
  second: readonly Occurrence[],
  starts: Uint32Array,
  distance: number,
): Occurrence[] {
  const ordered = second.toSorted((a, b) => a.start - b.start)
  const found: Occurrence[] = []
  let next = 0
  for (const { field, start, end } of first.toSorted((a, b) => a.end - b.end)) {
    while (next < ordered.length && (ordered[next] as Occurrence).start < end) next++
    const other = ordered[next]
    if (!other) break
    const between = (starts[other.start] as number) - (starts[end] as number)
    if (between <= distance) found.push({ field, start, end: other.end })
  }
  return found
}

/** Returns for each index how many words begin before it. */
function wordStarts({ codes, length }: Folded): Uint32Array {
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
