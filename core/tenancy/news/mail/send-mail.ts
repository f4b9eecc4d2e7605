import * as v from 'valibot'
import type { Row } from '../../../contracts/entity'
import type { QueueDeclaration } from '../../../contracts/queue'
import { isServiceFault, ServiceFault } from '../../../contracts/service-fault'
import { field, moveState, type OwnerContext, publicOrigin } from '../../../kit'
import { User } from '../../User'
import { Workspace } from '../../Workspace'
import { Notification } from '../Notification'
import { MailChoice } from './MailChoice'
import { deliveryState, MailDelivery } from './MailDelivery'
import { unread } from './mailNotices'
import { mayMail } from './may-mail'
import { writeMail } from './write-mail'

const payload = v.strictObject({ delivery_id: field.text('The message') })
const shownMax = 20

type Delivery = Row<typeof MailDelivery>

/** Sends one message. Checks everything again right before, because a person may have stopped the mail in the meantime. */
export const sendMail: QueueDeclaration<typeof payload> = {
  summary: 'Send a mail about notifications',
  payload,
  atOnce: 2,
  attemptsMax: 12,
  async run(ctx, { delivery_id }, task) {
    const delivery = await ctx.rows(MailDelivery).get(delivery_id)
    if (delivery?.state !== 'queued') return
    const [person, workspace, choice] = await Promise.all([
      ctx.rows(User).get(delivery.user_id),
      ctx.rows(Workspace).get(delivery.workspace_id),
      ctx.rows(MailChoice).get(delivery.choice_id),
    ])
    if (!mayMail(person, workspace) || !workspace || !choice || choice.frequency === 'off')
      return end(ctx, delivery, 'cancelled', 'The person no longer gets mail about this workspace.')
    const wanted = unread(delivery.workspace_id, delivery.from_instant, delivery.until_instant)
    const [news, count] = await Promise.all([
      ctx.rows(Notification).list({
        where: wanted,
        sort: [{ field: 'created_date', direction: 'desc' }],
        limit: shownMax,
      }),
      ctx.rows(Notification).count(wanted),
    ])
    if (count === 0)
      return end(ctx, delivery, 'cancelled', 'All of its notifications were read in the meantime.')
    const written = writeMail({ origin: publicOrigin(ctx, workspace), workspace, choice, news, count })
    await task.hold()
    try {
      await ctx.outbound.mail.send({
        ...written,
        to: person.email,
        messageId: messageId(ctx, delivery),
      })
    } catch (error) {
      throw mayPass(error)
    }
    await end(ctx, delivery, 'sent')
  },
  async onDeadLetter(ctx, { delivery_id }, error) {
    const delivery = await ctx.rows(MailDelivery).get(delivery_id)
    if (delivery?.state === 'queued') await end(ctx, delivery, 'failed', error.message)
  },
}

/** Lets a message wait after wrong credentials, as if the server were down, because a person can correct them. */
function mayPass(error: unknown): unknown {
  const isFixable = isServiceFault(error) && (error.kind === 'auth' || error.kind === 'unsupported')
  return isFixable ? new ServiceFault('transient', error.message, { code: error.code }) : error
}

async function end(
  ctx: OwnerContext,
  delivery: Delivery,
  to: 'sent' | 'failed' | 'cancelled',
  error?: string,
) {
  const moved = moveState(deliveryState, delivery.state, to, {
    now: ctx.now(),
    with: error === undefined ? {} : { error },
  })
  await ctx.rows(MailDelivery).update(delivery.id, moved)
}

/** The same for each attempt, so that a message which was accepted but not confirmed is shown once. */
const messageId = ({ apiUrl }: OwnerContext, { id }: Delivery) => `${id}@${new URL(apiUrl).hostname}`
