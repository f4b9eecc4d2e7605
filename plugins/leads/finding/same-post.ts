import { type OwnerContext, type Row, where } from 'renown'
import { Mention } from '../records/Mention'

type MentionRow = Row<typeof Mention>
type Post = Pick<MentionRow, 'location_id' | 'source' | 'source_id'>

const rowsMax = 100

/**
 * Chooses the mention that counts for a post which several trackers of one location found. The others name it in
 * `same_post_as`. Lists and figures count the post once. Can be repeated. Call it within `withPost` if a value that decides is
 * written at the same time.
 *
 * @param judged Values of a mention that are not stored yet.
 */
export async function settlePost(
  ctx: Pick<OwnerContext, 'rows'>,
  post: Post,
  judged?: Pick<MentionRow, 'id' | 'relevance'>,
): Promise<void> {
  const stored = await ctx.rows(Mention).list({ where: isPost(post), limit: rowsMax })
  if (stored.length === 0 || (stored.length === 1 && stored[0]?.same_post_as === undefined)) return
  const rows = stored.map((row) => (row.id === judged?.id ? { ...row, ...judged } : row))
  const [first] = rows.toSorted(byWeight)
  if (!first) return
  for (const { id, same_post_as } of rows) {
    const wanted = id === first.id ? undefined : first.id
    if (same_post_as !== wanted) await ctx.rows(Mention).update(id, { same_post_as: wanted })
  }
}

const isPost = ({ location_id, source, source_id }: Post) =>
  where.and(
    where.eq('source', source),
    where.eq('source_id', source_id),
    where.eq('location_id', location_id),
  )

/** Runs work on one post of a location, one at a time. */
export const withPost = <T>(
  ctx: Pick<OwnerContext, 'withLock'>,
  { location_id, source, source_id }: Post,
  work: () => Promise<T>,
): Promise<T> => ctx.withLock(`post ${location_id} ${source} ${source_id}`, work)

const relevances = ['relevant', 'maybe', undefined, 'irrelevant'] as const

/** What a person decided counts before what the rules say. The oldest of equal mentions stays. */
function byWeight(one: MentionRow, other: MentionRow): number {
  const weights = [one, other].map((row) => [
    row.removal_rule !== undefined || row.removed_at_source_at !== undefined ? 1 : 0,
    row.duplicate_of === undefined ? 0 : 1,
    row.status === 'new' && !row.is_archived ? 1 : 0,
    relevances.indexOf(row.relevance),
  ])
  const [a = [], b = []] = weights
  const at = a.findIndex((weight, index) => weight !== b[index])
  return at < 0 ? (one.id < other.id ? -1 : 1) : (a[at] as number) - (b[at] as number)
}
