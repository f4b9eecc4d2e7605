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

/** The longest reply that a platform accepts, in what people see as characters. */
const lengthsMax: Partial<Record<Channel, number>> = { bluesky: 300, mastodon: 450 }
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Returns what a person must shorten before a reply fits its channel. Null if it fits, or if Renown knows no limit. */
export function lengthWarning(text: string, channel: Channel): string | null {
  const max = lengthsMax[channel]
  const length = max === undefined ? 0 : [...graphemes.segment(text)].length
  return max === undefined || length <= max
    ? null
    : `This reply has ${length} characters. The platform accepts at most ${max}.`
}
