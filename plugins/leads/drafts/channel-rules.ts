import type { DraftChannel } from 'renown/sending'
import { type TextUnit, textLength } from 'renown/sources'
import type { Channel } from '../records/channels'
import type { ReplyChannel } from '../sources/reply-channel'

/** What a channel accepts of a reply, and what a person must know before posting one. Only what the platforms publish themselves. */
interface ChannelRules {
  /** The platform for people. */
  readonly label: string
  /** The rule on promotion. */
  readonly rule?: string
  /** The longest reply that the platform accepts. */
  readonly textMax?: number
  readonly countedIn?: TextUnit
  /** Set to `none` if the platform takes no links in a reply. */
  readonly links?: 'none'
  /** Whether its users demand that the author of a promotion says who they work for. */
  readonly demandsDisclosure?: true
}

const rules: Readonly<Record<Channel, ChannelRules>> = {
  reddit: {
    label: 'Reddit',
    rule: "Most communities on Reddit limit self-promotion. Read the community's rules, and say that you work for the business.",
    textMax: 10_000,
    countedIn: 'characters',
    demandsDisclosure: true,
  },
  hackernews: {
    label: 'Hacker News',
    rule: 'Hacker News asks people not to use it mainly for promotion. Answer the question first, and say that you work for the business.',
    demandsDisclosure: true,
  },
  forum: {
    label: 'the forum',
    rule: 'Many forums forbid advertising in threads. Read the rules of this one before you post.',
  },
  bluesky: {
    label: 'Bluesky',
    rule: 'Bluesky allows automated replies only to people who mentioned the account. A person must send each reply.',
    textMax: 300,
    countedIn: 'graphemes',
  },
  mastodon: {
    label: 'Mastodon',
    rule: 'Servers on Mastodon have their own rules, and many forbid commercial replies. Read those of the author’s server.',
    textMax: 450,
    countedIn: 'characters',
  },
  youtube: {
    label: 'YouTube',
    rule: 'YouTube removes comments that repeat the same text or link. Write each one for its video.',
    textMax: 10_000,
    countedIn: 'characters',
  },
  x: { label: 'X', textMax: 280, countedIn: 'characters' },
  facebook: { label: 'Facebook', textMax: 8_000, countedIn: 'characters' },
  instagram: { label: 'Instagram', textMax: 2_200, countedIn: 'characters', links: 'none' },
  tiktok: { label: 'TikTok', textMax: 150, countedIn: 'characters', links: 'none' },
  news: { label: 'the site' },
  blog: { label: 'the blog' },
  web: { label: 'the site' },
  podcast: { label: 'the podcast' },
}

/** Maximum characters of a reply that Renown stores. */
export const replyMax = 2_000

/** Returns the rule on promotion of a channel. Undefined if Renown knows none. */
export const channelRule = (channel: Channel): string | undefined => rules[channel].rule

/** Whether a reply on a channel must say that its author works for the business. */
export const demandsDisclosure = (channel: Channel): boolean => rules[channel].demandsDisclosure ?? false

/**
 * Returns what a channel accepts, as the guard of drafts needs it. A loaded plugin that sends replies there knows its own limit. A
 * disclosure is demanded only if `disclosures` are given.
 */
export function draftChannel(
  channel: Channel,
  disclosures: readonly string[],
  loaded?: Pick<ReplyChannel, 'label' | 'textMax' | 'countedIn'>,
): DraftChannel {
  const { label, textMax, countedIn, links } = rules[channel]
  const known = loaded ?? { label, textMax: textMax ?? replyMax, countedIn: countedIn ?? 'characters' }
  return {
    ...known,
    textMax: Math.min(known.textMax, replyMax),
    links,
    disclosures: demandsDisclosure(channel) ? disclosures : undefined,
  }
}

/** Returns what a person must shorten before a reply fits its channel. Null if it fits. */
export function lengthWarning(
  text: string,
  { label, textMax = replyMax, countedIn = 'graphemes' }: DraftChannel,
): string | null {
  const length = textLength(text, countedIn)
  const unit = countedIn === 'bytes' ? 'bytes' : 'characters'
  return length <= textMax ? null : `This reply has ${length} ${unit}. ${label} accepts at most ${textMax}.`
}
