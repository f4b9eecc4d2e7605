import type { Channel } from '../records/channels'
import type { SourcePolicy } from './source'

/**
 * Terms of platforms that apply to their posts wherever Renown found them. A post of Reddit that arrives by a feed or
 * a webhook is still a post of Reddit.
 */
const channelTerms: Partial<Record<Channel, Partial<SourcePolicy>>> = {
  reddit: { may_link_identity: false, may_extract_contact: false, delete_with_source: true, recheck_days: 1 },
  youtube: { may_extract_contact: false, delete_with_source: true, recheck_days: 30 },
}

/** Returns the policy for a post: that of its source, limited by the terms of the platform where it was posted. */
export const policyOf = ({ policy }: { readonly policy: SourcePolicy }, channel: Channel): SourcePolicy => {
  const terms = channelTerms[channel]
  return { ...policy, ...terms, recheck_days: fewest(policy.recheck_days, terms?.recheck_days ?? null) }
}

const fewest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

/** The policy of posts that anyone may read and store without an agreement. */
export const publicPolicy = {
  retention_days: null,
  recheck_days: null,
  delete_with_source: false,
  may_store_author: true,
  may_link_identity: true,
  may_extract_contact: true,
  may_reply: 'person',
  attribution: null,
} as const satisfies Omit<SourcePolicy, 'terms_url'>
