import { type GroupQuery, type GroupRow, type ReadContext, type Where, where } from 'renown'
import { productState } from 'renown/pages'
import { type SumKind, type SumName, VisibilitySum } from '../records/VisibilitySum'
import { columnsOf, type RunSpan } from './run-span'

/** The sums that rows of a kind have. One statement reads all of them, so that questions about the same runs share it. */
const sumsOf: Readonly<Record<SumKind, readonly SumName[]>> = {
  engine: [
    'runs',
    'answers',
    'no_answer',
    'errors',
    'refused',
    'mentions',
    'citations',
    'placed',
    'places',
    'recommended',
    'judged',
    'usd',
    'unpriced',
    'searches',
  ],
  cell: ['answers', 'mentions', 'citations', 'placed', 'places', 'recommended', 'judged'],
  voice: ['mentions', 'placed', 'places'],
  lost: ['mentions'],
  beside: ['mentions'],
  source: ['cited', 'consulted', 'citations', 'placed', 'places', 'own'],
  page: ['citations'],
  page_any: ['citations'],
}

/** Which rows of columns are summed, and by what. */
export interface ColumnQuery {
  readonly kind: SumKind
  readonly by: GroupQuery['by']
  /** Only rows of days, not of months. */
  readonly isDaily?: boolean
  /** Also returns the start of the first answer, as `first`. */
  readonly hasFirst?: boolean
  readonly among?: readonly Where[]
}

/** Returns the sums of the sealed days of a span. Groups whose rows were replaced by rows without counts have only zeros. */
export function readColumns(
  ctx: ReadContext,
  span: RunSpan,
  { kind, by, isDaily = false, hasFirst = false, among = [] }: ColumnQuery,
): Promise<readonly GroupRow[]> {
  const { sealed } = span
  if (!sealed) return Promise.resolve([])
  const query: GroupQuery = {
    where: where.and(
      where.in(
        'tracker_id',
        sealed.revisions.map(([id]) => id),
      ),
      columnsOf(span, kind, isDaily),
      ...among,
    ),
    by,
    measures: [
      ...sumsOf[kind].map((name) => ({ as: name, fn: 'sum' as const, field: name })),
      ...(hasFirst ? [{ as: 'first', fn: 'min' as const, field: 'first_at' }] : []),
    ],
  }
  // The versions of all rows that the statement reads are in the key. A tracker that is sealed again has another key.
  const key = JSON.stringify([ctx.workspace.id, sealed.revisions, query])
  const reading = sealed.reads.get(key) ?? readOnce(ctx, key, query)
  sealed.reads.set(key, reading)
  return reading
}

const remembered = productState(() => new Map<string, readonly GroupRow[]>())
/** Maximum groups that a process keeps in memory, about 300 bytes each. */
const rememberedMax = 50_000

/** Caches what was read. Requests do not share a statement that runs, because the request that began it may be cancelled. */
async function readOnce(ctx: ReadContext, key: string, query: GroupQuery): Promise<readonly GroupRow[]> {
  const cache = remembered(ctx)
  const known = cache.get(key)
  const rows = known ?? (await ctx.rows(VisibilitySum).group(query))
  cache.delete(key)
  cache.set(key, rows)
  if (!known) dropOldest(cache)
  return rows
}

/** Drops the least recently used answers. */
function dropOldest(cache: Map<string, readonly GroupRow[]>): void {
  // An answer without groups needs memory too.
  let size = [...cache.values()].reduce((sum, { length }) => sum + length + 1, 0)
  for (const [key, { length }] of cache) {
    if (size <= rememberedMax) break
    size -= length + 1
    cache.delete(key)
  }
}
