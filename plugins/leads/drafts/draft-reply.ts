import { Refusal, type Row, type RowChanges, refusedField, where } from 'renown'
import { type DraftChannel, type DraftRows, type DraftWish, defineDraft } from 'renown/sending'
import type { Model } from 'renown/sources'
import type { BusinessLocation } from '../records/foreign'
import type { Mention } from '../records/Mention'
import type { ReplyTerms } from '../sources/mention-policy'
import type { ReplyChannel } from '../sources/reply-channel'
import { draftChannel, lengthWarning } from './channel-rules'
import { disclosures } from './reply-texts'
import { type ReplyWish, type WrittenReply, writeReply } from './write-reply'

type MentionRow = Row<typeof Mention>

/** What drafting a reply reads and writes, limited to one workspace. */
export interface ReplyDesk {
  readonly model: Model
  now(): Date
  /** Returns whether the terms of the mention's source allow replies. */
  terms(mention: MentionRow): ReplyTerms | Promise<ReplyTerms>
  readonly mentions: DraftRows<MentionRow, RowChanges<typeof Mention>>
  /** Returns the plugin that sends replies on the channel of a mention, if one is loaded. */
  sender(mention: MentionRow): Pick<ReplyChannel, 'label' | 'textMax' | 'countedIn'> | undefined
  location(id: string): Promise<Row<typeof BusinessLocation> | null>
}

/** The wanted draft: generated, the caller's own text, or the one that the last draft replaced. */
export interface MentionDraftWish extends DraftWish, ReplyWish {
  readonly mention_id: string
}

/** A saved draft, with the mention and the business as they were read. */
export interface SavedDraft {
  readonly draft: Draft
  readonly mention: MentionRow
  readonly business: Parameters<typeof writeReply>[2]
  /** What the channel of the mention accepts. */
  readonly channel: DraftChannel
  readonly saved_at: string
}

type Draft = Pick<WrittenReply, 'text' | 'language' | 'generator'> & { readonly tone: string | null }

/** Drafts a reply and stores it with the mention. Throws if somebody saved another draft since the caller read it. */
export async function draftReply(desk: ReplyDesk, wish: MentionDraftWish): Promise<SavedDraft> {
  const mention = await desk.mentions.get(wish.mention_id)
  if (!mention) throw new Refusal('not_found', 'There is no such mention in this workspace.')
  if (mention.removal_rule !== undefined) {
    throw new Refusal('conflict', 'The text of this mention was removed, so it cannot be answered.')
  }
  if ((await desk.terms(mention)) === 'never') {
    throw new Refusal('conflict', 'The terms of the source do not allow replies, so Renown writes no draft.')
  }
  const own = ownReply(mention, wish)
  const business = (await desk.location(mention.location_id)) ?? { business_name: '' }
  const channel = draftChannel(mention.source, disclosures(business.business_name), desk.sender(mention))
  // A channel cannot take a text that is too long. All else is a warning for the caller's own words.
  const tooLong = wish.text === undefined ? null : lengthWarning(wish.text, channel)
  if (tooLong !== null) throw refusedField('text', tooLong)
  const draft = own ?? (await writeReply(desk.model, mention, business, wish, channel))
  const saved_at = desk.now().toISOString()
  await save(desk, mention, draft, saved_at)
  return { draft, mention, business, channel, saved_at }
}

const mentionDraft = defineDraft({
  name: 'suggested_reply',
  textOf: (mention: MentionRow) => mention.suggested_reply,
  versionOf: (mention) => mention.suggested_reply_at,
  replacedOf: (mention) => mention.previous_reply,
})

/** Returns the text of the caller, or the draft that is taken back. Returns null if a draft must be generated. */
function ownReply(mention: MentionRow, wish: MentionDraftWish): Draft | null {
  const own = mentionDraft.own(mention, wish)
  return own && { ...own, tone: own.restored?.tone ?? null, language: 'und' }
}

/** Saves a draft and keeps the one that it replaces. Throws if somebody saved another at the same time. */
async function save(desk: ReplyDesk, mention: MentionRow, draft: Draft, at: string): Promise<void> {
  const { suggested_reply, suggested_reply_tone, suggested_reply_at, suggested_reply_by } = mention
  const isAsRead = where.eq('suggested_reply_at', suggested_reply_at ?? null)
  await mentionDraft.replace(
    desk.mentions,
    mention.id,
    {
      suggested_reply: draft.text,
      suggested_reply_tone: draft.tone ?? undefined,
      suggested_reply_at: at,
      suggested_reply_by: draft.generator,
      ...(suggested_reply === undefined
        ? {}
        : {
            previous_reply: {
              text: suggested_reply,
              ...(suggested_reply_tone === undefined ? {} : { tone: suggested_reply_tone }),
              ...(suggested_reply_by === undefined ? {} : { by: suggested_reply_by }),
              ...(suggested_reply_at === undefined ? {} : { at: suggested_reply_at }),
            },
          }),
    },
    isAsRead,
  )
}
