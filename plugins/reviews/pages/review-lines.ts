import type { PageContext } from 'renown/pages'
import { originalOf } from '../analysis/translation'
import { platformOf } from '../reply/whyNoReply'
import type { ListedReview } from './listReviews'
import { locationNames } from './review-filters'

/** A review in the list. */
export interface ReviewLine {
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

/** What the list says about reviews besides their rows. */
interface AroundReviews {
  locationOf(row: ListedReview): string
  platformOf(row: ListedReview): string
}

const beginningMax = 160

/** Reads what the list says about reviews besides their rows. */
export async function aroundReviews(ctx: PageContext): Promise<AroundReviews> {
  const names = new Map(await locationNames(ctx))
  return {
    locationOf: ({ location_id }) => names.get(location_id) ?? location_id,
    platformOf: ({ source }) => platformOf(ctx.system, source).label,
  }
}

/** Returns what the list shows of a review. */
export const lineOf = (row: ListedReview, around: AroundReviews): ReviewLine => ({
  id: row.id,
  by: row.reviewer_name ?? null,
  stars: row.star_rating ?? null,
  text: beginningOf(originalOf(row.review_text)),
  language: row.review_language ?? null,
  platform: around.platformOf(row),
  location: around.locationOf(row),
  at: row.review_created_at ?? null,
  is_read: row.is_read ?? false,
  is_flagged: row.is_flagged ?? false,
  state: stateOf(row),
})

/** Returns the state of a review in the list. */
export function stateOf(row: {
  readonly reply_text?: string
  readonly ai_suggested_response?: string
  readonly needs_response?: boolean
  readonly auto_response_status?: string | null
}): ReviewLine['state'] {
  if (row.reply_text !== undefined) return 'answered'
  if (!row.needs_response) return 'open'
  if (row.auto_response_status === 'failed') return 'failed'
  return row.ai_suggested_response === undefined ? 'waiting' : 'draft'
}

/** Returns the beginning of a text, without cutting a character in half. */
const beginningOf = (text: string) =>
  text.length <= beginningMax ? text : `${[...text.slice(0, beginningMax + 1)].slice(0, -1).join('')}…`
