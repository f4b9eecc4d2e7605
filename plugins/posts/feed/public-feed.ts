import { type OwnerContext, Refusal, where } from 'renown'
import type { PublicAddress, PublicFileDeclaration, PublicPageDeclaration } from 'renown/pages'
import { webAddress } from 'renown/sources'
import { Post } from '../records/Post'
import { PostChannel } from '../records/PostChannel'
import { PostedLocation } from '../records/PostedLocation'
import { type Feed, feedItem } from './feed-items'
import { jsonFeedOf } from './json-feed'
import { rssOf } from './rss'

/** Maximum number of posts in a feed. Readers store older ones. */
export const feedItemsMax = 50

const fileOf = (type: string, bodyOf: (feed: Feed) => string): PublicFileDeclaration => ({
  type,
  async load(ctx, address, { url }) {
    const feed = await loadFeed(ctx, address, url)
    return { body: bodyOf(feed), changed_at: feed.changed_at }
  },
})

/** The feeds of locations: everybody who knows the address reads the published posts. */
export const publicFeed: PublicPageDeclaration = {
  summary: 'The posts of a location as RSS and JSON Feed',
  async find(ctx, { text }) {
    const own = where.and(where.eq('public_id', text), where.eq('platform', 'feed'))
    const [channel] = await ctx.rows(PostChannel).list({ where: own, limit: 1 })
    return channel ? { id: channel.id, workspace_id: channel.workspace_id } : null
  },
  files: {
    'rss.xml': fileOf('application/rss+xml', rssOf),
    'feed.json': fileOf('application/feed+json', jsonFeedOf),
  },
}

async function loadFeed(ctx: OwnerContext, address: PublicAddress, url: string): Promise<Feed> {
  const channel = await ctx.rows(PostChannel).get(address.id)
  const location = channel && (await ctx.rows(PostedLocation).get(channel.location_id))
  if (!channel || !location) throw new Refusal('not_found', 'There is nothing at this address.')
  const shown = where.and(
    where.eq('workspace_id', channel.workspace_id),
    where.eq('business_location_id', location.id),
    where.eq('platform', 'feed'),
    where.eq('status', 'published'),
  )
  const sort = [{ field: 'published_at', direction: 'desc' }] as const
  const posts = await ctx.rows(Post).list({ where: shown, sort, limit: feedItemsMax })
  const changes = [channel, location, ...posts].map(({ updated_date }) => updated_date)
  const website = webAddress(location.website ?? '')
  const [newest] = posts
  return {
    title: location.business_name,
    description: `Posts of ${location.business_name}`,
    url,
    ...(website === undefined ? {} : { website }),
    ...(newest === undefined ? {} : { language: newest.content.language }),
    changed_at: changes.toSorted().at(-1) ?? channel.updated_date,
    items: posts.map(feedItem),
  }
}
