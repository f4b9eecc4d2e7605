import { type ActionContext, type AnyAction, defineAction, Refusal, type Row, where } from 'renown'
import * as v from 'valibot'
import { flagReview, markReview, noteReview, unflagReview } from '../operations/reviewCommands'
import { tones } from '../records/AutoResponseRules'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { replyBytesDefault } from '../reply/personText'
import { cancelReply, requestReply } from '../reply/requestReply'
import { draftReply } from '../writing/draftReply'

const path = '/app/reviews'
const text = v.optional(v.string(), '')
/** Every form of the page contains the review and the query of the page. */
const common = { review: v.string(), search: text }

/** Redirects back to the page, with a notice. */
function doneAt(search: string, done: string): { readonly to: string } {
  const query = new URLSearchParams(search)
  query.set('done', done)
  return { to: `${path}?${query}` }
}

/** Returns the review of a form. It must be in the person's workspace. */
async function reviewOf(ctx: ActionContext, id: string) {
  const review = await ctx.rows(Review).get(id)
  if (!review) throw new Refusal('not_found', 'There is no such review in this workspace.')
  return review
}

const send = defineAction({
  auth: 'session',
  input: v.strictObject({
    ...common,
    text,
    was: text,
    replaces: text,
    basis: v.string(),
    // Pressing Enter only saves the draft. Sending needs the button.
    do: v.optional(v.picklist(['send', 'save']), 'save'),
  }),
  async run(ctx, { review: id, search, text: words, was, replaces, basis, do: wanted }) {
    const review = await reviewOf(ctx, id)
    if (wanted === 'save') {
      refuseChanged(review.ai_suggested_response ?? '', was)
      await saveDraft(ctx, review, words)
      return doneAt(search, 'saved')
    }
    const seen = replaces === '' ? undefined : replaces
    await requestReply(ctx.owner, { review_id: id, text: words, replaces: seen, basis })
    return doneAt(search, 'sent')
  },
})

/** No client takes back what a person replaced. */
const noPrevious = { previous_draft: null }

async function saveDraft(ctx: ActionContext, review: Row<typeof Review>, words: string): Promise<void> {
  const draft = words.replace(/\r\n?/g, '\n').trim()
  if (Buffer.byteLength(draft) > replyBytesDefault) {
    throw new Refusal('invalid_field', `The draft must have at most ${replyBytesDefault} bytes.`)
  }
  await writeDraft(ctx, review, draft === '' ? undefined : draft)
}

/** Writes a draft where the review still has the one that was read. Otherwise somebody wrote one in between, which stays. */
async function writeDraft(ctx: ActionContext, review: Row<typeof Review>, draft?: string): Promise<void> {
  const still = where.and(
    where.eq('id', review.id),
    where.eq('ai_suggested_response', review.ai_suggested_response ?? null),
  )
  const changes = { ai_suggested_response: draft, ...noPrevious }
  if (!(await ctx.owner.rows(Review).updateWhere(still, changes))) throw changed()
}

const deleteReply = defineAction({
  auth: 'session',
  input: v.strictObject({ ...common, replaces: v.string() }),
  async run(ctx, { review: id, search, replaces }) {
    await reviewOf(ctx, id)
    await requestReply(ctx.owner, { review_id: id, replaces })
    return doneAt(search, 'deleted')
  },
})

const cancel = defineAction({
  auth: 'session',
  input: v.strictObject(common),
  async run(ctx, { review: id, search }) {
    const act = await cancelReply(ctx.owner, await reviewOf(ctx, id))
    if (!act) throw new Refusal('conflict', 'It is too late: the reply was sent, or has failed.')
    return doneAt(search, 'cancelled')
  },
})

const generate = defineAction({
  auth: 'session',
  input: v.strictObject({ ...common, tone: v.picklist(tones), was: text }),
  async run(ctx, { review: id, search, tone, was }) {
    const review = await reviewOf(ctx, id)
    refuseChanged(review.ai_suggested_response ?? '', was)
    await ctx.owner.requireActive(review.workspace_id)
    const location = await ctx.rows(ReviewedLocation).get(review.location_id)
    const business = location ?? { business_name: '' }
    const draft = await draftReply(ctx.owner.outbound.model, review, business, tone)
    await writeDraft(ctx, review, draft.text)
    return doneAt(search, draft.tone === null ? 'template' : 'drafted')
  },
})

/**
 * Throws if the draft changed since the person saw it. Two people, or a person and an agent, can write at the
 * same time.
 */
function refuseChanged(now: string, was: string): void {
  const bare = (words: string) => words.replace(/\r\n?/g, '\n').trim()
  if (bare(now) !== bare(was)) throw changed()
}

const changed = () =>
  new Refusal('conflict', 'The draft changed since you opened it. Copy your text, and load the page again.')

const mark = defineAction({
  auth: 'session',
  input: v.strictObject({ ...common, state: v.picklist(['read', 'unread']) }),
  async run(ctx, { review: review_id, search, state }) {
    await reviewOf(ctx, review_id)
    await markReview.run(ctx.owner, { review_id, state })
    return doneAt(search, state)
  },
})

const flag = defineAction({
  auth: 'session',
  input: v.strictObject({ ...common, reason: markedReason() }),
  async run(ctx, { review: review_id, search, reason }) {
    await reviewOf(ctx, review_id)
    await flagReview.run(ctx.owner, { review_id, reason })
    return doneAt(search, 'flagged')
  },
})

function markedReason() {
  return v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, 'Enter why somebody should check it.'),
    v.maxLength(500, 'Use at most 500 characters.'),
  )
}

const unflag = defineAction({
  auth: 'session',
  input: v.strictObject(common),
  async run(ctx, { review: review_id, search }) {
    await reviewOf(ctx, review_id)
    await unflagReview.run(ctx.owner, { review_id })
    return doneAt(search, 'unflagged')
  },
})

const note = defineAction({
  auth: 'session',
  input: v.strictObject({
    ...common,
    text: v.pipe(v.string(), v.trim(), v.maxLength(5_000, 'Use at most 5,000 characters.')),
  }),
  async run(ctx, { review: review_id, search, text: words }) {
    await reviewOf(ctx, review_id)
    const notes = words.replace(/\r\n?/g, '\n')
    await noteReview.run(
      ctx.owner,
      notes === '' ? { review_id, clear: true } : { review_id, text: notes, clear: false },
    )
    return doneAt(search, 'noted')
  },
})

/** The actions of the page of reviews. */
export const reviewActions: Readonly<Record<string, AnyAction>> = {
  send,
  cancel,
  generate,
  mark,
  flag,
  unflag,
  note,
  'delete-reply': deleteReply,
}

/** The notices of the page, by action. */
export const reviewNotices: Readonly<Record<string, string>> = {
  sent: 'Reply queued. It is sent in a moment.',
  deleted: 'Deletion queued. The reply is deleted in a moment.',
  cancelled: 'Reply cancelled. Nothing was sent.',
  saved: 'Draft saved.',
  drafted: 'New draft written.',
  template: 'New draft from a template. Set up a language model for individual drafts.',
  read: 'Marked as read.',
  unread: 'Marked as unread.',
  flagged: 'Review flagged. It gets no automatic reply.',
  unflagged: 'Flag removed.',
  noted: 'Note saved.',
}
