import { type Model, Refusal, type Row } from 'renown'
import type { tones } from '../records/AutoResponseRules'
import type { Review } from '../records/Review'
import { draftReply, type ReplyDraft } from './draftReply'
import type { ReplyingBusiness } from './reply-parties'

/** The generator name of a draft that the caller sent. */
export const callerGenerator = 'caller'

/** Longest draft of a caller. Platforms accept at most so many characters. */
export const draftMax = 4_096

/** The wanted draft: generated, the caller's own text, or the one that the last draft replaced. */
export interface ReplyWish {
  readonly tone: (typeof tones)[number]
  readonly text?: string | undefined
  readonly if_unchanged?: string | undefined
  readonly take_back: boolean
}

/** Returns the wanted draft. Throws a Refusal if the present draft is not the one that the caller expects. */
export async function wishedReply(
  model: Model,
  review: Row<typeof Review>,
  business: ReplyingBusiness,
  { tone, text, if_unchanged, take_back }: ReplyWish,
): Promise<ReplyDraft> {
  const present = review.ai_suggested_response
  if (if_unchanged !== undefined && if_unchanged !== (present ?? '')) throw changedDraft(present)
  if (text !== undefined && take_back) {
    const message = 'Send either text or take_back.'
    throw new Refusal('invalid_field', message, {
      errors: [{ pointer: '/take_back', code: 'invalid', message }],
    })
  }
  if (text !== undefined) return { text, generator: callerGenerator, tone: null }
  if (!take_back) return draftReply(model, review, business, tone)
  const before = review.previous_draft
  if (before) return { text: before, generator: callerGenerator, tone: null }
  throw new Refusal('conflict', 'No draft was replaced, so there is none to take back.')
}

/** The refusal with the present draft, so that the caller can read it. */
export const changedDraft = (present: string | undefined): Refusal =>
  new Refusal('conflict', 'The draft is not the one that you expected to replace. Read it first.', {
    extra: { suggested_response: present ?? '' },
  })
