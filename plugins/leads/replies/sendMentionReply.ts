import { type JobDeclaration, type QueueDeclaration, where } from 'renown'
import { afterDeadLetter, runStep } from 'renown/sending'
import * as v from 'valibot'
import { MentionReply } from '../records/MentionReply'
import { replyAct } from './replyAct'
import { moveReply } from './settle-reply'

const payload = v.strictObject({ reply_id: v.string() })

/** Runs the next step of a person's reply: sends it once, or finds out whether it was sent. */
export const sendMentionReply: QueueDeclaration<typeof payload> = {
  summary: 'Sends the reply of a person to a mention, once',
  payload,
  atOnce: 4,
  async run(ctx, { reply_id }, task) {
    const reply = await ctx.rows(MentionReply).get(reply_id)
    if (!reply || !(Date.parse(reply.due_at ?? '') <= ctx.now().getTime())) return
    if (reply.state === 'sending') return runStep(replyAct(ctx, reply), task)
    if (reply.state !== 'queued') return
    const claimed = await moveReply(ctx, reply, 'sending')
    if (claimed) await runStep(replyAct(ctx, claimed), task)
  },
  async onDeadLetter(ctx, { reply_id }, { message }) {
    const reply = await ctx.rows(MentionReply).get(reply_id)
    if (reply?.state === 'sending') await afterDeadLetter(replyAct(ctx, reply), message)
  },
}

/** Maximum steps of one workspace that a run queues. */
const perWorkspaceMax = 50

/** Queues the replies whose next step is due. */
export const dueMentionReplies: JobDeclaration = {
  summary: 'Queues the replies to mentions that are due',
  everyMs: 10_000,
  async run(ctx, signal) {
    const due = where.lte('due_at', ctx.now().toISOString())
    const counts = new Map<string, number>()
    for await (const { id, workspace_id } of ctx.rows(MentionReply).each({ where: due, signal })) {
      const count = counts.get(workspace_id) ?? 0
      if (count >= perWorkspaceMax) continue
      counts.set(workspace_id, count + 1)
      await ctx.enqueue('send-mention-reply', { workspace_id, key: id, payload: { reply_id: id } })
    }
  },
}
