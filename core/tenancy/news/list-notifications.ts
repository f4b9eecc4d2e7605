import * as v from 'valibot'
import { defineCommand, field, where } from '../../kit'
import { requireWorkspace } from '../agency-lists'
import { Notification } from './Notification'

/** Lists the notifications of a workspace or of all, newest first. */
export const listNotifications = defineCommand({
  name: 'notification list',
  summary: 'List notifications, newest first',
  input: v.strictObject({
    workspace_id: v.optional(field.text('Only those of the workspace with this id or name')),
    all: v.optional(field.flag('Also those that were read'), false),
    severity: v.optional(
      v.pipe(v.picklist(['info', 'warning', 'critical']), v.description('Only those of this severity')),
    ),
    limit: v.optional(field.integer('How many. Default 50', { min: 1, max: 1_000 }), 50),
  }),
  async run(ctx, { workspace_id, all, severity, limit }) {
    const workspace = workspace_id === undefined ? null : await requireWorkspace(ctx, workspace_id)
    const wanted = [
      ...(workspace ? [where.eq('workspace_id', workspace.id)] : []),
      ...(all ? [] : [where.eq('is_read', false)]),
      ...(severity === undefined ? [] : [where.eq('severity', severity)]),
    ]
    const found = await ctx.rows(Notification).list({
      where: where.and(...wanted),
      sort: [{ field: 'created_date', direction: 'desc' }],
      limit,
    })
    return {
      notifications: found.map(({ id, created_date, title, is_read, workspace_id: of, ...row }) => ({
        title,
        severity: row.severity,
        status: is_read ? 'read' : 'unread',
        created_date,
        workspace_id: of,
        notification_id: id,
      })),
    }
  },
})
