import { type Row, where } from 'renown'
import { defineLocationCard } from 'renown/locations'
import type { PageContext } from 'renown/pages'
import { postTarget } from '../contract'
import { Post } from '../records/Post'
import { PostChannel } from '../records/PostChannel'
import { shownTime } from '../times/shown-time'
import type { LocationPosts } from './location-posts'

/** The card of a location with its next and last posts, and its targets. */
export const locationPosts = defineLocationCard<LocationPosts>({
  name: 'posts',
  order: 65,
  module: new URL('./location-posts.tsx', import.meta.url),
  async load(ctx, location) {
    if (location.is_prospect) return null
    const [next, last, channels] = await Promise.all([
      one(ctx, location.id, 'scheduled', 'scheduled_at', 'asc'),
      one(ctx, location.id, 'published', 'published_at', 'desc'),
      ctx.rows(PostChannel).list({ where: where.eq('location_id', location.id), limit: 100 }),
    ])
    const targets = ctx.system.extensions(postTarget).toSorted((a, b) => a.order - b.order)
    return {
      id: location.id,
      next: next ? { id: next.id, when: shownTime(next, ctx.workspace.timezone) ?? '' } : null,
      last: last ? { id: last.id, at: last.published_at ?? last.created_date } : null,
      targets: targets
        .filter(({ platform, channel, refusal }) =>
          channel === null
            ? refusal !== undefined && refusal(location) === null
            : channels.some((row) => row.platform === platform),
        )
        .map(({ platform, label }) => {
          const row = channels.find((one) => one.platform === platform)
          return row?.in_doubt === undefined ? label : `${label} (in doubt)`
        }),
    }
  },
})

async function one(
  ctx: PageContext,
  id: string,
  status: Row<typeof Post>['status'],
  field: 'scheduled_at' | 'published_at',
  direction: 'asc' | 'desc',
) {
  const own = where.and(where.eq('business_location_id', id), where.eq('status', status))
  const [row] = await ctx.rows(Post).list({ where: own, sort: [{ field, direction }], limit: 1 })
  return row
}
