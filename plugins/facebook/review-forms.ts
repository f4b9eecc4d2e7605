import { ServiceFault } from 'renown'
import type { SourcePage, SourceReview } from 'renown/reviews'
import { readRows, unreadOf } from 'renown/reviews'
import { type Said, said } from 'renown/sources'
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
  message: v.optional(v.string()),
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

/** The fields of a recommendation. `facebookAbsences` says what it means if an optional one is left out. */
export const recommendationFields = v.object({
  created_time: instant,
  rating: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5))),
  recommendation_type: v.optional(v.picklist(['positive', 'negative'])),
  review_text: v.optional(v.string()),
  reviewer: v.optional(v.object({ id: v.optional(v.string()), name: v.optional(v.string()) })),
  open_graph_story: v.optional(v.object({ id, comments: v.optional(commentsForm) })),
})

/** A recommendation, or a rating from before recommendations. */
const recommendation = v.pipe(
  recommendationFields,
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

const legacy = 'legacy:'
const storyless = 'storyless:'

/**
 * Whether Renown made the id of a review, because Facebook gave it no story: ratings from before recommendations, and some
 * recommendations. They have no replies and cannot be requested alone.
 */
export const isUnnamed = (sourceId: string): boolean =>
  sourceId.startsWith(legacy) || sourceId.startsWith(storyless)

/** Whether Facebook gave a recommendation no story. It may add one later, or may only have left it out. */
export const isStoryless = (sourceId: string): boolean => sourceId.startsWith(storyless)

/**
 * Returns the id of a review without a story. Two people can rate in the same second, so it contains the author. Without the
 * author's id it contains what the person said.
 */
function unnamedId({
  created_time,
  rating,
  recommendation_type,
  review_text = '',
  reviewer,
}: Recommendation) {
  // Names can be equal, so what the person said counts too.
  const said = [reviewer?.name ?? null, rating ?? null, recommendation_type ?? null, review_text]
  const digest = new Bun.CryptoHasher('sha256')
    .update(JSON.stringify(reviewer?.id ?? said))
    .digest('base64url')
    .slice(0, 16)
  return `${recommendation_type === undefined ? legacy : storyless}${created_time}:${digest}`
}

/** Returns a review with the id of its row, and with what that id proves. */
export const withId = (review: SourceReview, source_id: string): SourceReview => ({
  ...review,
  source_id,
  metadata: { ...review.metadata, removal_evidence: removalEvidence(source_id) },
})

/** What proves that a review was removed. Stored with every row, because it is less than a count. */
const removalEvidence = (sourceId: string) => (isUnnamed(sourceId) ? 'none' : 'two_whole_readings')

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

/** A page of recommendations. `ownReply` returns what Facebook says about the Page's own comment below a story. */
export async function pageOf(
  page: v.InferOutput<typeof ratingsForm>,
  ownReply: (story: NonNullable<Recommendation['open_graph_story']>) => Promise<Said<FacebookComment>>,
): Promise<SourcePage> {
  const { rows, unread } = readRows(recommendation, page.data, 'id')
  const reviews: SourceReview[] = []
  for (const told of rows) {
    const { open_graph_story: story } = told
    reviews.push(withReply(toReview(told), story ? await ownReply(story) : said.unknown('it has no story')))
  }
  // Two reviews without any difference count as one, and then a missing one proves nothing.
  const ids = new Set(reviews.map(({ source_id }) => source_id))
  const isPart = [...ids].some(
    (id) => isUnnamed(id) && reviews.filter((one) => one.source_id === id).length > 1,
  )
  return { reviews, total: null, next: nextOf(page), ...(isPart ? { isPart } : {}), ...unreadOf(unread) }
}

function toReview(told: Recommendation): SourceReview {
  const { open_graph_story: story, created_time, rating, recommendation_type, review_text, reviewer } = told
  const source_id = story?.id ?? unnamedId(told)
  return {
    source_id,
    star_rating: recommendation_type === undefined ? (rating ?? null) : null,
    review_created_at: created_time,
    ...(reviewer?.name === undefined ? {} : { reviewer_name: reviewer.name }),
    ...(review_text === undefined || review_text === '' ? {} : { review_text }),
    ...(recommendation_type === undefined ? {} : { recommends: recommendation_type === 'positive' }),
    metadata: {
      ...(recommendation_type === undefined ? {} : { recommendation_type }),
      removal_evidence: removalEvidence(source_id),
    },
  }
}

/** Returns a review with what Facebook says about the Page's own comment. Without its text, the reply stays unknown. */
export function withReply(review: SourceReview, comment: Said<FacebookComment>): SourceReview {
  if (comment.is === 'none') return { ...review, saidNone: ['reply'] }
  if (comment.is === 'unknown') return review
  const { id, message: text, created_time } = comment.value
  const metadata = { ...review.metadata, reply_comment_id: id }
  return text === undefined
    ? { ...review, metadata }
    : { ...review, metadata, reply: { text, ...at(created_time) } }
}

const at = (instant: string | undefined) => (instant === undefined ? {} : { at: instant })
