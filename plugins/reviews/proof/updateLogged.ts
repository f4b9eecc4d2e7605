import type { OwnerContext, Row } from 'renown'
import { Review } from '../records/Review'
import { asReadReview } from './as-read-review'
import { logOwn, type OwnNote } from './ledger'

type ReviewRow = Row<typeof Review>

/** Changes the reply of a row together with its log, so that the row follows from the log at every instant. */
export async function updateLogged(
  ctx: OwnerContext,
  id: string,
  changes: Partial<ReviewRow>,
  note: OwnNote = {},
): Promise<void> {
  const row = await ctx.rows(Review).get(id)
  if (!row) return
  const review = 'reply_text' in changes ? { review: asReadReview({ ...row, ...changes }) } : {}
  await logOwn(ctx, row, { ...note, ...review }, (batch) => batch.update(Review, id, changes))
}
