import { type OwnerContext, type Row, webAddress } from 'renown'
import { channelRule, demandsDisclosure } from '../drafts/channel-rules'
import type { Mention } from '../records/Mention'
import { policyOfMention } from '../sources/mention-policy'
import {
  type AnsweredPost,
  leadsReply,
  type ReplyAccount,
  type ReplyChannel,
  type ReplyLocation,
} from '../sources/reply-channel'

type MentionRow = Row<typeof Mention>

/**
 * How a person can answer a mention. `account`: Renown sends the reply through the account of the location. `open`: the person
 * opens the thread, pastes the text and marks the mention as answered. `none`: it cannot be answered.
 */
export type ReplyWay =
  | { readonly way: 'account'; readonly channel: ReplyChannel; readonly account: ReplyAccount }
  | { readonly way: 'open'; readonly url: string; readonly why: string }
  | { readonly way: 'none'; readonly why: string }

/** Returns how a person can answer a mention. Sends no request. */
export async function replyWay(
  ctx: OwnerContext,
  mention: MentionRow,
  location: ReplyLocation,
): Promise<ReplyWay> {
  const closed = whyClosed(mention, location)
  if (closed !== null) return { way: 'none', why: closed }
  const url = webAddress(mention.url)
  const channel = channelOf(ctx, mention)
  const why = await whyByHand(ctx, mention, channel)
  const account = why === null && channel ? await channel.accountOf(ctx, location) : null
  if (account && channel && 'id' in account) return { way: 'account', channel, account }
  const reason = account && 'why' in account ? account.why : (why ?? '')
  return url === undefined
    ? { way: 'none', why: 'The mention has no address that can be opened.' }
    : { way: 'open', url, why: reason }
}

/** Returns why nobody can answer a mention, or null. */
function whyClosed(
  { removal_rule, removed_at_source_at }: MentionRow,
  location: ReplyLocation,
): string | null {
  if (removal_rule !== undefined) return 'The text of this mention was removed, so it cannot be answered.'
  if (removed_at_source_at !== undefined) return 'The source no longer shows the post.'
  return location.is_demo === true ? 'The mention is a sample of the demo.' : null
}

async function whyByHand(
  ctx: OwnerContext,
  mention: MentionRow,
  channel: ReplyChannel | undefined,
): Promise<string | null> {
  if (!channel) return 'Renown cannot send replies there.'
  const { may_reply } = await policyOfMention(ctx, mention)
  if (may_reply === 'never') return 'The terms of the source do not allow replies through Renown.'
  return channel.refusal?.(answeredPost(mention)) ?? null
}

/** Returns the channel through which replies to a mention are sent, if a loaded plugin provides one. */
export const channelOf = (
  ctx: Pick<OwnerContext, 'extensions'>,
  { source }: Pick<MentionRow, 'source'>,
): ReplyChannel | undefined => ctx.extensions(leadsReply).find(({ channel }) => channel === source)

/** Returns a mention as a reply channel sees it. */
export const answeredPost = ({ source, source_id, url, found_by }: MentionRow): AnsweredPost => ({
  ...{ channel: source, source_id, url },
  ...(found_by === undefined ? {} : { found_by }),
})

/** Returns how a mention can be answered, as plain data for a page. */
export async function replyChoice(ctx: OwnerContext, mention: MentionRow, location: ReplyLocation) {
  const way = await replyWay(ctx, mention, location)
  const rule = channelRule(mention.source) ?? null
  const common = { way: way.way, rule, demands_disclosure: demandsDisclosure(mention.source) }
  if (way.way === 'none') return { ...common, why: way.why }
  if (way.way === 'open') return { ...common, url: way.url, why: way.why }
  const { label, textMax, countedIn } = way.channel
  return { ...common, label, account: way.account.name, text_max: textMax, counted_in: countedIn }
}
