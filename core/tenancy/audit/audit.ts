import type { AuditedAction, AuditKind } from '../../contracts/audit-event'
import type { Row } from '../../contracts/entity'
import { oneLine } from '../../contracts/one-line'
import type { Log, OwnerContext, OwnerRows } from '../../contracts/plugin'
import { where } from '../../contracts/where'
import { AuditEntry } from './AuditEntry'
import { type AuditAction, kindOf } from './audit-actions'

/** An audit event to record. Names that other people chose may be only in `subject`. No secrets or IP addresses. */
export interface AuditEvent {
  readonly agency_id: string
  readonly action: AuditAction | AuditedAction
  /** The text of the event, if the product has none for it. */
  readonly what?: string | undefined
  /** The origin where it was done. */
  readonly host: string
  readonly outcome?: 'done' | 'refused' | undefined
  readonly user_id?: string | undefined
  readonly credential?: string | undefined
  readonly subject?: string | undefined
  readonly record_id?: string | undefined
}

export type AuditRow = Row<typeof AuditEntry>

export interface AuditPage {
  readonly entries: readonly AuditRow[]
  readonly has_more: boolean
}

/** The audit log. Events cannot be changed. Old ones are deleted. */
export interface Audit {
  /**
   * Records an event that has already happened. So a store that is unavailable is logged and does not make it
   * fail.
   */
  record(event: AuditEvent): Promise<void>
  /** Returns an agency's entries, newest first. */
  list(
    agencyId: string,
    query: {
      readonly kind?: AuditKind | undefined
      readonly record_id?: string | undefined
      readonly limit: number
      readonly skip?: number
    },
  ): Promise<AuditPage>
}

/** The host of audit events from the command line. */
export const commandLine = 'command line'

const subjectMax = 200

export function createAudit(rows: OwnerRows<typeof AuditEntry>, log: Log): Audit {
  return {
    async record({ agency_id, action, what, host, outcome = 'done', ...about }) {
      const { user_id, credential, subject, record_id } = about
      const entry = {
        agency_id,
        workspace_id: agency_id,
        kind: kindOf(action),
        action,
        host,
        outcome,
        ...(what === undefined ? {} : { what: oneLine(what, subjectMax) }),
        ...(user_id === undefined ? {} : { user_id }),
        ...(credential === undefined ? {} : { credential }),
        ...(subject === undefined ? {} : { subject: oneLine(subject, subjectMax) }),
        ...(record_id === undefined ? {} : { record_id }),
      }
      try {
        await rows.insert(entry)
      } catch (error) {
        log.error('an audit event could not be recorded', { action, error: String(error) })
      }
    },
    async list(agencyId, { kind, record_id, limit, skip = 0 }) {
      const found = await rows.list({
        where: where.and(
          where.eq('workspace_id', agencyId),
          ...(kind === undefined ? [] : [where.eq('kind', kind)]),
          ...(record_id === undefined ? [] : [where.eq('record_id', record_id)]),
        ),
        sort: [{ field: 'created_date', direction: 'desc' }],
        limit: limit + 1,
        skip,
      })
      return { entries: found.slice(0, limit), has_more: found.length > limit }
    },
  }
}

/** Returns the audit log for commands and jobs. */
export const auditOf = (ctx: OwnerContext): Audit => createAudit(ctx.rows(AuditEntry), ctx.log)
