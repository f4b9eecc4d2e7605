import { where } from 'renown'
import type { PageContext } from 'renown/pages'
import { Mention } from '../records/Mention'

/** How often each mention was repeated nearly word for word, by its id. */
export type CopyCount = ReadonlyMap<string, number>

/** Counts the copies of mentions. One read. */
export async function countCopies(
  ctx: Pick<PageContext, 'rows'>,
  ids: readonly string[],
): Promise<CopyCount> {
  if (ids.length === 0) return new Map()
  const groups = await ctx.rows(Mention).group({
    where: where.in('duplicate_of', ids),
    by: ['duplicate_of'],
    measures: [{ as: 'n', fn: 'count' }],
  })
  return new Map(groups.map(({ duplicate_of, n }) => [String(duplicate_of), Number(n)]))
}
