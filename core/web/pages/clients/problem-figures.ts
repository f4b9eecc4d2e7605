import type { ClientFigures, ClientReads, ClientSource } from '../../../contracts/clients'
import type { AnyEntity } from '../../../contracts/entity'
import { type Where, where } from '../../../contracts/where'
import { Job } from '../../../jobs/Job'
import { Connection } from '../../../outbound/Connection'
import { Notification } from '../../../tenancy/news/Notification'

/** Returns the number of matching rows per workspace. */
async function countsOf(reads: ClientReads, entity: AnyEntity, fit: Where): Promise<Map<string, number>> {
  const groups = await reads
    .rows(entity)
    .group({ where: fit, by: ['workspace_id'], measures: [{ as: 'n', fn: 'count' }] })
  return new Map(groups.map(({ workspace_id, n }) => [String(workspace_id), Number(n)]))
}

/** Problems of each workspace, as its inbox lists them before entries are marked as done. */
export const problemFigures: ClientSource = {
  name: 'problems',
  order: 0,
  columns: [
    {
      name: 'problems',
      title: 'Problems',
      worst: 'high',
      href: '/app/inbox',
      definition:
        'Accounts that stopped working, jobs that failed permanently, and unread critical notifications.',
    },
  ],
  async load(reads) {
    const parts = await Promise.all([
      countsOf(reads, Connection, where.ne('state', 'connected')),
      countsOf(reads, Job, where.eq('state', 'failed')),
      countsOf(reads, Notification, where.and(where.eq('is_read', false), where.eq('severity', 'critical'))),
    ])
    return new Map(
      reads.workspaces.map(({ id }): [string, ClientFigures] => {
        const value = parts.reduce((sum, part) => sum + (part.get(id) ?? 0), 0)
        return [id, { cells: { problems: { value, text: value === 0 ? 'None' : String(value) } } }]
      }),
    )
  },
}
