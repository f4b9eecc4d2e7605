import { buildMatcher, type Matcher, type Post } from '../keywords/matcher'

/** Marked parts of a text, as offsets in UTF-16 units. */
export type Marks = readonly (readonly [from: number, to: number])[]

/** Where keywords matched in the title and in the text. */
export interface MatchedMarks {
  readonly title: Marks
  readonly body: Marks
}

/**
 * Returns a function that finds the keywords of a mention in its text, with the matcher that found the mention. A post
 * that a source chose has no keywords, and no marks.
 */
export function createMarker(): (post: Post, keywords: readonly string[]) => MatchedMarks {
  const matchers = new Map<string, Matcher>()
  const matcherOf = (keywords: readonly string[]): Matcher => {
    const key = JSON.stringify(keywords)
    const known =
      matchers.get(key) ??
      buildMatcher([{ id: 'shown', keywords, required_keywords: [], excluded_keywords: [], languages: [] }])
    matchers.set(key, known)
    return known
  }
  return (post, keywords) => {
    const spans = matcherOf(keywords).match(post)[0]?.spans ?? []
    const marksIn = (field: 'title' | 'body'): Marks =>
      spans.flatMap((span) => (span.field === field ? [[span.start, span.end] as const] : []))
    return { title: marksIn('title'), body: marksIn('body') }
  }
}
