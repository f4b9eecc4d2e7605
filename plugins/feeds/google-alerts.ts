import { minuteMs } from 'renown'
import { type MentionSource, publicPolicy } from 'renown/leads'
import { resolved } from './feed-posts'
import { readFeed } from './read-feed'

/**
 * The feeds of Google Alerts. Google chose their posts. Their links are redirects of Google: Renown reads the address
 * in the link and never opens the redirect.
 */
export const googleAlerts: MentionSource = {
  name: 'google-alerts',
  label: 'Google Alerts',
  reach: 'feed',
  everyMs: 15 * minuteMs,
  perHour: () => 600,
  channels: ['web', 'reddit', 'youtube', 'x', 'facebook', 'instagram', 'tiktok', 'bluesky', 'hackernews'],
  policy: { ...publicPolicy, terms_url: 'https://policies.google.com/terms' },
  isPreselected: true,
  needs: () => [],
  takes: isAlertsFeed,
  read: (ctx, request) => readFeed(ctx, request, targetOf),
}

/** Whether an address is that of a feed of Google Alerts. */
export function isAlertsFeed({ hostname, pathname }: URL): boolean {
  return isGoogle(hostname) && pathname.startsWith('/alerts/feeds/')
}

const isGoogle = (hostname: string) => /^(?:www\.)?google\.(?:[a-z]{2,3}|com?\.[a-z]{2})$/.test(hostname)

/** Returns the address that a redirect of Google leads to. Other addresses stay unchanged. */
export function targetOf(link: string | undefined): string | undefined {
  const url = URL.parse(link ?? '')
  if (url === null || !isGoogle(url.hostname) || url.pathname !== '/url') return link
  return resolved(
    url.searchParams.get('url') ?? url.searchParams.get('q') ?? undefined,
    'https://invalid.invalid',
  )
}
