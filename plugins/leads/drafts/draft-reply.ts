import { type Model, Refusal, type Row, type RowChanges, type Where, where } from 'renown'
import type { BusinessLocation } from '../records/foreign'
import type { Mention } from '../records/Mention'
import type { ReplyTerms } from '../sources/mention-policy'
import type { ReplyLength } from './reply-texts'
import { type ReplyTone, type WrittenReply, writeReply } from './write-reply'

type MentionRow = Row<typeof Mention>

/** The generator name of a draft that the caller sent. */
export const callerGenerator = 'caller'

/** What drafting a reply reads and writes, limited to one workspace. */
export interface ReplyDesk {
  readonly model: Model
  now(): Date
  /** Returns whether the terms of the mention's source allow replies. */
  terms(mention: MentionRow): ReplyTerms | Promise<ReplyTerms>
  mention(id: string): Promise<MentionRow | null>
  location(id: string): Promise<Row<typeof BusinessLocation> | null>
  /** Changes a mention if it matches the condition. Returns null otherwise. */
  save(id: string, changes: RowChanges<typeof Mention>, onlyIf: Where): Promise<MentionRow | null>
}

/** The wanted draft: generated, the caller's own text, or the one that the last draft replaced. */
export interface DraftWish {
  readonly mention_id: string
  readonly tone: ReplyTone
  readonly length: ReplyLength
  readonly discloses: boolean
  readonly text?: string | undefined
  readonly if_unchanged?: string | undefined
  readonly take_back: boolean
}

/** A saved draft, with the mention and the business as they were read. */
export interface SavedDraft {
  readonly draft: Draft
  readonly mention: MentionRow
  readonly business: Parameters<typeof writeReply>[2]
  readonly saved_at: string
}

type Draft = Pick<WrittenReply, 'text' | 'language' | 'generator'> & { readonly tone: string | null }

/** Drafts a reply and stores it with the mention. Throws if somebody saved another draft since the caller read it. */
export async function draftReply(desk: ReplyDesk, wish: DraftWish): Promise<SavedDraft> {
  const mention = await desk.mention(wish.mention_id)
  if (!mention) throw new Refusal('not_found', 'There is no such mention in this workspace.')
  if (mention.removal_rule !== undefined) {
    throw new Refusal('conflict', 'The text of this mention was removed, so it cannot be answered.')
  }
  if ((await desk.terms(mention)) === 'never') {
    throw new Refusal('conflict', 'The terms of the source do not allow replies, so Renown writes no draft.')
  }
  requireUnchanged(mention, wish.if_unchanged)
  const business = (await desk.location(mention.location_id)) ?? { business_name: '' }
  const draft = await draftOf(desk, wish, mention, business)
  const saved_at = desk.now().toISOString()
  await save(desk, mention, draft, saved_at)
  return { draft, mention, business, saved_at }
}

async function draftOf(
  { model }: ReplyDesk,
  { text, tone, length, discloses, take_back }: DraftWish,
  mention: MentionRow,
  business: Parameters<typeof writeReply>[2],
): Promise<Draft> {
  if (text !== undefined && take_back) {
    const message = 'Send either text or take_back.'
    throw new Refusal('invalid_field', message, {
      errors: [{ pointer: '/take_back', code: 'invalid', message }],
    })
  }
  if (text !== undefined) return { text, tone: null, language: 'und', generator: callerGenerator }
  if (!take_back) return writeReply(model, mention, business, { tone, length, discloses })
  const before = mention.previous_reply
  if (!before) throw new Refusal('conflict', 'No draft was replaced, so there is none to take back.')
  return {
    ...{ text: before.text, tone: before.tone ?? null, language: 'und' },
    generator: before.by ?? callerGenerator,
  }
}

/** Throws a `conflict` Refusal with the present draft if it is not the one that the caller expects. */
function requireUnchanged(
  { suggested_reply, suggested_reply_at }: MentionRow,
  expected: string | undefined,
): void {
  if (expected === undefined) return
  const isSame =
    expected === '' ? suggested_reply === undefined : [suggested_reply, suggested_reply_at].includes(expected)
  if (isSame) return
  throw changed(suggested_reply)
}

const changed = (suggested_reply: string | undefined) =>
  new Refusal('conflict', 'The draft is not the one that you expected to replace. Read it first.', {
    extra: { suggested_reply: suggested_reply ?? '' },
  })

/** Saves a draft and keeps the one that it replaces. Throws if somebody saved another at the same time. */
async function save(desk: ReplyDesk, mention: MentionRow, draft: Draft, at: string): Promise<void> {
  const { suggested_reply, suggested_reply_tone, suggested_reply_at, suggested_reply_by } = mention
  const isAsRead = where.eq('suggested_reply_at', suggested_reply_at ?? null)
  const saved = await desk.save(
    mention.id,
    {
      ...{ suggested_reply: draft.text, suggested_reply_tone: draft.tone ?? undefined },
      ...{ suggested_reply_at: at, suggested_reply_by: draft.generator },
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
  if (!saved) throw changed((await desk.mention(mention.id))?.suggested_reply)
}
