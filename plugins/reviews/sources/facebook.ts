import { facebookNotThere, isServiceFault, type OwnerContext, ServiceFault } from 'renown'
import * as v from 'valibot'
import { askFacebook, pageConnection } from './facebook-api'
import { keepFigures } from './facebook-figures'
import type {
  Listing,
  RepliedReview,
  ReviewedLocation,
  ReviewSource,
  SourcePage,
  SourceReview,
} from './source'

/** Larger pages are refused at times for being too much. */
const pageSize = 25
const commentsMax = 50
/** Pages of comments below one story that are looked through for the Page's own. */
const commentPagesMax = 20

/** Facebook's instants name their offset without a colon. */
const instant = v.pipe(
  v.string(),
  v.transform((text) => new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))),
  v.check((date) => !Number.isNaN(date.getTime())),
  v.transform((date) => date.toISOString()),
)

const comment = v.object({
  id: v.string(),
  from: v.optional(v.object({ id: v.string() })),
  message: v.optional(v.string(), ''),
  created_time: v.optional(instant),
})

const paging = v.optional(
  v.object({
    cursors: v.optional(v.object({ after: v.optional(v.string()) })),
    next: v.optional(v.string()),
  }),
)

const comments = v.object({ data: v.array(comment), paging })

const recommendation = v.object({
  created_time: instant,
  rating: v.optional(v.number()),
  recommendation_type: v.optional(v.string()),
  review_text: v.optional(v.string()),
  reviewer: v.optional(v.object({ id: v.optional(v.string()), name: v.optional(v.string()) })),
  open_graph_story: v.optional(v.object({ id: v.string(), comments: v.optional(comments) })),
})

const page = v.object({ data: v.array(recommendation), paging })

const fields =
  'created_time,has_rating,has_review,rating,recommendation_type,review_text,reviewer{id,name},' +
  `open_graph_story{id,comments.limit(${commentsMax}){id,from{id},message,created_time}}`

/** Ratings of before there were recommendations: no story, so no replies, and nothing to ask for by itself. */
const legacy = 'legacy:'

/** Recommendations of a Page. The listing has an end and no count, so that a removal needs two whole readings. */
export const facebook: ReviewSource = {
  name: 'facebook',
  reader: 'facebook',
  evidence: 'paged',
  async open(ctx, location, { signal }): Promise<Listing> {
    const own = location.facebook_page_id ?? ''
    return {
      async page(after) {
        const query = { fields, limit: String(pageSize), ...(after === null ? {} : { after }) }
        const path = `${encodeURIComponent(own)}/ratings`
        const read = parsed(
          page,
          await askFacebook(ctx, location, { path, query, signal }),
          'recommendations',
        )
        if (after === null) {
          await again(ctx, location)
          await keepFigures(ctx, location)
        }
        return pageOf(read, own)
      },
    }
  },
  async isThere(ctx, location, sourceId) {
    if (sourceId.startsWith(legacy)) return true
    try {
      await askFacebook(ctx, location, { path: encodeURIComponent(sourceId), query: { fields: 'id' } })
      return true
    } catch (error) {
      if (isServiceFault(error) && error.code === facebookNotThere) return false
      throw error
    }
  },
  isTurned: (before, { metadata }) => before?.recommendation_type !== metadata?.recommendation_type,
  async gone(ctx, location, why) {
    const { id } = await pageConnection(ctx, location)
    await ctx.outbound.connections.fail(id, 'source_unavailable', why)
    await keepFigures(ctx, location)
  },
  replies: {
    isIdempotent: false,
    takes: ({ source_id }) => !source_id.startsWith(legacy),
    async send(ctx, location, { source_id }, text) {
      const path = `${encodeURIComponent(source_id)}/comments`
      const json = await askFacebook(ctx, location, { path, method: 'POST', form: { message: text } })
      const sent = v.safeParse(v.object({ id: v.string() }), json)
      return sent.success ? { metadata: { reply_comment_id: sent.output.id } } : {}
    },
    find: ownComment,
  },
}

