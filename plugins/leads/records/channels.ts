/** The channels on which public posts are found, as in `source` of a mention. */
export const channels = [
  'reddit',
  'youtube',
  'x',
  'facebook',
  'instagram',
  'tiktok',
  'hackernews',
  'bluesky',
  'mastodon',
  'forum',
  'news',
  'blog',
  'web',
  'podcast',
] as const
/** One value of `channels`. */
export type Channel = (typeof channels)[number]
