import type { InboxEntry, InboxSource } from '../../../contracts/inbox'
import type { PageContext } from '../../../contracts/page'
import { where } from '../../../contracts/where'
import type { Phrase } from '../../../contracts/words'
import { jobsRetry } from '../../../jobs/commands'
import { Job } from '../../../jobs/Job'
import { Connection } from '../../../outbound/Connection'
import { Notification } from '../../../tenancy/news/Notification'
import { inboxWords } from './words'

const newest = (field: string) => [{ field, direction: 'desc' }] as const
const inside = ({ workspace }: PageContext) => where.eq('workspace_id', workspace.id)

/** Critical notifications that nobody has read. */
export const notificationEntries: InboxSource = {
  name: 'notifications',
  title: inboxWords('notifications'),
  order: 50,
  icon: 'bell',
  async list(ctx, limit) {
    const unread = where.and(where.eq('is_read', false), where.eq('severity', 'critical'))
    const rows = await ctx.rows(Notification).list({ where: unread, sort: newest('created_date'), limit })
    return rows.map(
      ({ id, title, body, created_date }): InboxEntry => ({
        id,
        state: 'unread',
        title: title.trim() === '' ? inboxWords('notification') : english(title),
        text: english(body),
        word: inboxWords('critical'),
        tone: 'bad',
        at: created_date,
        link: { href: '/app/notifications?severity=critical', label: inboxWords('openNotifications') },
      }),
    )
  },
}

/** Accounts with outside services that stopped working. */
export const connectionEntries: InboxSource = {
  name: 'connections',
  title: inboxWords('connections'),
  order: 30,
  icon: 'plug',
  only: 'owner',
  async list(ctx, limit) {
    const broken = where.and(inside(ctx), where.ne('state', 'connected'))
    const rows = await ctx.system
      .rows(Connection)
      .list({ where: broken, sort: newest('created_date'), limit })
    return rows
      .toSorted((a, b) => (a.updated_date < b.updated_date ? 1 : -1))
      .map(({ id, provider, account_name, account_id, state, error, updated_date }): InboxEntry => {
        const label = ctx.system.providers.get(provider)?.label ?? provider
        const isBroken = state === 'broken'
        return {
          id,
          state: `${state} ${updated_date}`,
          at: updated_date,
          about: label,
          title: inboxWords(isBroken ? 'reconnectAccount' : 'noAccess', {
            service: label,
            account: account_name ?? account_id,
          }),
          word: inboxWords(isBroken ? 'broken' : 'serviceUnavailable'),
          tone: 'bad',
          ...(error === undefined ? {} : { text: english(error) }),
          link: {
            href: '/app/settings/connections',
            label: inboxWords(isBroken ? 'reconnect' : 'openConnections'),
          },
        }
      })
  },
}

/** Jobs that failed permanently. */
export const jobEntries: InboxSource = {
  name: 'jobs',
  title: inboxWords('failedWork'),
  order: 40,
  icon: 'circle-x',
  only: 'owner',
  async list(ctx, limit) {
    const failed = where.and(inside(ctx), where.eq('state', 'failed'))
    const rows = await ctx.system.rows(Job).list({ where: failed, sort: newest('created_date'), limit })
    return rows.map(({ id, queue, error, finished_at, updated_date }): InboxEntry => {
      return {
        id,
        state: finished_at ?? 'failed',
        at: finished_at ?? updated_date,
        about: queue,
        title: inboxWords('workFailed', { queue }),
        word: inboxWords('failed'),
        tone: 'bad',
        text: [...(error ? [english(error.message.trim())] : []), inboxWords('retryWhenGone')],
      }
    })
  },
  action: {
    label: async () => inboxWords('retry'),
    run: async (ctx, { id }) => {
      await jobsRetry.run(ctx.owner, { job_id: id })
    },
  },
}

/** A text that the product stored in English. */
const english = (text: string): Phrase => ({ text, lang: 'en' })
