import { defineCommand, field, where } from 'renown'
import * as v from 'valibot'
import { checkKeywords, type KeywordMistake, keywordAdvice } from '../keywords/check'
import { buildMatcher, type Match } from '../keywords/matcher'
import type { KeywordLists } from '../keywords/terms'
import { Mention } from '../records/Mention'
import type { MentionReads } from '../records/mention-reads'
import { othersRan } from '../sources/others-ran'

const postsMax = 500
const shownMax = 20
/** Posts that are compared before other work may run. */
const postsAtOnce = 10

/** Keywords that are not stored yet, with the languages of their tracker. Empty: all. */
export interface KeywordDraft extends KeywordLists {
  readonly languages?: readonly string[]
}

/** A post that a draft of keywords would match. */
export interface PreviewedMatch {
  readonly post: Awaited<ReturnType<typeof newestPosts>>[number]
  readonly match: Match
}

/** What a draft of keywords would have matched. */
export interface KeywordPreview {
  readonly mistakes: readonly KeywordMistake[]
  readonly advice: readonly string[]
  /** Number of posts that were compared. */
  readonly posts: number
  readonly matched: number
  /** The newest matches. */
  readonly matches: readonly PreviewedMatch[]
}

/** Compares a draft of keywords with the newest stored posts of a workspace. Reads once. */
export async function previewKeywords(
  ctx: MentionReads,
  workspace_id: string,
  { languages = [], ...lists }: KeywordDraft,
): Promise<KeywordPreview> {
  const mistakes = checkKeywords(lists)
  const advice = lists.keywords.flatMap(keywordAdvice)
  if (mistakes.length > 0) return { mistakes, advice, posts: 0, matched: 0, matches: [] }
  const posts = await newestPosts(ctx, workspace_id)
  const matcher = buildMatcher([{ id: 'draft', ...lists, languages }])
  const matches: PreviewedMatch[] = []
  let matched = 0
  for (const [at, post] of posts.entries()) {
    // Keywords can be written so that each post costs much.
    if (at % postsAtOnce === 0) await othersRan()
    const [match] = matcher.match(post, { places: matched < shownMax })
    if (!match) continue
    matched++
    if (matched <= shownMax) matches.push({ post, match })
  }
  return { mistakes, advice, posts: posts.length, matched, matches }
}

async function newestPosts(ctx: MentionReads, workspace_id: string) {
  const rows = await ctx.rows(Mention).list({
    where: where.and(where.eq('workspace_id', workspace_id), where.eq('removal_rule', null)),
    sort: [{ field: 'created_date', direction: 'desc' }],
    limit: postsMax,
  })
  // Several trackers can have found the same post.
  return [...new Map(rows.map((row) => [`${row.source} ${row.source_id}`, row])).values()]
}

const list = (description: string) => v.optional(v.pipe(v.array(v.string()), v.description(description)), [])

/** Shows what a draft of keywords would have matched. */
export const previewTracker = defineCommand({
  name: 'mention tracker preview',
  summary: 'Show which of the last 500 stored posts a draft of keywords would match',
  input: v.strictObject({
    workspace_id: field.text('Workspace of the stored posts'),
    keywords: list('Keywords in the keyword language'),
    required_keywords: list('Keywords that a post must also match'),
    excluded_keywords: list('Keywords that a post must not match'),
  }),
  positional: ['workspace_id'],
  async run(ctx, { workspace_id, ...lists }) {
    const { matches, ...preview } = await previewKeywords(ctx, workspace_id, lists)
    return {
      ...preview,
      matches: matches.map(({ post, match }) => ({
        mention_id: post.id,
        url: post.url,
        excerpt: post.excerpt,
        source: post.source,
        keywords: match.keywords,
        spans: match.spans,
      })),
    }
  },
})
