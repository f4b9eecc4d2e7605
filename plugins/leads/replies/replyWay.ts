import type { Row, SystemReads } from 'renown'
import { webAddress } from 'renown/sources'
import { channelRule, demandsDisclosure } from '../drafts/channel-rules'
import type { Mention } from '../records/Mention'
import { type ReplyTerms, replyTerms } from '../sources/mention-policy'
import {
  type AnsweredPost,
  leadsReply,
  type NoReplyAccount,
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
  | (NoReplyAccount & { readonly way: 'open'; readonly url: string })
  | { readonly way: 'none'; readonly why: string }

/** Returns how a person can answer a mention. While the account is in doubt, a person answers by hand. Sends no request. */
export async function replyWay(
  ctx: SystemReads,
  mention: MentionRow,
  location: ReplyLocation,
  { evenInDoubt = false }: { readonly evenInDoubt?: boolean } = {},
): Promise<ReplyWay> {
  const closed = whyClosed(mention, location)
  if (closed !== null) return { way: 'none', why: closed }
  const terms = await replyTerms(ctx, mention)
  if (terms === 'never') return { way: 'none', why: 'The terms of the source do not allow replies.' }
  const url = webAddress(mention.url)
  const channel = channelOf(ctx, mention)
  const why = whyByHand(terms, mention, channel)
  const account = why === null && channel ? await channel.accountOf(ctx, location) : null
  const isUsable = account && 'id' in account && (evenInDoubt || account.in_doubt === undefined)
  if (isUsable && channel) return { way: 'account', channel, account }
  const reason = account ? whyNot(account) : { why: why ?? '' }
  return url === undefined
    ? { way: 'none', why: 'The mention has no address that can be opened.' }
    : { way: 'open', url, ...reason }
}

const whyNot = (account: ReplyAccount | NoReplyAccount): NoReplyAccount =>
  'why' in account
    ? account
    : {
        why: `Renown sends nothing through this account now. ${account.in_doubt ?? ''}`,
        fix: { label: 'Confirm it under Posts, Targets', href: '/app/posts/targets' },
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

function whyByHand(terms: ReplyTerms, mention: MentionRow, channel: ReplyChannel | undefined): string | null {
  if (!channel) return 'Renown cannot send replies there.'
  if (terms === 'unknown') {
    return 'The source that found the mention is not installed. Read its terms before you answer.'
  }
  return channel.refusal?.(answeredPost(mention)) ?? null
}

/** Returns the channel through which replies to a mention are sent, if a loaded plugin provides one. */
export const channelOf = (
  ctx: Pick<SystemReads, 'extensions'>,
  { source }: Pick<MentionRow, 'source'>,
): ReplyChannel | undefined => ctx.extensions(leadsReply).find(({ channel }) => channel === source)

/** Returns a mention as a reply channel sees it. */
export const answeredPost = ({ source, source_id, url, found_by }: MentionRow): AnsweredPost => ({
  channel: source,
  source_id,
  url,
  ...(found_by === undefined ? {} : { found_by }),
})

/** Returns how a mention can be answered, as plain data for a page. */
export async function replyChoice(ctx: SystemReads, mention: MentionRow, location: ReplyLocation) {
  const way = await replyWay(ctx, mention, location)
  const rule = channelRule(mention.source) ?? null
  const common = { rule, demands_disclosure: demandsDisclosure(mention.source) }
  if (way.way === 'none') return { ...common, way: way.way, why: way.why }
  if (way.way === 'open') return { ...common, way: way.way, url: way.url, why: way.why, fix: way.fix }
  const { label, textMax, countedIn } = way.channel
  return {
    ...common,
    way: way.way,
    label,
    account: way.account.name,
    text_max: textMax,
    counted_in: countedIn,
  }
}
