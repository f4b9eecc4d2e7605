import type { Row } from 'renown'
import type { PageContext } from 'renown/pages'
import { webAddress } from 'renown/sources'
import { disclosures } from '../drafts/reply-texts'
import type { Mention } from '../records/Mention'
import { isUndecidedReply, type ReplyRow } from '../records/MentionReply'
import { replyChoice } from '../replies/replyWay'
import { replyOf } from '../replies/requestReply'
import { cleanText } from '../sources/plain-text'
import type { ReplyLocation } from '../sources/reply-channel'

/** A reply that a person sent through Renown. */
export interface ShownSentReply {
  readonly state: ReplyRow['state']
  readonly is_unknown: boolean
  /** State of the reply in the words of its platform, while it holds the reply back. */
  readonly held_as: string | null
  /** Where the platform shows the same reply again. */
  readonly duplicate_urls: readonly string[]
  readonly account: string
  readonly text: string
  readonly url: string | null
  readonly requested_at: string
  readonly error: string
}

/** How a mention can be answered, and how far a reply is. */
export interface ShownSending {
  readonly choice: Awaited<ReturnType<typeof replyChoice>>
  /** The sentence that says who writes, if the channel demands one. */
  readonly disclosure: string | null
  readonly attempt: ShownSentReply | null
}

/** Loads how a mention can be answered, and the reply that a person sent through Renown. */
export async function loadReply(
  ctx: PageContext,
  mention: Row<typeof Mention>,
  location: ReplyLocation | null,
): Promise<ShownSending> {
  if (!location) {
    const why = 'The location was deleted.'
    return {
      choice: { way: 'none', rule: null, demands_disclosure: false, why },
      disclosure: null,
      attempt: null,
    }
  }
  const [choice, reply] = await Promise.all([
    replyChoice(ctx.system, mention, location),
    replyOf(ctx, mention),
  ])
  const [sentence = ''] = disclosures(location.business_name)
  return {
    choice,
    disclosure: choice.demands_disclosure ? sentence : null,
    attempt: reply && {
      state: reply.state,
      is_unknown: isUndecidedReply(reply),
      held_as: reply.platform_state === undefined ? null : cleanText(reply.platform_state, 100),
      duplicate_urls: (reply.duplicate_urls ?? []).map((url) => cleanText(url, 500)),
      account: cleanText(reply.account_name ?? reply.account_id, 100),
      text: cleanText(reply.text),
      requested_at: reply.requested_at,
      url: (reply.external_url === undefined ? undefined : webAddress(reply.external_url)) ?? null,
      error: cleanText(reply.error_message ?? '', 500),
    },
  }
}
