import { defineAct, Refusal, type Row, where } from 'renown'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { ReviewListing } from '../records/ReviewListing'
import { begin, isRead } from './dueReviews'

/** Syncs all reviews of a location as soon as possible. */
export const syncLocation = defineAct({
  name: 'review sync',
  summary: 'Sync all reviews of a location now',
  on: { entity: ReviewedLocation, field: 'location_id', called: 'location' },
  label: 'Sync reviews now',
  done: 'Sync queued.',
  audit: {
    action: 'location.reviews_sync',
    what: 'Reviews synced on request',
    subject: (_, { business_name }) => business_name,
  },
  async run(ctx, { row }) {
    if (!isRead(ctx, row)) throw new Refusal('conflict', whyNotRead(row))
    const { id: location_id, workspace_id } = row
    await ctx.requireActive(workspace_id)
    await begin(ctx, location_id, workspace_id)
    const at = ctx.now().toISOString()
    // A job that already waits or runs does not know of this request, so the stored sync state informs the
    // next one.
    const own = where.eq('location_id', location_id)
    await ctx.rows(ReviewListing).updateWhere(own, { due_at: at, read_now_at: at })
    const payload = { location_id, manual: true }
    const { job_id, deduplicated } = await ctx.enqueue('sync-reviews', {
      workspace_id,
      key: location_id,
      payload,
    })
    return { answer: { location_id, job_id, deduplicated } }
  },
})

function whyNotRead({ is_demo, is_prospect, is_active }: Row<typeof ReviewedLocation>): string {
  if (is_demo === true) return 'This location belongs to the demo. It has no source to read.'
  if (is_prospect) return 'This location is a prospect. Sign it first: `location sign`.'
  if (!is_active) return 'This location is paused. Activate it first: `location activate`.'
  return 'This location has no source of reviews. Connect its Google profile or Facebook Page first.'
}

/** Whether people requested a complete sync since the last one. */
export const isReadNow = ({ read_now_at = '', last_full_at = '' }: Row<typeof ReviewListing>): boolean =>
  read_now_at > last_full_at
