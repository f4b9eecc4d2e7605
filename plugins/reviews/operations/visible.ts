import { type Where, where } from 'renown'

/** Matches reviews that their source still shows. Other reviews are neither listed nor counted. */
const present = where.eq('removed_at_source_at', null)

export interface ReviewFilter {
  readonly location_id?: string | undefined
  readonly source?: string | undefined
}

/** Returns the condition for the reviews of an answer. */
export function visibleReviews({ location_id, source }: ReviewFilter, ...more: readonly Where[]): Where {
  return where.and(
    present,
    ...(location_id === undefined ? [] : [where.eq('location_id', location_id)]),
    ...(source === undefined ? [] : [where.eq('source', source)]),
    ...more,
  )
}

/** Matches reviews that wait for a reply. */
export const waitsForReply = where.and(where.eq('needs_response', true), where.eq('reply_text', null))
