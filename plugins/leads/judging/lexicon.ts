import { buildMatcher, type MatchSpan, type Post } from '../keywords/matcher'

/** A rule of the lexicon: keywords of which one must match, and the points that it gives. */
export interface LexiconRule {
  readonly kind: string
  readonly points: number
  /** Said of a post that matches, before the quote. */
  readonly says: string
  readonly keywords: readonly string[]
}

/** A rule that a post matches, with the first place. */
export interface LexiconHit {
  readonly rule: LexiconRule
  readonly spans: readonly MatchSpan[]
}

/** Returns a function that finds the rules which a post matches, in the order of the rules. */
export function createLexicon(rules: readonly LexiconRule[]): (post: Post) => LexiconHit[] {
  const matcher = buildMatcher(
    rules.map(({ keywords }, at) => ({
      id: String(at),
      keywords,
      required_keywords: [],
      excluded_keywords: [],
      languages: [],
    })),
  )
  const [wrong] = matcher.unused
  if (wrong) throw new Error(`${rules[Number(wrong.tracker_id)]?.kind}: ${wrong.fault.message}`)
  return (post) =>
    matcher.match({ body: post.body, title: post.title }).map(({ tracker_id, spans }) => ({
      rule: rules[Number(tracker_id)] as LexiconRule,
      spans,
    }))
}

/** Returns the text of a span, shortened. */
export function quoteOf({ title, body }: Pick<Post, 'title' | 'body'>, span: MatchSpan): string {
  const text = (span.field === 'title' ? title : body) ?? ''
  const said = text.slice(span.start, span.end).replace(/\s+/g, ' ')
  return said.length > 120 ? `${said.slice(0, 119).toWellFormed()}…` : said
}
