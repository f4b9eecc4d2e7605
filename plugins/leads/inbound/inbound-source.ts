import { dayMs } from 'renown'
import { channels } from '../records/channels'
import { publicPolicy } from '../sources/policy'
import type { MentionSource } from '../sources/source'

/** The target of the posts that were sent for a tracker. It is no web address, so no tracker can list it as a feed. */
export const inboundTarget = (trackerId: string): string => `renown-inbound:${trackerId}`

/**
 * Posts that other services choose and send, such as F5Bot, Syften, n8n and Zapier. They arrive at `/in/mentions/…`, so
 * a reading finds nothing more. The terms of the platform where a post was written apply to it.
 */
export const inbound: MentionSource = {
  name: 'inbound',
  label: 'Sent by other services',
  reach: 'feed',
  everyMs: dayMs,
  channels,
  isPreselected: true,
  isPushed: true,
  policy: { ...publicPolicy, terms_url: 'https://www.jsonfeed.org/version/1.1/' },
  needs: () => [],
  takes: ({ protocol }) => protocol === 'renown-inbound:',
  read: async () => ({ posts: [], unread: [], cursor: null, isMore: false }),
}
