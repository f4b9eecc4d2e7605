import { defineAct, field, type OwnerContext, refusedField, requireRow } from 'renown'
import * as v from 'valibot'
import { Workspace } from '../records/foreign'
import type { ReportRow } from '../records/moveReport'
import { Report } from '../records/Report'
import { changeShare, type ShareChoice, shareReport, unshareReport } from './share'

/** What all acts on the share of a report declare. Only owners share. */
const aboutShare = {
  on: { entity: Report, field: 'report_id', called: 'report', inForms: 'id' },
  only: 'owner',
  refusesDemo: true,
  isPageOnly: true,
} as const

/** The fields of the share dialog. */
const fields = {
  password: v.optional(v.pipe(field.text('Password'), v.maxLength(1_000))),
  no_password: v.optional(field.flag('Remove the password'), false),
  last_day: v.optional(field.text('Last day on which the link works')),
}

const audited = (act: 'share' | 'share_change' | 'unshare', what: string) => ({
  action: `location.report_${act}` as const,
  what,
  subject: (_: unknown, { id }: ReportRow) => `report ${id}`,
  isHistory: true as const,
})

async function choiceOf(
  ctx: OwnerContext,
  { workspace_id }: ReportRow,
  given: { readonly password?: string; readonly no_password: boolean; readonly last_day?: string },
): Promise<ShareChoice> {
  const { password = '', no_password, last_day = '' } = given
  if (no_password && password !== '')
    throw refusedField('password', 'Leave the field empty to remove the password.')
  const { timezone } = await requireRow(ctx.rows(Workspace), 'workspace', workspace_id)
  return {
    ...(no_password ? { password: null } : password === '' ? {} : { password }),
    expires_at: last_day === '' ? null : endOf(last_day, timezone, ctx.now()),
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

const shown = ({ id, is_public }: ReportRow) => ({ answer: { report_id: id, is_shared: is_public } })

const share = defineAct({
  ...aboutShare,
  name: 'report share',
  summary: 'Share a completed report by a link',
  fields,
  label: 'Share the report',
  done: 'The report is shared. Send the link to the people who should read it.',
  undo: 'report link remove',
  audit: audited('share', 'Report shared'),
  run: async (ctx, { row, input }) =>
    shown(await shareReport(ctx, row.workspace_id, row.id, await choiceOf(ctx, row, input))),
})

const change = defineAct({
  ...aboutShare,
  name: 'report link update',
  summary: 'Change the password or the last day of the link of a report',
  fields,
  label: 'Save',
  done: 'The link was changed.',
  audit: audited('share_change', 'Link of a report changed'),
  run: async (ctx, { row, input }) =>
    shown(await changeShare(ctx, row.workspace_id, row.id, await choiceOf(ctx, row, input))),
})

const renew = defineAct({
  ...aboutShare,
  name: 'report link renew',
  summary: 'Give a shared report a new link. The old one no longer works',
  label: 'Make a new link',
  done: 'The report has a new link. The old one answers 404.',
  audit: audited('share', 'Report shared'),
  run: async (ctx, { row }) => shown(await shareReport(ctx, row.workspace_id, row.id)),
})

const end = defineAct({
  ...aboutShare,
  name: 'report link remove',
  summary: 'Stop sharing a report. Its link no longer works',
  label: 'Stop sharing',
  done: 'The report is no longer shared. Its link answers 404.',
  audit: audited('unshare', 'Sharing of a report ended'),
  run: async (ctx, { row }) => ({
    ...shown(await unshareReport(ctx, row.workspace_id, row.id)),
    isChanged: row.is_public,
  }),
})

/** What owners do with the link of a report, by the name of its form. */
export const shareActs = { share, 'change-share': change, 'new-link': renew, unshare: end }
