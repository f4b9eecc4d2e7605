import { defineCommand, field, Refusal, type Row, requireRow, where } from 'renown'
import * as v from 'valibot'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { ReviewListing } from '../records/ReviewListing'
import { begin, isRead } from './dueReviews'

/** Syncs all reviews of a location as soon as possible. */
export const syncLocation = defineCommand({
  name: 'review sync',
  summary: 'Sync all reviews of a location now',
  input: v.strictObject({ location_id: field.text('Id of the business location') }),
  positional: ['location_id'],
  async run(ctx, { location_id }) {
    const location = await requireRow(ctx.rows(ReviewedLocation), 'location', location_id)
    if (!isRead(ctx, location)) throw new Refusal('conflict', whyNotRead(location))
    const { workspace_id, business_name } = location
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
    await ctx.recordAudit({
      workspace_id,
      subject: business_name,
      by: ctx.by,
      action: 'location.reviews_sync',
      what: 'Reviews synced on request',
    })
    return { location_id, job_id, deduplicated }
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
