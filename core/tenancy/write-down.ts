import { auditOf } from '../auth/audit'
import type { AuditAction } from '../auth/audit-actions'
import type { OwnerContext } from '../index'

/** Writes down for the owner what was done to a location or to what an agency pays for, and by whom where that is known. */
export const writeDown = (
  ctx: OwnerContext,
  agency_id: string,
  action: Extract<AuditAction, `location.${string}`>,
  subject: string,
): Promise<void> => auditOf(ctx).record({ ...(ctx.by ?? { host: ctx.apiUrl }), agency_id, action, subject })
