import type { Row } from '../../../contracts/entity'
import { isRefusal } from '../../../contracts/errors'
import { type JobDeclaration, minuteMs, type OwnerContext, where } from '../../../kit'
import { User } from '../../User'
import { Workspace } from '../../Workspace'
import { Notification } from '../Notification'
import { createDefaults } from './choices'
import { dueAt } from './due-at'
import { MailChoice } from './MailChoice'
import { MailDelivery } from './MailDelivery'
import { mayMail } from './may-mail'

type Choice = Row<typeof MailChoice>

/** Newer notifications wait, because one that is still being written could be missed. */
const settleMs = 10_000
const dueMax = 100_000

/** Queues the mail that is due. Without a mail server it queues nothing, and notifications wait. */
export const mailNotices: JobDeclaration = {
  summary: 'Queue the due emails about notifications',
  everyMs: minuteMs,
  async run(ctx, signal) {
    await createDefaults(ctx, signal)
    if (!ctx.outbound.mail.isConfigured) return
    const isDue = where.lte('due_at', ctx.now().toISOString())
    for (const choice of await ctx.rows(MailChoice).list({ where: isDue, limit: dueMax })) {
      if (signal.aborted) return
      await mailOne(ctx, choice)
    }
  },
}

/** Queues one mail. After a crash between the writes it runs again. The delivery is unique by its start instant. */
async function mailOne(ctx: OwnerContext, choice: Choice): Promise<void> {
  const now = ctx.now()
  const [person, workspace] = await Promise.all([
    ctx.rows(User).get(choice.user_id),
    ctx.rows(Workspace).get(choice.workspace_id),
  ])
  const until = new Date(now.getTime() - settleMs).toISOString()
  const due_at = dueAt(choice.frequency, workspace?.timezone ?? 'UTC', now)
  if (
    !mayMail(person, workspace) ||
    until <= choice.mailed_until ||
    (await newsIn(ctx, choice, until)) === 0
  ) {
    await ctx.rows(MailChoice).update(choice.id, { due_at })
    return
  }
  const delivery = await deliveryOf(ctx, choice, until)
  if (delivery.state === 'queued') {
    const { id, workspace_id } = delivery
    await ctx.enqueue('send-mail', { workspace_id, payload: { delivery_id: id }, key: id })
  }
  await ctx.rows(MailChoice).update(choice.id, { mailed_until: delivery.until_instant, due_at })
}

const newsIn = (ctx: OwnerContext, { workspace_id, mailed_until }: Choice, until: string): Promise<number> =>
  ctx.rows(Notification).count(unread(workspace_id, mailed_until, until))

/** The unread notifications of a workspace after one instant and up to another. */
export const unread = (workspaceId: string, from: string, until: string) =>
  where.and(
    where.eq('workspace_id', workspaceId),
    where.eq('is_read', false),
    where.gt('created_date', from),
    where.lte('created_date', until),
  )

async function deliveryOf(
  ctx: OwnerContext,
  { id, workspace_id, user_id, mailed_until }: Choice,
  until_instant: string,
): Promise<Row<typeof MailDelivery>> {
  const row = { workspace_id, user_id, choice_id: id, from_instant: mailed_until, until_instant }
  try {
    return await ctx.rows(MailDelivery).insert({ ...row, state: 'queued' })
  } catch (error) {
    const same = where.and(where.eq('choice_id', id), where.eq('from_instant', mailed_until))
    const [made] = isRefusal(error) ? await ctx.rows(MailDelivery).list({ where: same, limit: 1 }) : []
    if (made) return made
    throw error
  }
}
