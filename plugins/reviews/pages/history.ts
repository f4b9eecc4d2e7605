import { type Row, where } from 'renown'
import type { PageContext } from 'renown/pages'
import { formatCount } from 'renown/web'
import type { SourceReview } from '../contract'
import type { Entry } from '../proof/ledger'
import type { Review } from '../records/Review'
import { ReviewObservation } from '../records/ReviewObservation'

/** An event in the history of a review. */
export interface HistoryEvent {
  readonly at: string
  readonly kind:
    | 'first'
    | 'rewritten'
    | 'rated'
    | 'replied'
    | 'reply_changed'
    | 'reply_gone'
    | 'removed'
    | 'restored'
  /** The previous value, as a short text. */
  readonly before?: string
  readonly after?: string
}

/** Maximum log entries that are searched, newest first. */
const entriesMax = 300

/** Returns the history of one review from the observation log, newest first. */
export async function historyOf(
  ctx: Pick<PageContext, 'rows'>,
  { location_id, source, source_id }: Row<typeof Review>,
): Promise<{ readonly events: readonly HistoryEvent[]; readonly is_whole: boolean }> {
  const own = where.and(where.eq('location_id', location_id), where.eq('source', source))
  const newestFirst = [{ field: 'seq', direction: 'desc' }] as const
  const rows = await ctx
    .rows(ReviewObservation)
    .list({ where: own, sort: newestFirst, limit: entriesMax, fields: ['entry', 'at', 'seq'] })
  const events: HistoryEvent[] = []
  let known: SourceReview | null = null
  for (const { entry, at } of rows.toReversed()) {
    const said = entry as unknown as Entry
    if (said.kind === 'pass') {
      if (said.removed.includes(source_id)) {
        events.push({ at, kind: 'removed', ...afterOf(said.statements?.[source_id]) })
      }
      continue
    }
    if (said.restored?.includes(source_id)) events.push({ at, kind: 'restored' })
    const seen = said.reviews.find(({ review }) => review.source_id === source_id)?.review
    if (!seen) continue
    events.push(...changesOf(known, seen, at))
    known = seen
  }
  return { events: events.toReversed(), is_whole: rows.length < entriesMax }
}

const afterOf = (text: string | undefined) => (text === undefined ? {} : { after: text })

function changesOf(before: SourceReview | null, now: SourceReview, at: string): HistoryEvent[] {
  if (before === null) return [{ at, kind: 'first' }]
  const text = before.review_text ?? ''
  const words = now.review_text ?? ''
  const was = before.reply?.text
  const is = now.reply?.text
  const stars = starWords(before)
  const rating = starWords(now)
  return [
    ...(text === words ? [] : [{ at, kind: 'rewritten', before: text, after: words } as const]),
    ...(stars === rating ? [] : [{ at, kind: 'rated', before: stars, after: rating } as const]),
    ...(was === is ? [] : [{ at, kind: replyKind(was, is), ...afterOf(is) }]),
  ]
}

function replyKind(was: string | undefined, is: string | undefined): HistoryEvent['kind'] {
  if (is === undefined) return 'reply_gone'
  return was === undefined ? 'replied' : 'reply_changed'
}

const starWords = ({ star_rating: stars }: SourceReview) =>
  stars === null ? 'no stars' : formatCount(stars, 'star')
