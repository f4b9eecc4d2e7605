import {
  defineCommand,
  field,
  moveState,
  type OwnerContext,
  Refusal,
  type Row,
  requireRow,
  where,
} from 'renown'
import * as v from 'valibot'
import { settlePost, withPost } from '../finding/same-post'
import { Mention } from '../records/Mention'
import { mentionStatus } from '../records/mentionStatus'

type MentionRow = Row<typeof Mention>
type Status = MentionRow['status']

const input = v.strictObject({ mention_id: field.text('Id of the mention') })
const positional = ['mention_id'] as const

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

const moving = (name: string, to: Status, summary: string) =>
  defineCommand({
    name: `mention ${name}`,
    summary,
    input,
    positional,
    async run(ctx, { mention_id }) {
      const mention = await requireRow(ctx.rows(Mention), 'mention', mention_id)
      const { status } = await moveMention(ctx, mention, to)
      return { mention_id, status }
    },
  })

/** Saves a mention. */
export const saveMention = moving('save', 'saved', 'Save a mention: it is about the business')
/** Dismisses a mention. */
export const dismissMention = moving(
  'dismiss',
  'dismissed',
  'Dismiss a mention: it is not about the business. Its words teach the tracker',
)
/** Takes back what a person decided about a mention. */
export const restoreMention = moving(
  'restore',
  'new',
  'Make a mention new again: it is neither saved nor dismissed, and teaches nothing',
)

/** Marks a mention as read or unread. */
export const markMention = defineCommand({
  name: 'mention mark',
  summary: 'Mark a mention as read or unread',
  input: v.strictObject({
    ...input.entries,
    state: field.oneOf(['read', 'unread'], 'What the mention becomes'),
  }),
  positional: [...positional, 'state'],
  async run(ctx, { mention_id, state }) {
    await requireRow(ctx.rows(Mention), 'mention', mention_id)
    await ctx.rows(Mention).update(mention_id, { is_read: state === 'read' })
    return { mention_id, is_read: state === 'read' }
  },
})
