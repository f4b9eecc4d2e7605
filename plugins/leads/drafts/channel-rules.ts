import type { Channel } from '../records/channels'

/** What a person must know before posting a reply on a channel. Only what the platforms publish themselves. */
const rules: Partial<Record<Channel, string>> = {
  reddit:
    "Most communities on Reddit limit self-promotion. Read the community's rules, and say that you work for the business.",
  hackernews:
    'Hacker News asks people not to use it mainly for promotion. Answer the question first, and say that you work for the business.',
  forum: 'Many forums forbid advertising in threads. Read the rules of this one before you post.',
  bluesky:
    'Bluesky allows automated replies only to people who mentioned the account. A person must send each reply.',
  mastodon:
    'Servers on Mastodon have their own rules, and many forbid commercial replies. Read those of the author’s server.',
  youtube: 'YouTube removes comments that repeat the same text or link. Write each one for its video.',
}

/** Returns the rule on promotion of a channel. Undefined if Renown knows none. */
export const channelRule = (channel: Channel): string | undefined => rules[channel]

/** The channels whose users demand that the author of a promotion says who they work for. */
const disclosed: ReadonlySet<Channel> = new Set(['reddit', 'hackernews'])

/** Whether a reply on a channel must say that its author works for the business. */
export const demandsDisclosure = (channel: Channel): boolean => disclosed.has(channel)
