import { defineAct, field, type OwnerContext, Refusal, where } from 'renown'
import * as v from 'valibot'
import type { ReviewRow } from '../analysis/reconcile'
import { tones } from '../records/AutoResponseRules'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { replyBytesDefault } from '../reply/personText'
import { draftReply } from '../writing/draftReply'
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
})

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
