import { minuteMs } from 'renown'
import { type MentionSource, publicPolicy } from 'renown/leads'
import { isAlertsFeed } from './google-alerts'
import { readFeed } from './read-feed'

/** Feeds that owners add: blogs, forums, newspapers. It sends the version of the last answer with each request. */
export const feeds: MentionSource = {
  name: 'feeds',
  label: 'Feeds',
  reach: 'feed',
  everyMs: 15 * minuteMs,
  perHour: () => 600,
  channels: ['web', 'reddit', 'youtube', 'x', 'facebook', 'instagram', 'tiktok', 'bluesky', 'hackernews'],
  policy: { ...publicPolicy, terms_url: 'https://www.rssboard.org/rss-specification' },
  needs: () => [],
  takes: (address) => /^https?:$/.test(address.protocol) && !isAlertsFeed(address),
  read: (ctx, request) => readFeed(ctx, request),
}
