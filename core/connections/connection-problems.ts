import type { WorkspaceProblemSource } from '../contracts/workspace-problems'
import { where } from '../kit'
import { Connection } from '../outbound/Connection'

/** Accounts with outside services that stopped working. */
export const connectionProblems: WorkspaceProblemSource = {
  name: 'connections',
  order: 10,
  async read(ctx, limit) {
    const rows = await ctx.rows(Connection).list({ where: where.ne('state', 'connected'), limit })
    return rows.map(({ provider, account_name, account_id, state, error, updated_date }) => ({
      kind: state === 'broken' ? 'connection_broken' : 'connection_unavailable',
      severity: 'critical',
      about: `${provider}: ${account_name ?? account_id}`,
      since: updated_date,
      ...(error === undefined ? {} : { why: error }),
      todo: 'A person connects the account again in /app/settings/connections.',
    }))
  },
}
