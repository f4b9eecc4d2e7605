import type { Channel } from '../records/channels'

/** The channel of each platform, by its registered domain. */
const platforms = new Map<string, Channel>(
  Object.entries({
    'reddit.com': 'reddit',
    'redd.it': 'reddit',
    'youtube.com': 'youtube',
    'youtu.be': 'youtube',
    'x.com': 'x',
    'twitter.com': 'x',
    'facebook.com': 'facebook',
    'instagram.com': 'instagram',
    'tiktok.com': 'tiktok',
    'bsky.app': 'bluesky',
    'news.ycombinator.com': 'hackernews',
  } as const),
)

/** Returns the channel of a post by its address, so that the terms of its platform apply. Otherwise `usual`. */
export function channelOf(url: string, usual: Channel): Channel {
  const host = URL.parse(url)?.hostname ?? ''
  const labels = host.split('.')
  const parents = labels.map((_, index) => labels.slice(index).join('.'))
  return parents.map((name) => platforms.get(name)).find((one) => one !== undefined) ?? usual
}
