import { anchorsOf } from './anchors'
import { parseKeyword } from './parse'

/** The keyword lists of a tracker. */
export interface KeywordLists {
  readonly keywords: readonly string[]
  readonly required_keywords: readonly string[]
  readonly excluded_keywords: readonly string[]
}

/**
 * Returns phrases of which every matching post contains at least one: what to ask a source for. Throws a
 * KeywordFault if a keyword is invalid, and an Error if there is none.
 */
export function termsToAsk(tracker: KeywordLists): string[] {
  const nodes = tracker.keywords.map((keyword) => parseKeyword(keyword))
  if (nodes.length === 0) throw new Error('A tracker needs at least one keyword to search for')
  const phrases = nodes.flatMap((node) => anchorsOf(node) ?? [])
  const distinct = phrases.filter(
    ({ folded }, at) => phrases.findIndex((one) => one.folded === folded) === at,
  )
  return distinct.map(({ text }) => text)
}
