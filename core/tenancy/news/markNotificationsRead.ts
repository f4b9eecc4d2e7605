import * as v from 'valibot'
import { defineOperation, field, where } from '../../kit'
import { Notification } from './Notification'

/** Sets `read_at` where it is null, and `is_read` with it. */
export const markNotificationsRead = defineOperation({
  name: 'markNotificationsRead',
  summary: 'Mark notifications as read. Those that are already read keep their time',
  class: 'mark',
  crossAgency: 'own',
  input: v.strictObject({
    notification_ids: field.batch('Notification', 200, 'Ids, 1 to 200'),
  }),
  output: v.object({
    updated: field.integer('Number of notifications that were marked now', { min: 0 }),
    already_read: field.integer('Number of notifications that were already read', { min: 0 }),
    not_found: field.texts('Ids that no notification has'),
    read_at: field.instant('The time that was set'),
  }),
  async run(ctx, { notification_ids }) {
    const ids = [...new Set(notification_ids)]
    const rows = ctx.rows(Notification)
    const read_at = ctx.now().toISOString()
    const known = await rows.list({ where: where.in('id', ids), limit: ids.length })
    const here = new Set(known.map(({ id }) => id))
    const stamped = await rows.stamp([...here], 'read_at', 'is_read')
    return {
      updated: stamped.length,
      already_read: here.size - stamped.length,
      not_found: ids.filter((id) => !here.has(id)),
      read_at,
    }
  },
})
