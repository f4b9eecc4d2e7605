import { dayMs, type OwnerContext, where } from 'renown'
import { countedMentions } from 'renown/leads'
import { BrandTracker, Mention, type Prospect } from '../records/foreign'
import { negativeShare } from '../records/rates'
import { type Section, section } from '../records/section'

const method =
  'Stored posts of the last 90 days that name it. A post counts once, even if several trackers found it'
const spanMs = 90 * dayMs
const readMax = 5_000
/** Minimum posts with a known sentiment for a score. */
const scoredFrom = 5

/** Counts posts about the business, if mentions are tracked. */
export async function findMentions(ctx: OwnerContext, { id }: Prospect): Promise<Section> {
  const at = ctx.now()
  const since = new Date(at.getTime() - spanMs).toISOString()
  const found = await ctx.rows(Mention).list({
    where: where.and(where.eq('location_id', id), where.gte('posted_at', since), ...countedMentions),
    sort: [{ field: 'posted_at', direction: 'desc' }],
    limit: readMax,
  })
  const [tracker] = await ctx.rows(BrandTracker).list({
    where: where.and(where.eq('location_id', id), where.ne('last_run_at', null)),
    limit: 1,
  })
  if (found.length === 0 && !tracker) {
    const reason =
      'No tracker searches for posts about it. Create a brand tracker for this location to find out.'
    return section({ method, at, facts: null, unknown: [{ what: 'posts', reason }] })
  }
  const posts = [...new Map(found.map((post) => [`${post.source}:${post.source_id}`, post])).values()]
  const told = posts.filter(({ sentiment }) => sentiment !== undefined)
  const negative = negativeShare.of(
    told.filter(({ sentiment }) => sentiment === 'negative').length,
    told.length,
  )
  return section({
    method,
    at,
    facts: {
      since,
      posts: posts.length,
      negative,
      ...(found.length === readMax ? { posts_is_at_least: true } : {}),
      by_source: counted(posts.map(({ source }) => source)),
      by_sentiment: counted(told.map(({ sentiment }) => sentiment ?? '')),
      ...(posts[0] ? { newest_at: found[0]?.posted_at } : {}),
    },
    score: told.length >= scoredFrom ? 100 * (1 - (negative.rate ?? 0)) : null,
  })
}

function counted(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}
