import type { RecordChange } from '../../contracts/page'
import type { OwnerContext } from '../../contracts/plugin'
import { where } from '../../contracts/where'
import { auditOf, commandLine } from '../../tenancy/audit/audit'
import { actionWords } from '../../tenancy/audit/audit-actions'
import { User } from '../../tenancy/User'

/** Returns the last changes of a record from the audit log of its agency, newest first, with the names of people. */
export async function recordHistory(
  owner: OwnerContext,
  agencyId: string,
  record_id: string,
  limit: number,
): Promise<readonly RecordChange[]> {
  const { entries } = await auditOf(owner).list(agencyId, { record_id, limit })
  const ids = [...new Set(entries.flatMap(({ user_id }) => user_id ?? []))]
  // A person of another agency can change a demo.
  const known = { where: where.in('id', ids), limit: ids.length }
  const people = ids.length === 0 ? [] : await owner.rows(User).list(known)
  const names = new Map(people.map(({ id, name, email }) => [id, name ?? email ?? 'Somebody']))
  return entries.map(({ created_date: at, action, what, user_id, host }) => {
    const place = host === commandLine ? 'Command line' : 'Renown'
    return {
      at,
      what: actionWords({ action, what }),
      by: user_id ? (names.get(user_id) ?? 'Somebody') : place,
    }
  })
}
