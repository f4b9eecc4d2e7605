import type { PluginAuditEvent } from '../contracts/plugin'
import type { OwnerContext } from '../kit'
import { auditOf } from './audit/audit'
import type { AuditAction } from './audit/audit-actions'
import { Workspace } from './Workspace'

/** Records an audit event about a location or an agency's capacity, with the person if known. */
export const recordAudit = (
  ctx: OwnerContext,
  agency_id: string,
  action: Extract<AuditAction, `${'location' | 'workspace'}.${string}`>,
  subject: string,
): Promise<void> => auditOf(ctx).record({ ...(ctx.by ?? { host: ctx.apiUrl }), agency_id, action, subject })

/** Records an audit event for a plugin, in the plugin's own words. Never throws, because the action is already done. */
export async function recordPluginAudit(
  ctx: OwnerContext,
  { workspace_id, agency_id, by, ...written }: PluginAuditEvent,
): Promise<void> {
  try {
    const agencyId = agency_id ?? (await ctx.rows(Workspace).get(workspace_id ?? ''))?.agency_id
    if (agencyId === undefined) return
    await auditOf(ctx).record({ ...(by ?? { host: ctx.apiUrl }), agency_id: agencyId, ...written })
  } catch (error) {
    ctx.log.error('an audit event could not be recorded', { action: written.action, error: String(error) })
  }
}
