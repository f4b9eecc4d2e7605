import { defineAct, field, type OwnerContext, Refusal, type WorkspaceActContext, where } from 'renown'
import { callerGenerator } from 'renown/sending'
import * as v from 'valibot'
import type { ReviewRow } from '../analysis/reconcile'
import { tones } from '../records/AutoResponseRules'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { replyBytesDefault } from '../reply/personText'
import { draftReply, type ReplyDraft } from '../writing/draftReply'
import type { ReplyingBusiness } from '../writing/reply-parties'
import { reviewDraft } from '../writing/review-draft'
import { onReview } from './of-review'

const sentText = v.optional(v.string(), '')
/** The draft as the person saw it. */
const seen = { was: sentText }

/** Saves the draft of a reply as a person wrote it. */
export const saveDraft = defineAct({
  name: 'review draft save',
  summary: 'Save your draft of a reply to a review',
  on: onReview,
  fields: { text: field.text('The draft. An empty text removes it') },
  forms: { text: sentText },
  seen,
  label: 'Save draft',
  done: { saved: 'Draft saved.' },
  isPageOnly: true,
  async run(ctx, { row, input: { text }, seen: { was = '' } = { was: '' } }) {
    refuseChanged(row.ai_suggested_response ?? '', was)
    const draft = text.replace(/\r\n?/g, '\n').trim()
    if (Buffer.byteLength(draft) > replyBytesDefault)
      throw new Refusal('invalid_field', `The draft must have at most ${replyBytesDefault} bytes.`)
    await writeDraft(ctx, row, draft === '' ? undefined : draft)
    return { answer: { review_id: row.id } }
  },
  runForAgent: (ctx, { row, input: { text } }) =>
    keepDraft(ctx, row, { text, generator: callerGenerator, tone: null }),
})

/** Writes a draft of a reply, with the language model or a template. */
export const generateDraft = defineAct({
  name: 'review draft create',
  summary: 'Write a draft of a reply to a review',
  on: onReview,
  fields: { tone: field.oneOf(tones, 'How the reply sounds') },
  seen,
  label: 'Write a draft',
  done: {
    drafted: 'New draft written.',
    template: 'New draft from a template. Set up a language model for individual drafts.',
  },
  isPageOnly: true,
  async run(ctx, { row, input: { tone }, seen: { was = '' } = { was: '' } }) {
    refuseChanged(row.ai_suggested_response ?? '', was)
    await ctx.requireActive(row.workspace_id)
    const location = await ctx.rows(ReviewedLocation).get(row.location_id)
    const draft = await draftReply(ctx.outbound.model, row, location ?? { business_name: '' }, tone)
    await writeDraft(ctx, row, draft.text)
    return { answer: { review_id: row.id }, said: draft.tone === null ? 'template' : 'drafted' }
  },
  async runForAgent(ctx, { row, input: { tone } }) {
    return keepDraft(ctx, row, await draftReply(ctx.model, row, await businessOf(ctx, row), tone))
  },
})

/** What people and agents do with the draft of a reply. */
export const reviewDraftActs = { save: saveDraft, create: generateDraft }

/** Returns the business that replies. */
const businessOf = async (ctx: WorkspaceActContext, { location_id }: ReviewRow): Promise<ReplyingBusiness> =>
  (await ctx.rows(ReviewedLocation).get(location_id)) ?? { business_name: '' }

/** Keeps the draft of an agent, and the one that it replaces, so that the agent can take it back. */
async function keepDraft(ctx: WorkspaceActContext, review: ReviewRow, draft: ReplyDraft) {
  const before = review.ai_suggested_response
  // A person may have written another draft while the model wrote this one.
  const isAsRead = where.eq('ai_suggested_response', before ?? null)
  const changes = { ai_suggested_response: draft.text, previous_draft: before ?? null }
  await reviewDraft.replace(ctx.rows(Review), review.id, changes, isAsRead)
  const saved_at = ctx.now().toISOString()
  const business = await businessOf(ctx, review)
  return { answer: { review_id: review.id }, made: { draft, business, saved_at } }
}

/** Writes a draft where the review still has the one that was read. Otherwise somebody wrote one in between, which stays. */
async function writeDraft(ctx: OwnerContext, review: ReviewRow, draft?: string): Promise<void> {
  const still = where.and(
    where.eq('id', review.id),
    where.eq('ai_suggested_response', review.ai_suggested_response ?? null),
  )
  // No client takes back what a person replaced.
  const changes = { ai_suggested_response: draft, previous_draft: null }
  if (!(await ctx.rows(Review).updateWhere(still, changes))) throw changed()
}

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
