import { moveState, type OwnerContext, type Row, where } from 'renown'
import { Report } from './Report'
import { reportStatus } from './reportStatus'

/** A stored report. */
export type ReportRow = Row<typeof Report>

/** What is stored with a move. */
type Given = Partial<
  Pick<ReportRow, 'pdf_url' | 'pdf_standard' | 'error_message' | 'render_token' | 'render_token_until'>
>

/** Whether the report has ended. */
export const isEnded = ({ status }: Pick<ReportRow, 'status'>): boolean =>
  reportStatus.moves[status].length === 0

/** Changes the state of a report if it is unchanged since it was read. Null if somebody else changed it. */
export function moveReport(
  ctx: Pick<OwnerContext, 'rows' | 'now'>,
  { id, status }: Pick<ReportRow, 'id' | 'status'>,
  to: ReportRow['status'],
  given: Given = {},
): Promise<ReportRow | null> {
  const changes = moveState(reportStatus, status, to, { now: ctx.now(), with: given })
  const isOpen = reportStatus.moves[to].length > 0
  return ctx
    .rows(Report)
    .updateWhere(where.and(where.eq('id', id), where.eq('status', status)), { ...changes, is_open: isOpen })
}
