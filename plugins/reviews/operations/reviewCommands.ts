import { defineCommand, field, type OwnerContext, Refusal, requireRow } from 'renown'
import * as v from 'valibot'
import type { ReviewRow } from '../analysis/reconcile'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'

const review_id = field.text('Id of the review')
const reasonMax = 500
const notesMax = 5_000

const required = (what: string, max: number) =>
  v.pipe(
    field.text(what),
    v.trim(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(max, `must have at most ${max} characters`),
  )

/** Marks a review as read or unread. */
export const markReview = defineCommand({
  name: 'review mark',
  summary: 'Mark a review as read or unread',
  input: v.strictObject({ review_id, state: field.oneOf(['read', 'unread'], 'The new state') }),
  positional: ['review_id', 'state'],
  run: (ctx, input) =>
    change(ctx, input.review_id, { is_read: input.state === 'read' }, [
      'review_mark',
      `Review marked ${input.state}`,
    ]),
})

/** Flags a review for people. An automatic reply that is due is then skipped. */
export const flagReview = defineCommand({
  name: 'review flag',
  summary: 'Flag a review for people. Its automatic reply is then not sent',
  input: v.strictObject({ review_id, reason: required('Why somebody should check it', reasonMax) }),
  positional: ['review_id'],
  run: (ctx, { review_id: id, reason }) =>
    change(ctx, id, { is_flagged: true, flag_reason: reason }, ['review_flag', 'Review flagged']),
})

/** Removes the flag of a review. */
export const unflagReview = defineCommand({
  name: 'review unflag',
  summary: 'Remove the flag of a review and its reason',
  input: v.strictObject({ review_id }),
  positional: ['review_id'],
  run: (ctx, { review_id: id }) =>
    change(ctx, id, { is_flagged: false, flag_reason: undefined }, ['review_unflag', 'Review flag removed']),
})

/** Sets or removes the notes of people on a review. */
export const noteReview = defineCommand({
  name: 'review note set',
  summary: 'Set your notes on a review, or remove them',
  input: v.strictObject({
    review_id,
    text: v.optional(required('The notes. The notes replace the old ones', notesMax)),
    clear: v.optional(field.flag('Remove the notes'), false),
  }),
  positional: ['review_id'],
  run(ctx, { review_id: id, text, clear }) {
    if (clear === (text !== undefined)) {
      throw new Refusal('invalid_field', 'Send either `text` or `clear`.', {
        errors: [{ pointer: '/text', code: 'exclusive', message: 'either text or clear' }],
      })
    }
    return change(ctx, id, { notes: text }, [
      'review_note',
      clear ? 'Review notes removed' : 'Review notes changed',
    ])
  },
})

type Change =
  | Pick<ReviewRow, 'is_read'>
  | Pick<ReviewRow, 'is_flagged' | 'flag_reason'>
  | Pick<ReviewRow, 'notes'>

/** Changes the fields that people set on a review. Records an audit event only if something changed. */
async function change(
  ctx: OwnerContext,
  id: string,
  changes: Change,
  [action, what]: readonly [string, string],
): Promise<Record<string, unknown>> {
  const rows = ctx.rows(Review)
  const before = await requireRow(rows, 'review', id)
  const isNew = Object.entries(changes).some(([name, value]) => before[name as keyof ReviewRow] !== value)
  const after = (isNew ? await rows.update(id, changes) : before) ?? before
  if (isNew) await recordChange(ctx, after, action, what)
  return shown(after)
}

async function recordChange(ctx: OwnerContext, review: ReviewRow, action: string, what: string) {
  const location = await ctx.rows(ReviewedLocation).get(review.location_id)
  await ctx.recordAudit({
    workspace_id: review.workspace_id,
    action: `location.${action}`,
    what,
    by: ctx.by,
    subject: `${location?.business_name ?? review.location_id}: review ${review.id}`,
  })
}

const shown = (review: ReviewRow) => ({
  review_id: review.id,
  location_id: review.location_id,
  is_read: review.is_read ?? false,
  is_flagged: review.is_flagged ?? false,
  flag_reason: review.flag_reason ?? null,
  notes: review.notes ?? null,
  auto_response_status: review.auto_response_status ?? null,
})
