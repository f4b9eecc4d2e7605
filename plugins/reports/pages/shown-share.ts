import { shiftDay } from 'renown'
import type { PageContext } from 'renown/pages'
import { publicOrigin } from 'renown/sources'
import { Workspace } from '../records/foreign'
import type { ReportRow } from '../records/moveReport'
import { isExpired } from '../share/share'

/** The share of a report, as its page shows it. */
export interface ShownShare {
  readonly address: string
  readonly views: number
  readonly has_password: boolean
  /** The last day on which the link works, in the time zone of the workspace. Null: it does not expire. */
  readonly last_day: string | null
  readonly is_expired: boolean
}

/** Returns the share of a report. Its address is on the white-label domain of the agency, if it has one. */
export async function shareOf(ctx: PageContext, row: ReportRow): Promise<ShownShare | null> {
  if (!row.is_public || !row.public_share_id) return null
  const workspace = await ctx.system.rows(Workspace).get(row.workspace_id)
  const { share_expires_at: until } = row
  return {
    address: `${publicOrigin(ctx, workspace)}/p/report/${row.public_share_id}`,
    views: row.share_view_count ?? 0,
    has_password: row.share_password_hash !== undefined,
    last_day: until === undefined ? null : shiftDay(dayOf(until, ctx.workspace.timezone), -1),
    is_expired: isExpired(ctx, row),
  }
}

const dayOf = (at: string, timezone: string) =>
  Temporal.Instant.from(at).toZonedDateTimeISO(timezone).toPlainDate().toString()
