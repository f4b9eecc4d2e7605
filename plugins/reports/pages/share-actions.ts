import { field, refusedField, shiftDay } from 'renown'
import { defineAction, type PageContext } from 'renown/pages'
import { publicOrigin } from 'renown/sources'
import * as v from 'valibot'
import { Workspace } from '../records/foreign'
import type { ReportRow } from '../records/moveReport'
import { changeShare, isExpired, type ShareChoice, shareReport, unshareReport } from '../share/share'

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

/** The fields of the share dialog. The schema takes any text, so that a fault stands beside its field. */
const typed = {
  id: field.text('Report'),
  password: v.optional(v.pipe(v.string(), v.maxLength(1_000)), ''),
  no_password: v.optional(v.literal('yes')),
  last_day: v.optional(v.string(), ''),
}

function choiceOf(
  given: { readonly password: string; readonly no_password?: 'yes' | undefined; readonly last_day: string },
  { timezone, now }: { readonly timezone: string; readonly now: Date },
): ShareChoice {
  const { password, no_password, last_day } = given
  if (no_password !== undefined && password !== '')
    throw refusedField('password', 'Leave the field empty to remove the password.')
  return {
    ...(no_password === undefined ? (password === '' ? {} : { password }) : { password: null }),
    expires_at: last_day === '' ? null : endOf(last_day, timezone, now),
  }
}

/** Returns the end of a day. Throws a Refusal if it is no day, or over. */
function endOf(day: string, timezone: string, now: Date): string {
  let end: number
  try {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new RangeError(day)
    end = Temporal.PlainDate.from(day, { overflow: 'reject' })
      .add({ days: 1 })
      .toZonedDateTime(timezone).epochMilliseconds
  } catch {
    throw refusedField('last_day', 'Type a day such as 2026-12-31.')
  }
  if (end <= now.getTime()) throw refusedField('last_day', 'Choose today or a later day.')
  return new Date(end).toISOString()
}

/** The forms of the share dialog. Only owners share. */
export const shareActions = {
  share: defineAction({
    input: v.strictObject(typed),
    auth: 'session',
    only: 'owner',
    refusesDemo: true,
    done: 'The report is shared. Send the link to the people who should read it.',
    async run({ owner, workspace, now }, { id, ...given }) {
      const { timezone } = workspace
      await shareReport(owner, workspace.id, id, choiceOf(given, { timezone, now: now() }))
    },
  }),
  'change-share': defineAction({
    input: v.strictObject(typed),
    auth: 'session',
    only: 'owner',
    refusesDemo: true,
    done: 'The link was changed.',
    async run({ owner, workspace, now }, { id, ...given }) {
      const { timezone } = workspace
      await changeShare(owner, workspace.id, id, choiceOf(given, { timezone, now: now() }))
    },
  }),
  'new-link': defineAction({
    input: v.strictObject({ id: field.text('Report') }),
    auth: 'session',
    only: 'owner',
    refusesDemo: true,
    done: 'The report has a new link. The old one answers 404.',
    async run({ owner, workspace }, { id }) {
      await shareReport(owner, workspace.id, id)
    },
  }),
  unshare: defineAction({
    input: v.strictObject({ id: field.text('Report') }),
    auth: 'session',
    only: 'owner',
    refusesDemo: true,
    done: 'The report is no longer shared. Its link answers 404.',
    async run({ owner, workspace }, { id }) {
      await unshareReport(owner, workspace.id, id)
    },
  }),
} as const
