import { type ActResult, defineAct, field, type OwnerContext, Refusal } from 'renown'
import * as v from 'valibot'
import type { ReviewRow } from '../analysis/reconcile'
import { Review } from '../records/Review'
import { onReview, reviewSubject } from './of-review'

const reasonMax = 500
const notesMax = 5_000

/** Marks a review as read or unread. */
export const markReview = defineAct({
  name: 'review mark',
  summary: 'Mark a review as read or unread',
  on: onReview,
  fields: { state: field.oneOf(['read', 'unread'], 'The new state') },
  positional: ['state'],
  label: 'Mark as read',
  done: { read: 'Marked as read.', unread: 'Marked as unread.' },
  audit: {
    action: 'location.review_mark',
    what: ({ state }) => `Review marked ${state}`,
    subject: reviewSubject,
  },
  run: async (ctx, { row, input: { state } }) => ({
    ...(await change(ctx, row, { is_read: state === 'read' })),
    said: state,
  }),
})

/** Flags a review for people. An automatic reply that is due is then skipped. */
export const flagReview = defineAct({
  name: 'review flag',
  summary: 'Flag a review for people. Its automatic reply is then not sent',
  on: onReview,
  fields: {
    reason: v.pipe(
      field.text('Why somebody should check it'),
      v.trim(),
      v.minLength(1, 'Enter why somebody should check it.'),
      v.maxLength(reasonMax, `Use at most ${reasonMax} characters.`),
    ),
  },
  label: 'Flag review',
  done: { flagged: 'Review flagged. It gets no automatic reply.' },
  undo: 'review unflag',
  audit: { action: 'location.review_flag', what: 'Review flagged', subject: reviewSubject },
  run: (ctx, { row, input: { reason } }) => change(ctx, row, { is_flagged: true, flag_reason: reason }),
})

/** Removes the flag of a review. */
export const unflagReview = defineAct({
  name: 'review unflag',
  summary: 'Remove the flag of a review and its reason',
  on: onReview,
  label: 'Remove flag',
  done: { unflagged: 'Flag removed.' },
  undo: 'review flag',
  audit: { action: 'location.review_unflag', what: 'Review flag removed', subject: reviewSubject },
  run: (ctx, { row }) => change(ctx, row, { is_flagged: false, flag_reason: undefined }),
})

/** Sets or removes the notes of people on a review. */
export const noteReview = defineAct({
  name: 'review note set',
  summary: 'Set your notes on a review, or remove them',
  on: onReview,
  fields: {
    text: v.optional(
      v.pipe(
        field.text('The notes. They replace the old ones, and an empty text removes them'),
        v.trim(),
        v.maxLength(notesMax, 'Use at most 5,000 characters.'),
      ),
    ),
    clear: v.optional(field.flag('Remove the notes'), false),
  },
  forms: { text: v.pipe(v.string(), v.trim(), v.maxLength(notesMax, 'Use at most 5,000 characters.')) },
  label: 'Save note',
  done: { noted: 'Note saved.' },
  audit: {
    action: 'location.review_note',
    what: ({ text = '' }) => (text === '' ? 'Review notes removed' : 'Review notes changed'),
    subject: reviewSubject,
  },
  run(ctx, { row, input: { text, clear } }) {
    if (clear === (text !== undefined)) {
      throw new Refusal('invalid_field', 'Send either `text` or `clear`.', {
        errors: [{ pointer: '/text', code: 'exclusive', message: 'either text or clear' }],
      })
    }
    return change(ctx, row, { notes: text?.replace(/\r\n?/g, '\n') || undefined })
  },
})

type Change =
  | Pick<ReviewRow, 'is_read'>
  | Pick<ReviewRow, 'is_flagged' | 'flag_reason'>
  | { readonly notes: string | undefined }

/** Changes the fields that people set on a review. */
async function change(ctx: OwnerContext, before: ReviewRow, changes: Change): Promise<ActResult> {
  const isChanged = Object.entries(changes).some(([name, value]) => before[name as keyof ReviewRow] !== value)
  const after = (isChanged ? await ctx.rows(Review).update(before.id, changes) : before) ?? before
  return { answer: shown(after), isChanged }
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
