import { defineCommand, field, type OwnerContext, where } from 'renown'
import * as v from 'valibot'
import { checkKeywords, keywordAdvice } from '../keywords/check'
import { buildMatcher } from '../keywords/matcher'
import type { KeywordLists } from '../keywords/terms'
import { Mention } from '../records/Mention'

const postsMax = 500
const shownMax = 20

/** Shows which of the newest stored posts of a workspace a draft of keywords would match. Reads once. */
export async function previewKeywords(
  ctx: Pick<OwnerContext, 'rows'>,
  workspace_id: string,
  lists: KeywordLists,
) {
  const mistakes = checkKeywords(lists)
  const advice = lists.keywords.flatMap(keywordAdvice)
  if (mistakes.length > 0) return { mistakes, advice, posts: 0, matched: 0, matches: [] }
  const rows = await ctx.rows(Mention).list({
    where: where.eq('workspace_id', workspace_id),
    sort: [{ field: 'created_date', direction: 'desc' }],
    limit: postsMax,
  })
  // Several trackers can have found the same post.
  const posts = [...new Map(rows.map((row) => [`${row.source} ${row.source_id}`, row])).values()]
  const matcher = buildMatcher([{ id: 'draft', ...lists, languages: [] }])
  const matches = posts.flatMap((post) => matcher.match(post).map((match) => ({ post, match })))
  return {
    ...{ mistakes, advice, posts: posts.length, matched: matches.length },
    matches: matches.slice(0, shownMax).map(({ post, match }) => ({
      ...{ mention_id: post.id, url: post.url, excerpt: post.excerpt, source: post.source },
      ...{ keywords: match.keywords, spans: match.spans },
    })),
  }
}

const list = (description: string) => v.optional(v.pipe(v.array(v.string()), v.description(description)), [])

/** Shows what a draft of keywords would have matched. */
export const previewTracker = defineCommand({
  name: 'tracker preview',
  summary: 'Show which of the last 500 stored posts a draft of keywords would match',
  input: v.strictObject({
    workspace_id: field.text('Workspace of the stored posts'),
    keywords: list('Keywords in the keyword language'),
    required_keywords: list('Keywords that a post must also match'),
    excluded_keywords: list('Keywords that a post must not match'),
  }),
  positional: ['workspace_id'],
  run: (ctx, { workspace_id, ...lists }) => previewKeywords(ctx, workspace_id, lists),
})
