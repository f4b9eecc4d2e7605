import { type Row, type Where, where } from 'renown'
import type { InboxEntry, InboxSource, PageContext } from 'renown/pages'
import { originalOf } from '../analysis/translation'
import { visibleReviews, waitsForReply } from '../operations/visible'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { ReviewListing } from '../records/ReviewListing'
import { ReviewReply } from '../records/ReviewReply'
import { platformOf } from '../reply/whyNoReply'
import { reviewWords } from '../words'
import { draftMark, sendDraft } from './send-draft'

const fields = [
  'location_id',
  'source',
  'reviewer_name',
  'star_rating',
  'review_text',
  'review_language',
  'review_created_at',
  'review_updated_at',
  'created_date',
  'ai_suggested_response',
] as const

/** Returns matching reviews that wait for a reply, newest first. */
async function waiting(ctx: PageContext, limit: number, draft: Where) {
  const sort = [{ field: 'review_created_at', direction: 'desc' }] as const
  const query = { where: visibleReviews({}, waitsForReply, draft), sort, limit, fields }
  const found = await ctx.rows(Review).list(query)
  const sending = await sendingOf(ctx, found)
  const rows = found.filter(({ id }) => !sending.has(id))
  const ids = [...new Set(rows.map(({ location_id }) => location_id))]
  const known = { where: where.in('id', ids), limit: ids.length, fields: ['business_name'] } as const
  const locations = ids.length === 0 ? [] : await ctx.rows(ReviewedLocation).list(known)
  const names = new Map(locations.map(({ id, business_name }) => [id, business_name]))
  return rows.map((row) => ({ row, entry: entryOf(ctx, row, names.get(row.location_id)) }))
}

/** Returns the reviews whose reply is being sent. They wait for nobody. */
async function sendingOf(
  ctx: PageContext,
  reviews: readonly { readonly id: string }[],
): Promise<ReadonlySet<string>> {
  if (reviews.length === 0) return new Set()
  const ids = reviews.map(({ id }) => id)
  const queued = where.and(where.in('review_id', ids), where.eq('state', 'queued'))
  const acts = await ctx.rows(ReviewReply).list({ where: queued, limit: ids.length, fields: ['review_id'] })
  return new Set(acts.map(({ review_id }) => review_id))
}

type Waiting = Pick<Row<typeof Review>, (typeof fields)[number] | 'id'>

function entryOf({ system }: PageContext, review: Waiting, location = ''): Omit<InboxEntry, 'word' | 'link'> {
  const { id, reviewer_name, star_rating: stars = null, created_date } = review
  const by = reviewer_name ?? reviewWords('anonymous')
  const text = originalOf(review.review_text ?? '')
  const at = review.review_created_at ?? created_date
  const rating = stars === null ? reviewWords('noStars') : reviewWords('stars', { count: stars })
  const lang = review.review_language
  return {
    id,
    state: review.review_updated_at ?? at,
    tone: 'warn',
    at,
    title: reviewWords('ratingFrom', { rating, name: reviewer_name?.slice(0, 100) ?? by }),
    about: [platformOf(system, review.source).label, location].filter(Boolean).join(' · '),
    ...(text === '' ? {} : { quote: { text, by, ...(lang === undefined ? {} : { lang }) } }),
  }
}

const pageOf = (id: string) => `/app/reviews?needs=1&review=${id}`

/** Reviews that wait for a reply, without a draft. */
const waitingReviews: InboxSource = {
  name: 'reviews',
  title: reviewWords('kindReviews'),
  order: 10,
  icon: 'star',
  async list(ctx, limit) {
    const found = await waiting(ctx, limit, where.eq('ai_suggested_response', null))
    return found.map(({ row, entry }) => ({
      ...entry,
      word: reviewWords('waiting'),
      link: { href: pageOf(row.id), label: reviewWords('answer') },
    }))
  },
  /** Returns the time of the next sync of any location of the workspace. */
  async nextLook(ctx) {
    const later = where.gt('due_at', ctx.now().toISOString())
    const [next] = await ctx.system.rows(ReviewListing).list({
      where: where.and(where.eq('workspace_id', ctx.workspace.id), later),
      sort: [{ field: 'due_at', direction: 'asc' }],
      limit: 1,
    })
    return next?.due_at ?? null
  },
}

/** Drafts of replies that wait for a person. The state of an entry changes with its draft. */
const drafts: InboxSource = {
  name: 'drafts',
  title: reviewWords('kindDrafts'),
  order: 20,
  icon: 'pencil',
  async list(ctx, limit) {
    const found = await waiting(ctx, limit, where.ne('ai_suggested_response', null))
    return found.map(({ row, entry }) => {
      const draft = row.ai_suggested_response ?? ''
      return {
        ...entry,
        word: reviewWords('draft'),
        state: `${entry.state} ${draftMark(draft)}`,
        text: [reviewWords('draftOfReply'), draft],
        link: { href: pageOf(row.id), label: reviewWords('edit') },
      }
    })
  },
  action: sendDraft,
}

/** The inbox sources of reviews. */
export const inboxSources = [waitingReviews, drafts]
