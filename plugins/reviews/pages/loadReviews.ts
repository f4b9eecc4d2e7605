import type { ListData, PageContext, ShownList } from 'renown/pages'
import { type DoubtedLocation, doubtedLocations } from '../evidence/doubted'
import { visibleReviews, waitsForReply } from '../operations/visible'
import { Review } from '../records/Review'
import { type HistoryEvent, historyOf } from './history'
import type { ShownReview } from './loadReview'
import type { ReviewLine } from './review-lines'

/** What the page of reviews shows besides its list. */
export interface ReviewsOwn {
  /** Number of reviews that wait for a reply in the whole workspace. */
  readonly waiting: number
  /** Whether the person may connect accounts. Only owners may. */
  readonly may_connect: boolean
  /** Locations whose replies contradict what is stored. Nothing new is sent there. */
  readonly doubts: readonly DoubtedLocation[]
  /** The history of the shown review. Null unless requested. */
  readonly history: { readonly events: readonly HistoryEvent[]; readonly is_whole: boolean } | null
  /** The review whose last action can be undone. Null if the last action was none. */
  readonly undo: string | null
}

/** The data of the page of reviews. */
export type ReviewsData = ListData<ReviewsOwn, ReviewLine, ShownReview>

const doubtsMax = 20

/** Counts the reviews that wait for a reply. */
export const countWaiting = (ctx: Pick<PageContext, 'rows'>): Promise<number> =>
  ctx.rows(Review).count(visibleReviews({}, waitsForReply))

/** Loads what the page of reviews shows besides its list. */
export async function loadReviews(
  ctx: PageContext,
  query: URLSearchParams,
  { beside }: Pick<ShownList, 'beside'>,
): Promise<ReviewsOwn> {
  const [waiting, doubts, review] = await Promise.all([
    countWaiting(ctx),
    doubtedLocations(ctx, doubtsMax),
    query.get('history') === '1' && beside?.shown ? ctx.rows(Review).get(beside.id) : null,
  ])
  return {
    waiting,
    doubts,
    may_connect: ctx.person.role === 'owner',
    history: review ? await historyOf(ctx, review) : null,
    undo: query.get('undo')?.slice(0, 100) ?? null,
  }
}
