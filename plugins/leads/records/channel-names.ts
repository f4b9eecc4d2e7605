import type { Channel } from './channels'

/** The names of the channels for people. */
export const channelNames: Readonly<Record<Channel, string>> = {
  reddit: 'Reddit',
  youtube: 'YouTube',
  x: 'X',
  facebook: 'Facebook',
  instagram: 'Instagram',
  tiktok: 'TikTok',
  hackernews: 'Hacker News',
  bluesky: 'Bluesky',
  mastodon: 'Mastodon',
  forum: 'Forum',
  news: 'News',
  blog: 'Blog',
  web: 'Web',
  podcast: 'Podcast',
}
