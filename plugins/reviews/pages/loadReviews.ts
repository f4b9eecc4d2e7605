import { type IgnoredValue, where } from 'renown'
import type { PageContext } from 'renown/pages'
import { originalOf } from '../analysis/translation'
import { reviewSource } from '../contract'
import { type DoubtedLocation, doubtedLocations } from '../evidence/doubted'
import { visibleReviews, waitsForReply } from '../operations/visible'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { platformOf } from '../reply/whyNoReply'
import { type ReviewChoices, readChoices } from './choices'
import { listReviews } from './listReviews'
import { loadReview, type ShownReview } from './loadReview'
import { type ReviewListFilters, readFilters } from './review-filters'

/** A review in the list. */
export interface ListedLine {
  readonly id: string
  readonly by: string | null
  readonly stars: number | null
  readonly text: string
  readonly language: string | null
  readonly platform: string
  readonly location: string
  readonly at: string | null
  readonly is_read: boolean
  readonly is_flagged: boolean
  readonly state: 'answered' | 'draft' | 'waiting' | 'failed' | 'open'
}

export interface ReviewsData {
  readonly asked: ReviewListFilters
  readonly ignored: readonly IgnoredValue[]
  readonly lines: readonly ListedLine[]
  /** The cursor of the next page. Null on the last one. */
  readonly next: string | null
  /** Reviews older than this were not searched. Null if all were. */
  readonly searched_since: string | null
  /** Number of reviews that wait for a reply in the whole workspace. */
  readonly waiting: number
  /** Whether the workspace has any review at all. */
  readonly has_any: boolean
  /** Whether the person may connect accounts. Only owners may. */
  readonly may_connect: boolean
  readonly locations: readonly (readonly [id: string, name: string])[]
  readonly sources: readonly (readonly [source: string, label: string])[]
  readonly review: ShownReview | null
  /** Locations whose replies contradict what is stored. Nothing new is sent there. */
  readonly doubts: readonly DoubtedLocation[]
  readonly choices: ReviewChoices
}

const beginningMax = 160
const locationsMax = 500
const doubtsMax = 20

/** Counts the reviews that wait for a reply. */
export const countWaiting = (ctx: Pick<PageContext, 'rows'>): Promise<number> =>
  ctx.rows(Review).count(visibleReviews({}, waitsForReply))

/** Loads the data of the page of reviews. */
export async function loadReviews(ctx: PageContext, query: URLSearchParams): Promise<ReviewsData> {
  const { asked, ignored } = readFilters(query)
  const [list, review, waiting, choices, locations, doubts] = await Promise.all([
    listReviews(ctx, asked),
    loadReview(ctx, asked),
    countWaiting(ctx),
    readChoices(ctx, asked),
    locationNames(ctx),
    doubtedLocations(ctx, doubtsMax),
  ])
  const names = new Map(locations)
  const inOrder = ctx.system.extensions(reviewSource).toSorted((a, b) => a.order - b.order)
  return {
    asked,
    ignored,
    next: list.next,
    searched_since: list.searchedSince,
    waiting,
    review,
    choices,
    doubts,
    may_connect: ctx.person.role === 'owner',
    has_any:
      list.rows.length > 0 || (await ctx.rows(Review).list({ limit: 1, fields: ['source'] })).length > 0,
    lines: list.rows.map((row) => ({
      id: row.id,
      by: row.reviewer_name ?? null,
      stars: row.star_rating ?? null,
      text: beginningOf(originalOf(row.review_text)),
      language: row.review_language ?? null,
      platform: platformOf(ctx.system, row.source).label,
      location: names.get(row.location_id) ?? row.location_id,
      at: row.review_created_at ?? null,
      is_read: row.is_read ?? false,
      is_flagged: row.is_flagged ?? false,
      state: stateOf(row),
    })),
    locations: locations.toSorted(([, a], [, b]) => a.localeCompare(b)),
    sources: [...new Map(inOrder.map(({ source, label }) => [source, label]))],
  }
}

/** Returns the ids and names of the locations whose reviews are read. */
export async function locationNames(
  ctx: Pick<PageContext, 'rows'>,
): Promise<readonly (readonly [id: string, name: string])[]> {
  const rows = await ctx.rows(ReviewedLocation).list({
    where: where.eq('is_prospect', false),
    sort: [{ field: 'id', direction: 'asc' }],
    limit: locationsMax,
    fields: ['business_name'],
  })
  return rows.map(({ id, business_name }) => [id, business_name] as const)
}

/** Returns the state of a review in the list. */
export function stateOf(row: {
  readonly reply_text?: string
  readonly ai_suggested_response?: string
  readonly needs_response?: boolean
  readonly auto_response_status?: string | null
}): ListedLine['state'] {
  if (row.reply_text !== undefined) return 'answered'
  if (!row.needs_response) return 'open'
  if (row.auto_response_status === 'failed') return 'failed'
  return row.ai_suggested_response === undefined ? 'waiting' : 'draft'
}

/** Returns the beginning of a text, without cutting a character in half. */
const beginningOf = (text: string) =>
  text.length <= beginningMax ? text : `${[...text.slice(0, beginningMax + 1)].slice(0, -1).join('')}…`
