import { dayStart, type Row, type SortKey, shiftDay, type Where, where } from 'renown'
import type { PageContext } from 'renown/pages'
import { visibleReviews, waitsForReply } from '../operations/visible'
import { Review } from '../records/Review'
import { ReviewReply } from '../records/ReviewReply'
import type { ReviewChoice } from './review-filters'

const listed = [
  'location_id',
  'source',
  'reviewer_name',
  'star_rating',
  'review_text',
  'review_language',
  'review_created_at',
  'reply_text',
  'needs_response',
  'is_read',
  'is_flagged',
  'sentiment',
  'ai_suggested_response',
  'auto_response_status',
  'priority',
] as const

export type ListedReview = Pick<Row<typeof Review>, (typeof listed)[number] | 'id'>

/** The filters, and where a part of the list begins. */
interface ReviewPart extends ReviewChoice {
  /** The cursor after which it starts. */
  readonly after: string
  /** Whether to search all reviews, not only the newest. */
  readonly all: boolean
}

interface ReviewList {
  readonly rows: readonly ListedReview[]
  /** The cursor of the next page. Null on the last one. */
  readonly next: string | null
  /** Reviews older than this were not searched. Null if all were. */
  readonly since: string | null
}

/** Returns a page of the list by key, without reading earlier rows. */
export async function listReviews(
  ctx: Pick<PageContext, 'rows' | 'workspace'>,
  asked: ReviewPart,
  pageSize: number,
): Promise<ReviewList> {
  const since = await searchedSince(ctx, asked)
  const bound = since === null ? [] : [where.gte('review_created_at', since)]
  const wanted = where.and(filterOf(asked, ctx.workspace.timezone), ...bound)
  const found: ListedReview[] = []
  for (const part of partsOf(asked)) {
    const rest = pageSize + 1 - found.length
    if (rest <= 0) break
    const sort: readonly SortKey[] = part.sort
    const rows = await ctx
      .rows(Review)
      .list({ where: where.and(wanted, ...part.where), sort, limit: rest, fields: listed })
    found.push(...rows)
  }
  const rows = found.slice(0, pageSize)
  const last = rows.at(-1)
  const hasMore = found.length > pageSize
  return {
    rows: asked.needs === '1' ? await withoutSent(ctx, rows) : rows,
    next: hasMore && last ? markOf(last) : null,
    since: hasMore ? null : since,
  }
}

/** Leaves out reviews whose reply a person sent, although it is not at the platform yet. Nobody has to answer them again. */
async function withoutSent(
  ctx: Pick<PageContext, 'rows'>,
  reviews: readonly ListedReview[],
): Promise<readonly ListedReview[]> {
  if (reviews.length === 0) return reviews
  const sent = await ctx.rows(ReviewReply).list({
    where: where.and(
      where.in(
        'review_id',
        reviews.map(({ id }) => id),
      ),
      where.eq('act', 'publish'),
      where.eq('state', 'queued'),
    ),
    limit: reviews.length,
    fields: ['review_id'],
  })
  const ids = new Set(sent.map(({ review_id }) => review_id))
  return reviews.filter(({ id }) => !ids.has(id))
}

/** Number of newest reviews that are searched for texts and themes, unless the person asks for all. */
const searchedMax = 20_000

/** Returns the instant since which reviews are searched. Null if all are. */
async function searchedSince(ctx: Pick<PageContext, 'rows'>, asked: ReviewPart): Promise<string | null> {
  const { q, theme, all, from, location, needs, order } = asked
  const isBroad = (q !== '' || theme !== '') && !all && from === '' && location === '' && needs === ''
  if (!isBroad || order === 'oldest') return null
  const [row] = await ctx.rows(Review).list({
    where: where.ne('review_created_at', null),
    sort: [newest],
    skip: searchedMax,
    limit: 1,
    fields: ['review_created_at'],
  })
  return row?.review_created_at ?? null
}

/** Returns the condition for the filters in the address. */
function filterOf(asked: ReviewChoice, timezone: string): Where {
  const { needs, rating, source, location, language, theme, q, from, to, state, order } = asked
  const text = q === '' ? [] : [anyOf(['review_text', 'reviewer_name', 'reply_text', 'notes'], q)]
  return visibleReviews(
    { location_id: location || undefined, source: source || undefined },
    ...(needs === '1' ? [waitsForReply] : []),
    ...(rating === '' ? [] : [where.eq('star_rating', rating === 'none' ? null : Number(rating))]),
    // Reviews without stars are left out of lists sorted by rating.
    ...(order === 'worst' && rating === '' ? [where.gte('star_rating', 1)] : []),
    ...(language === '' ? [] : [where.eq('review_language', language)]),
    ...(theme === '' ? [] : [{ op: 'all', field: 'key_topics', values: [theme] } as const]),
    ...(from === '' ? [] : [where.gte('review_created_at', dayStart(timezone, from))]),
    ...(to === '' ? [] : [where.lt('review_created_at', dayStart(timezone, shiftDay(to, 1)))]),
    ...(stateFilters[state] ?? []),
    ...text,
  )
}

const stateFilters: Readonly<Record<string, readonly Where[]>> = {
  unread: [where.eq('is_read', false)],
  flagged: [where.eq('is_flagged', true)],
  drafted: [waitsForReply, where.ne('ai_suggested_response', null)],
  answered: [where.ne('reply_text', null)],
  failed: [where.eq('auto_response_status', 'failed')],
}

const anyOf = (fields: readonly string[], value: string): Where =>
  where.or(...fields.map((field): Where => ({ op: 'contains', field, value })))

interface Part {
  readonly where: readonly Where[]
  readonly sort: readonly SortKey[]
}

const newest: SortKey = { field: 'review_created_at', direction: 'desc' }
const oldest: SortKey = { field: 'review_created_at', direction: 'asc' }
const worst: SortKey = { field: 'star_rating', direction: 'asc' }

/**
 * Returns the conditions for the rows after a cursor. Each of them is one read that starts at the right
 * position of an index.
 */
function partsOf({ order, after, rating }: ReviewPart): readonly Part[] {
  const isWorst = order === 'worst' && rating === ''
  const mark = readMark(after)
  if (mark === null) {
    return [{ where: [], sort: isWorst ? [worst, newest] : [order === 'oldest' ? oldest : newest] }]
  }
  const { at, id, stars } = mark
  if (order === 'oldest') {
    const later = where.or(where.gt('review_created_at', at), where.gt('id', id))
    return [{ where: [where.gte('review_created_at', at), later], sort: [oldest] }]
  }
  const earlier = where.or(where.lt('review_created_at', at), where.lt('id', id))
  const behind = [where.lte('review_created_at', at), earlier]
  if (!isWorst) return [{ where: behind, sort: [newest] }]
  return [
    { where: [where.eq('star_rating', stars), ...behind], sort: [newest] },
    { where: [where.gt('star_rating', stars ?? 0)], sort: [worst, newest] },
  ]
}

const markOf = ({ review_created_at = '', id, star_rating }: ListedReview) =>
  `${review_created_at}~${id}~${star_rating ?? ''}`

function readMark(after: string) {
  const [at = '', id = '', stars = ''] = after.split('~')
  if (at === '' || id === '' || Number.isNaN(Date.parse(at))) return null
  return { at, id, stars: stars === '' ? null : Number(stars) }
}
