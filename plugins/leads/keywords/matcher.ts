import { anchorsOf } from './anchors'
import { type Automaton, buildAutomaton } from './automaton'
import {
  evaluate,
  hasLanguage,
  languageOf,
  nearSpans,
  type Occurrence,
  occurrencesOf,
  type Post,
  type ScannedPost,
  textOf,
  wordStarts,
} from './evaluate'
import { fold, originalSpan } from './fold'
import { KeywordFault, type KeywordNode, type KeywordRole, type PhraseNode, type TextField } from './node'
import { parseKeyword } from './parse'
import type { KeywordLists } from './terms'

export type { Post } from './evaluate'

/** A tracker as the matcher needs it. */
export interface MatchedTracker extends KeywordLists {
  readonly id: string
  /** BCP 47 tags. Empty: every language. A post whose language is unknown counts. */
  readonly languages: readonly string[]
}

/** Where a keyword matched: indexes in the unchanged title or body. */
export interface MatchSpan {
  readonly field: TextField
  readonly start: number
  readonly end: number
}

/** A tracker that a post matches, with the keywords that matched and their occurrences. */
export interface Match {
  readonly tracker_id: string
  readonly keywords: string[]
  readonly spans: MatchSpan[]
}

/** A keyword that the matcher could not use. */
export interface UnusedKeyword {
  readonly tracker_id: string
  readonly field: KeywordRole
  readonly index: number
  readonly fault: KeywordFault
}

/** Finds the trackers that a post matches. */
export interface Matcher {
  /** `places: false` leaves the spans out, which cost more than the rest. */
  match(post: Post, options?: { readonly places?: boolean }): Match[]
  /**
   * Whether a post has an excluded keyword of the tracker or another language. For posts that a source chose, which
   * count without a keyword. True for a tracker that is unknown or has an invalid keyword.
   */
  isExcluded(post: Post, trackerId: string): boolean
  /** Stored keywords that are invalid. A tracker with an invalid keyword matches nothing. */
  readonly unused: readonly UnusedKeyword[]
  /** Size of the automaton over all trackers. */
  readonly states: number
}

interface Keyword {
  readonly text: string
  readonly node: KeywordNode
}
interface Compiled {
  readonly id: string
  readonly languages: readonly string[]
  readonly keywords: readonly Keyword[]
  readonly required: readonly KeywordNode[]
  readonly excluded: readonly KeywordNode[]
}

const spansMax = 50
const nothing: readonly Occurrence[] = []

/** Compiles all trackers into one matcher, which reads each post once. */
export function buildMatcher(trackers: readonly MatchedTracker[]): Matcher {
  const unused: UnusedKeyword[] = []
  const compiled = trackers.flatMap((tracker) => compile(tracker, unused))
  const index = new Map<string, number>()
  const indexOf = (folded: string) => {
    const found = index.get(folded)
    if (found !== undefined) return found
    index.set(folded, index.size)
    return index.size - 1
  }
  for (const tracker of compiled) for (const phrase of phrasesOf(tracker)) indexOf(phrase.folded)
  const automaton = buildAutomaton([...index.keys()])
  const watching: number[][] = Array.from(index, () => [])
  compiled.forEach((tracker, at) => {
    const anchors = tracker.keywords.flatMap(({ node }) => anchorsOf(node) ?? [])
    for (const phrase of new Set(anchors.map(({ folded }) => indexOf(folded)))) watching[phrase]?.push(at)
  })
  return {
    unused,
    states: automaton.states,
    match(post, { places = true } = {}) {
      const { scanned, found } = scan(automaton, index, post)
      const due = new Set<number>()
      for (const phrase of found) for (const tracker of watching[phrase] as number[]) due.add(tracker)
      const matches: Match[] = []
      for (const at of [...due].sort((a, b) => a - b)) {
        const match = matchOf(compiled[at] as Compiled, scanned, places)
        if (match) matches.push(match)
      }
      return matches
    },
    isExcluded(post, trackerId) {
      const tracker = compiled.find(({ id }) => id === trackerId)
      return !tracker || isExcluded(tracker, scan(automaton, index, post).scanned)
    },
  }
}

