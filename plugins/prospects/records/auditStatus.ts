import { moveState, type OwnerContext, type Row, where } from 'renown'
import { auditStatus, ProspectAudit } from './ProspectAudit'

/** A stored audit. */
export type Audit = Row<typeof ProspectAudit>

/** Whether the audit has ended. */
export const isEnded = ({ status }: Pick<Audit, 'status'>): boolean => auditStatus.moves[status].length === 0

/**
 * Changes the state of an audit if it is unchanged since it was read. Null if somebody else changed or
 * replaced it.
 */
export function moveAudit(
  ctx: OwnerContext,
  { id, status }: Audit,
  to: Audit['status'],
  given: Partial<Pick<Audit, 'findings' | 'score' | 'error'>> = {},
): Promise<Audit | null> {
  const changes = moveState(auditStatus, status, to, { now: ctx.now(), with: given })
  const unmoved = where.and(where.eq('id', id), where.eq('status', status))
  return ctx.rows(ProspectAudit).updateWhere(unmoved, changes)
}
