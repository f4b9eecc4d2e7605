import { ServiceFault } from 'renown'
import type { SourcePage, SourceReview } from 'renown/reviews'
import { readRows, unreadOf } from 'renown/reviews'
import * as v from 'valibot'

/** Facebook's instants have an offset without a colon. */
const instant = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
  v.transform((text) => new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))),
  v.check((date) => !Number.isNaN(date.getTime())),
  v.transform((date) => date.toISOString()),
)

const id = v.pipe(v.string(), v.minLength(1))

const comment = v.object({
  id,
  from: v.optional(v.object({ id })),
  message: v.optional(v.string(), ''),
  created_time: v.optional(instant),
})
export type FacebookComment = v.InferOutput<typeof comment>

const paging = v.optional(
  v.object({
    cursors: v.optional(v.object({ after: v.optional(v.string()) })),
    next: v.optional(v.string()),
  }),
)
type Paged = { readonly paging?: v.InferOutput<typeof paging> }

/** Comments below a story. Facebook always sends the list, even if it is empty. */
export const commentsForm = v.object({ data: v.array(comment), paging })
export type FacebookComments = v.InferOutput<typeof commentsForm>

/** A recommendation, or a rating from before recommendations. */
const recommendation = v.pipe(
  v.object({
    created_time: instant,
    rating: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5))),
    recommendation_type: v.optional(v.picklist(['positive', 'negative'])),
    review_text: v.optional(v.string()),
    reviewer: v.optional(v.object({ id: v.optional(v.string()), name: v.optional(v.string()) })),
    open_graph_story: v.optional(v.object({ id, comments: v.optional(commentsForm) })),
  }),
  v.check(
    ({ rating, recommendation_type }) => rating !== undefined || recommendation_type !== undefined,
    'neither a recommendation nor a rating',
  ),
)
export type Recommendation = v.InferOutput<typeof recommendation>

/** A page of recommendations, before its rows are read. Facebook always sends the list, even if it is empty. */
export const ratingsForm = v.object({ data: v.array(v.unknown()), paging })

/** The object with the requested id. */
export const idForm = (asked: string) => v.object({ id: v.literal(asked) })

/** Facebook's answer to a new comment: its id. */
export const sentForm = v.object({ id })

/** Facebook's answer to a changed or deleted comment. */
export const doneForm = v.object({ success: v.literal(true) })

/** Returns the ids of the stories on a page of ratings. */
export const storiesOf = ({ data }: v.InferOutput<typeof ratingsForm>): string[] =>
  data.flatMap((row) => {
    const read = v.safeParse(v.object({ open_graph_story: v.object({ id }) }), row)
    return read.success ? [read.output.open_graph_story.id] : []
  })

/**
 * The prefix of ids of ratings from before recommendations. They have no story, so they have no replies and cannot be
 * requested alone.
 */
export const legacy = 'legacy:'

/**
 * Returns the cursor of the next page, or null on the last one. Facebook's own link is not followed, because it
 * contains the token.
 */
export function nextOf({ paging: at }: Paged): string | null {
  if (at?.next === undefined) return null
  const after = at.cursors?.after ?? URL.parse(at.next)?.searchParams.get('after')
  if (after) return after
  throw new ServiceFault('transient', 'Facebook says that there is another page of results, but not where')
}

/** A page of recommendations. `ownReply` finds the Page's own comment below a story, if there is one. */
export async function pageOf(
  page: v.InferOutput<typeof ratingsForm>,
  ownReply: (story: NonNullable<Recommendation['open_graph_story']>) => Promise<FacebookComment | null>,
): Promise<SourcePage> {
  const { rows, unread } = readRows(recommendation, page.data, 'id')
  const reviews: SourceReview[] = []
  const faults = [...unread]
  for (const told of rows) {
    const { open_graph_story: story } = told
    // A recommendation that cannot be distinguished from others may be one that is already stored.
    if (story === undefined && told.recommendation_type !== undefined) {
      faults.push({ reason: 'open_graph_story' })
      continue
    }
    reviews.push(toReview(told, story ? await ownReply(story) : null))
  }
  return { reviews, total: null, next: nextOf(page), ...unreadOf(faults) }
}

function toReview(told: Recommendation, reply: FacebookComment | null): SourceReview {
  const { open_graph_story: story, created_time, rating, recommendation_type, review_text, reviewer } = told
  return {
    source_id: story?.id ?? `${legacy}${created_time}`,
    star_rating: recommendation_type === undefined ? (rating ?? null) : null,
    review_created_at: created_time,
    ...(reviewer?.name === undefined ? {} : { reviewer_name: reviewer.name }),
    ...(review_text === undefined || review_text === '' ? {} : { review_text }),
    ...(recommendation_type === undefined ? {} : { recommends: recommendation_type === 'positive' }),
    ...(reply ? { reply: { text: reply.message, ...at(reply.created_time) } } : {}),
    metadata: {
      ...(recommendation_type === undefined ? {} : { recommendation_type }),
      ...(reply ? { reply_comment_id: reply.id } : {}),
      // Stored with every row, because it proves less than a count.
      removal_evidence: story === undefined ? 'none' : 'two_whole_readings',
    },
  }
}

const at = (instant: string | undefined) => (instant === undefined ? {} : { at: instant })