/** The listing is there, so the connection is not without its source any more. */
async function again(ctx: OwnerContext, location: ReviewedLocation): Promise<void> {
  const { id, state } = await pageConnection(ctx, location)
  if (state === 'source_unavailable') await ctx.outbound.connections.works(id)
}

/** What the Page itself wrote below a story, looked for in all that stands there. */
async function ownComment(ctx: OwnerContext, location: ReviewedLocation, { source_id }: RepliedReview) {
  const own = location.facebook_page_id ?? ''
  let after: string | null = null
  for (let asked = 0; asked < commentPagesMax; asked++) {
    const query: Record<string, string> = {
      fields: 'id,from{id},message,created_time',
      limit: String(commentsMax),
      ...(after === null ? {} : { after }),
    }
    const path = `${encodeURIComponent(source_id)}/comments`
    const read = parsed(comments, await askFacebook(ctx, location, { path, query }), 'comments')
    const found = ownOf(read.data, own)
    if (found) return { text: found.message }
    after = nextOf(read)
    if (after === null) return null
  }
  throw new ServiceFault('permanent', 'There are too many comments to see whether one is ours')
}

const ownOf = (given: readonly v.InferOutput<typeof comment>[], own: string) =>
  given.find(({ from }) => from?.id === own)

function parsed<S extends v.GenericSchema>(schema: S, json: unknown, what: string): v.InferOutput<S> {
  const read = v.safeParse(schema, json)
  if (read.success) return read.output
  const [issue] = read.issues
  throw new ServiceFault('transient', `Facebook's ${what} are in no known form: ${v.getDotPath(issue)}`)
}

/** Asks for the page behind, or null at the end. Facebook's own link is not followed: it holds the token. */
function nextOf({ paging: at }: { readonly paging?: v.InferOutput<typeof paging> }): string | null {
  if (at?.next === undefined) return null
  const after = at.cursors?.after ?? URL.parse(at.next)?.searchParams.get('after')
  if (after) return after
  throw new ServiceFault('transient', 'Facebook says that there is a page behind, and not which one')
}

function pageOf(read: v.InferOutput<typeof page>, own: string): SourcePage {
  const reviews = read.data.map((told) => toReview(told, own))
  return {
    reviews: reviews.filter((review) => review !== null),
    ...{ total: null, next: nextOf(read) },
    // A recommendation that cannot be told from others may be one that is stored.
    ...(reviews.includes(null) ? { isPart: true } : {}),
  }
}

function toReview(told: v.InferOutput<typeof recommendation>, own: string): SourceReview | null {
  const { open_graph_story: story, created_time, rating, recommendation_type, review_text, reviewer } = told
  if (story === undefined && recommendation_type !== undefined) return null
  const reply = story?.comments && ownOf(story.comments.data, own)
  const stars = rating !== undefined && Number.isInteger(rating) && rating >= 1 && rating <= 5 ? rating : null
  return {
    source_id: story?.id ?? `${legacy}${created_time}`,
    star_rating: recommendation_type === undefined ? stars : null,
    review_created_at: created_time,
    ...(reviewer?.name === undefined ? {} : { reviewer_name: reviewer.name }),
    ...(review_text === undefined || review_text === '' ? {} : { review_text }),
    ...(recommendation_type === undefined ? {} : { recommends: recommendation_type === 'positive' }),
    ...(reply ? { reply: { text: reply.message, ...at(reply.created_time) } } : {}),
    metadata: {
      ...(recommendation_type === undefined ? {} : { recommendation_type }),
      ...(reply ? { reply_comment_id: reply.id } : {}),
      // A weaker proof than a count: told with every row.
      removal_evidence: story === undefined ? 'none' : 'two_whole_readings',
    },
  }
}

const at = (instant: string | undefined) => (instant === undefined ? {} : { at: instant })
