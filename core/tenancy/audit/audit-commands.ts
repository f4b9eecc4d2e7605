import * as v from 'valibot'
import { auditKinds } from '../../contracts/audit-event'
import type { JobDeclaration } from '../../contracts/plugin'
import { dayMs, defineCommand, field, where } from '../../kit'
import { Agency } from '../Agency'
import { agencyInput, agencyOf } from '../named-agency'
import { User } from '../User'
import { AuditEntry } from './AuditEntry'
import { auditOf } from './audit'
import { actionWords } from './audit-actions'

/** Shows owners the audit log of an agency. */
export const auditList = defineCommand({
  name: 'audit list',
  summary:
    'Show changes to keys, connected apps, domains, people, workspaces, locations and sites, newest first',
  input: v.strictObject({
    agency_id: agencyInput,
    kind: v.optional(field.oneOf(auditKinds, 'Only changes of these kinds')),
    limit: v.optional(field.integer('How many entries. Default 50', { min: 1, max: 1_000 }), 50),
    skip: v.optional(field.integer('Number of newer entries to skip', { min: 0 }), 0),
  }),
  async run(ctx, { agency_id, ...query }) {
    const agencyId = await agencyOf(ctx, agency_id)
    const { entries } = await auditOf(ctx).list(agencyId, query)
    const people = await ctx.rows(User).list({ where: where.eq('agency_id', agencyId), limit: 1_000 })
    const names = new Map(people.map(({ id, email, name }) => [id, email ?? name ?? id]))
    return {
      entries: entries.map(({ created_date: at, action, what, outcome, host, user_id, subject }) => ({
        at,
        action,
        what: actionWords({ action, what }),
        outcome,
        host,
        ...(user_id === undefined ? {} : { who: names.get(user_id) ?? user_id }),
        ...(subject === undefined ? {} : { subject }),
      })),
    }
  },
})

/** Deletes old audit events. */
export const auditSweep: JobDeclaration = {
  summary: 'Remove audit entries older than AUDIT_KEPT_DAYS',
  everyMs: dayMs,
  includesInactive: true,
  async run(ctx, signal) {
    const before = new Date(ctx.now().getTime() - ctx.settings.AUDIT_KEPT_DAYS * dayMs).toISOString()
    // Runs per agency, because the index of the entries starts with the agency.
    for (const { id } of await ctx.rows(Agency).list({ limit: 100_000 })) {
      if (signal.aborted) return
      const old = where.and(where.eq('workspace_id', id), where.lt('created_date', before))
      await ctx.rows(AuditEntry).removeWhere(old)
    }
  },
}