function compile(tracker: MatchedTracker, unused: UnusedKeyword[]): Compiled[] {
  const faults: UnusedKeyword[] = []
  const parsed = (field: KeywordRole) =>
    tracker[field].flatMap((text, index) => {
      try {
        return [{ text, node: parseKeyword(text, field) }]
      } catch (fault) {
        if (!(fault instanceof KeywordFault)) throw fault
        faults.push({ tracker_id: tracker.id, field, index, fault })
        return []
      }
    })
  const keywords = parsed('keywords')
  const required = parsed('required_keywords').map(({ node }) => node)
  const excluded = parsed('excluded_keywords').map(({ node }) => node)
  unused.push(...faults)
  // Without one of its conditions a tracker would match what its owner left out.
  if (faults.length > 0) return []
  return [{ id: tracker.id, languages: tracker.languages, keywords, required, excluded }]
}

const phrasesOf = ({ keywords, required, excluded }: Compiled): PhraseNode[] =>
  [...keywords.map(({ node }) => node), ...required, ...excluded].flatMap(phrasesIn)

function phrasesIn(node: KeywordNode): readonly PhraseNode[] {
  if (node.kind === 'phrase') return [node]
  if (node.kind === 'near') return [...node.left, ...node.right]
  if (node.kind === 'not') return phrasesIn(node.of)
  return node.kind === 'field' ? [] : node.of.flatMap(phrasesIn)
}

function scan(automaton: Automaton, index: ReadonlyMap<string, number>, post: Post) {
  const texts = { title: fold(post.title ?? ''), body: fold(post.body) }
  const found = new Map<number, Occurrence[]>()
  for (const field of ['title', 'body'] as const) {
    automaton.scan(texts[field], (phrase, start, end) => {
      const list = found.get(phrase)
      if (list) list.push({ field, start, end })
      else found.set(phrase, [{ field, start, end }])
    })
  }
  const counts: Partial<Record<TextField, Uint32Array>> = {}
  const scanned: ScannedPost = {
    post,
    texts,
    ways: new Map(),
    written: new Map(),
    occurrences: (folded) => found.get(index.get(folded) ?? -1) ?? nothing,
    wordStarts(field) {
      counts[field] ??= wordStarts(texts[field])
      return counts[field]
    },
  }
  return { scanned, found: found.keys() }
}

function matchOf(tracker: Compiled, scanned: ScannedPost, places: boolean): Match | null {
  if (isExcluded(tracker, scanned)) return null
  if (tracker.required.some((node) => evaluate(node, scanned) === false)) return null
  const matched = tracker.keywords.filter(({ node }) => evaluate(node, scanned) !== false)
  if (matched.length === 0) return null
  return {
    tracker_id: tracker.id,
    keywords: matched.map(({ text }) => text),
    spans: places ? spansOf(matched, scanned) : [],
  }
}

function isExcluded({ languages, excluded }: Compiled, scanned: ScannedPost): boolean {
  const language = languageOf(scanned.post)
  if (language !== null && languages.length > 0 && !languages.some((one) => hasLanguage(language, one)))
    return true
  return excluded.some((node) => evaluate(node, scanned) === true)
}

/** Returns the first spans of the keywords. Each part of a keyword adds its first ones, so repeated words cost little. */
function spansOf(matched: readonly Keyword[], scanned: ScannedPost): MatchSpan[] {
  const folded = new Map<string, Occurrence>()
  for (const { node } of matched) {
    addSpans(node, scanned, (span) => folded.set(`${span.field} ${span.start} ${span.end}`, span))
  }
  const rank = ({ field }: Occurrence) => (field === 'title' ? 0 : 1)
  const first = [...folded.values()]
    .sort((a, b) => rank(a) - rank(b) || a.start - b.start || a.end - b.end)
    .slice(0, spansMax)
    .map(({ field, start, end }) => {
      const [from, to] = originalSpan(textOf(scanned.post, field), scanned.texts[field], start, end)
      return { field, start: from, end: to }
    })
  return [...new Map(first.map((span) => [`${span.field} ${span.start} ${span.end}`, span])).values()]
}

function addSpans(node: KeywordNode, scanned: ScannedPost, add: (span: Occurrence) => void): void {
  if (node.kind === 'not' || node.kind === 'field') return
  if (node.kind === 'phrase') for (const one of occurrencesOf(node, scanned).slice(0, spansMax)) add(one)
  else if (node.kind === 'near') for (const one of nearSpans(node, scanned, spansMax)) add(one)
  else for (const one of node.of) addSpans(one, scanned, add)
}
