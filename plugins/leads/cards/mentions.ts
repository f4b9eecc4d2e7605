import { where } from 'renown'
import { defineLocationCard } from 'renown/locations'
import { BrandTracker } from '../records/BrandTracker'
import type { MentionsCardData } from './mentions-card'

const trackersMax = 20

/** The card with the trackers of a location. */
export const mentionsCard = defineLocationCard<MentionsCardData>({
  name: 'mentions',
  order: 70,
  module: new URL('./mentions-card.tsx', import.meta.url),
  async load(ctx, { id, is_prospect }) {
    if (is_prospect) return null
    const trackers = await ctx.rows(BrandTracker).list({
      where: where.eq('location_id', id),
      sort: [{ field: 'created_date', direction: 'desc' }],
      limit: trackersMax,
    })
    return {
      location_id: id,
      trackers: trackers
        .filter(({ archived_at }) => archived_at === undefined)
        .map((tracker) => ({
          id: tracker.id,
          name: tracker.name,
          is_active: tracker.is_active,
          mentions: tracker.mentions_total,
          last_run_at: tracker.last_run_at ?? null,
        })),
    }
  },
})
