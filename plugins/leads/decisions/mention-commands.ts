import {
  type ActRecord,
  type ActResult,
  defineAct,
  field,
  moveState,
  type OwnerContext,
  Refusal,
  type Row,
  where,
} from 'renown'
import { settlePost, withPost } from '../finding/same-post'
import { Mention } from '../records/Mention'
import { mentionStatus } from '../records/mentionStatus'

type MentionRow = Row<typeof Mention>
type Status = MentionRow['status']

const onMention: ActRecord<typeof Mention> = { entity: Mention, field: 'mention_id', called: 'mention' }
/** The status that the person saw. */
const seen = { seen: Mention.fields.status }

/**
 * Moves a mention to another status, and marks it as read. `seen` is the status that the person saw. Throws a
 * `conflict` Refusal if the mention has another one, or if somebody moves it at the same time.
 */
export async function moveMention(
  ctx: Pick<OwnerContext, 'rows' | 'now' | 'withLock'>,
  mention: MentionRow,
  to: Status,
  seen: Status = mention.status,
): Promise<MentionRow> {
  if (mention.status !== seen) throw changedMeanwhile()
  const moved = moveState(mentionStatus, seen, to, { now: ctx.now() })
  const unmoved = where.and(where.eq('id', mention.id), where.eq('status', seen))
  return withPost(ctx, mention, async () => {
    const row = await ctx.rows(Mention).updateWhere(unmoved, { ...moved, is_read: true })
    if (!row) throw changedMeanwhile()
    // The decision is about the post, also where another tracker found it too.
    await settlePost(ctx, mention)
    return row
  })
}

const changedMeanwhile = () =>
  new Refusal('conflict', 'Somebody else changed the mention since you opened it. Check it again.')

const moved = async (
  ctx: OwnerContext,
  mention: MentionRow,
  to: Status,
  shown: Status | undefined,
): Promise<ActResult> => {
  const { status } = await moveMention(ctx, mention, to, shown)
  return { answer: { mention_id: mention.id, status } }
}

/** Saves a mention. */
export const saveMention = defineAct({
  name: 'mention save',
  summary: 'Save a mention: it is about the business',
  on: onMention,
  seen,
  label: 'Save mention',
  done: { saved: 'Mention saved.' },
  undo: 'mention restore',
  run: (ctx, { row, seen: shown }) => moved(ctx, row, 'saved', shown?.seen),
})

/** Dismisses a mention. */
export const dismissMention = defineAct({
  name: 'mention dismiss',
  summary: 'Dismiss a mention: it is not about the business. Its words teach the tracker',
  on: onMention,
  seen,
  label: 'Dismiss mention',
  done: { dismissed: 'Mention dismissed.' },
  undo: 'mention restore',
  run: (ctx, { row, seen: shown }) => moved(ctx, row, 'dismissed', shown?.seen),
})

/** Takes back what a person decided about a mention. */
export const restoreMention = defineAct({
  name: 'mention restore',
  summary: 'Make a mention new again: it is neither saved nor dismissed, and teaches nothing',
  on: onMention,
  seen,
  label: 'Undo',
  done: { restored: 'The mention is new again.' },
  run: (ctx, { row, seen: shown }) => moved(ctx, row, 'new', shown?.seen),
})

/** Marks a mention as read or unread. */
export const markMention = defineAct({
  name: 'mention mark',
  summary: 'Mark a mention as read or unread',
  on: onMention,
  fields: { state: field.oneOf(['read', 'unread'], 'What the mention becomes') },
  positional: ['state'],
  label: 'Mark as read',
  done: { read: 'Marked as read.', unread: 'Marked as unread.' },
  async run(ctx, { row, input: { state } }) {
    const is_read = state === 'read'
    await ctx.rows(Mention).update(row.id, { is_read })
    return { answer: { mention_id: row.id, is_read }, said: state }
  },
})

/** What people decide about mentions, by the name of its form. */
export const mentionActs = {
  save: saveMention,
  dismiss: dismissMention,
  restore: restoreMention,
  mark: markMention,
}
