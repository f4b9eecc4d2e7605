import {
  moveState,
  type OwnerContext,
  Refusal,
  type RowChanges,
  refusedField,
  requireRow,
  where,
} from 'renown'
import { isMailAddress } from 'renown/sending'
import { BusinessLocation, User, Workspace } from '../records/foreign'
import { Report } from '../records/Report'
import { ReportMail } from '../records/ReportMail'
import { type RecipientRow, ReportRecipient, recipientState } from '../records/ReportRecipient'
import { ScheduledReport } from '../records/ScheduledReport'

/** Maximum number of recipients of a schedule or a report. */
export const recipientsMax = 50
/** Maximum number of addresses of a workspace that wait for a confirmation. It limits what strangers are sent. */
const pendingMax = 100
/** How many confirmations one address gets for one schedule. */
const confirmationsMax = 3

/** The schedule or the report whose mail a recipient gets. */
export interface MailList {
  readonly id: string
  readonly workspace_id: string
  readonly kind: 'schedule' | 'report'
}

/** Finds the schedule or report with this id. Throws if it is a demo's. */
export async function mailList(ctx: OwnerContext, id: string, workspace_id?: string): Promise<MailList> {
  const kind = id.startsWith(`${ScheduledReport.idPrefix}_`) ? 'schedule' : 'report'
  const row = await (kind === 'schedule' ? ctx.rows(ScheduledReport).get(id) : ctx.rows(Report).get(id))
  if (!row || (workspace_id !== undefined && row.workspace_id !== workspace_id)) {
    throw new Refusal('not_found', `There is no ${kind} ${id}.`)
  }
  const location = await ctx.rows(BusinessLocation).get(row.business_location_id ?? '')
  if (location?.is_demo === true) throw new Refusal('conflict', 'Reports of a demo are not mailed.')
  if (!location) throw new Refusal('conflict', 'Only a report about a location can be mailed.')
  await ctx.requireActive(row.workspace_id)
  return { id, workspace_id: row.workspace_id, kind }
}

/** Whether an address belongs to a person of the agency who can see the workspace. */
export async function isMember(ctx: OwnerContext, workspace_id: string, email_key: string): Promise<boolean> {
  const workspace = await ctx.rows(Workspace).get(workspace_id)
  if (!workspace) return false
  const theirs = where.and(where.eq('agency_id', workspace.agency_id), where.eq('email', email_key))
  const people = await ctx.rows(User).list({ where: theirs, limit: 10 })
  return people.some(
    ({ role, is_active, workspace_ids = [] }) =>
      is_active && (role === 'owner' || workspace_ids.includes(workspace_id)),
  )
}

/**
 * Adds a recipient. People of the agency, and addresses that confirmed for another schedule of the workspace, get mail at once. Others
 * get one message that asks them to confirm. Somebody who stopped this mail is asked again.
 */
export async function addRecipient(ctx: OwnerContext, list: MailList, typed: string): Promise<RecipientRow> {
  const email = typed.trim()
  if (!isMailAddress(email)) throw refusedField('email', 'Type one e-mail address, such as ada@example.com.')
  const email_key = email.toLowerCase()
  const { workspace_id, id: list_id } = list
  const rows = ctx.rows(ReportRecipient)
  const row = await ctx.withLock(`report-recipients ${workspace_id}`, async () => {
    const known = await rows.list({ where: where.eq('list_id', list_id), limit: recipientsMax + 1 })
    const same = known.find((one) => one.email_key === email_key)
    if (same) return same.state === 'stopped' ? askAgain(ctx, same) : same
    if (known.length >= recipientsMax) {
      throw new Refusal('conflict', `At most ${recipientsMax} people can get it. Remove one first.`)
    }
    const proof = await proofOf(ctx, workspace_id, email_key)
    if (proof === undefined) await refuseTooManyPending(ctx, workspace_id)
    const { token: stop_token } = await ctx.newToken('rrs_')
    const added = await rows.insert({
      workspace_id,
      list_id,
      email,
      email_key,
      stop_token,
      state: proof === undefined ? 'pending' : 'confirmed',
      ...(proof === undefined ? {} : { proof, confirmed_at: ctx.now().toISOString() }),
    })
    await countRecipients(ctx, list)
    return added
  })
  if (row.state === 'pending') await askToConfirm(ctx, row)
  return row
}

async function proofOf(ctx: OwnerContext, workspace_id: string, email_key: string) {
  const theirs = [where.eq('workspace_id', workspace_id), where.eq('email_key', email_key)]
  const others = await ctx.rows(ReportRecipient).list({ where: where.and(...theirs), limit: 100 })
  if (others.some(({ state }) => state === 'stopped')) return undefined
  if (await isMember(ctx, workspace_id, email_key)) return 'member' as const
  return others.some(({ state, proof }) => state === 'confirmed' && proof === 'link')
    ? ('link' as const)
    : undefined
}

async function askAgain(ctx: OwnerContext, row: RecipientRow): Promise<RecipientRow> {
  await refuseTooManyPending(ctx, row.workspace_id)
  const moved = moveState(recipientState, row.state, 'pending', { now: ctx.now() })
  const changes = { ...moved, proof: undefined } as RowChanges<typeof ReportRecipient>
  return (await ctx.rows(ReportRecipient).update(row.id, changes)) ?? row
}

async function refuseTooManyPending(ctx: OwnerContext, workspace_id: string): Promise<void> {
  const waiting = where.and(where.eq('workspace_id', workspace_id), where.eq('state', 'pending'))
  if ((await ctx.rows(ReportRecipient).count(waiting)) < pendingMax) return
  throw new Refusal(
    'conflict',
    `${pendingMax} addresses of this workspace wait for a confirmation. Remove some first.`,
  )
}

/** Queues a message that asks a recipient to confirm. */
export async function askToConfirm(
  ctx: OwnerContext,
  { id, workspace_id, email }: RecipientRow,
): Promise<void> {
  const theirs = where.and(where.eq('recipient_id', id), where.eq('kind', 'confirmation'))
  const asked = await ctx.rows(ReportMail).list({ where: theirs, limit: 100 })
  if (asked.some(({ state }) => state === 'queued' || state === 'sending')) return
  if (asked.length >= confirmationsMax) {
    throw new Refusal('conflict', `${email} was asked ${confirmationsMax} times. Ask the person yourself.`)
  }
  await ctx.rows(ReportMail).insert({
    workspace_id,
    kind: 'confirmation',
    once: `confirm ${id} ${asked.length + 1}`,
    recipient_id: id,
    email,
    by_person: true,
    state: 'queued',
    attempts: 0,
    has_content: false,
    due_at: ctx.now().toISOString(),
  })
}

/** Removes a recipient. */
export async function removeRecipient(ctx: OwnerContext, list: MailList, id: string): Promise<RecipientRow> {
  const row = await requireRow(ctx.rows(ReportRecipient), 'recipient', id)
  if (row.list_id !== list.id) throw new Refusal('not_found', `There is no recipient ${id}.`)
  // The row of somebody who stopped this mail stays, so that nobody adds the address again without a confirmation.
  if (row.state === 'stopped') throw new Refusal('conflict', 'This person stopped the mail, and gets none.')
  await ctx.rows(ReportRecipient).removeWhere(where.eq('id', id))
  await countRecipients(ctx, list)
  return row
}

/** Stores how many people get the reports of a schedule. */
async function countRecipients(ctx: OwnerContext, { id, kind }: MailList): Promise<void> {
  if (kind !== 'schedule') return
  const wanted = where.and(where.eq('list_id', id), where.in('state', ['pending', 'confirmed']))
  await ctx
    .rows(ScheduledReport)
    .update(id, { recipients_count: await ctx.rows(ReportRecipient).count(wanted) })
}

/** Moves a recipient by a link in a message. Null if somebody else moved it first. */
export async function moveRecipient(
  ctx: OwnerContext,
  row: RecipientRow,
  to: 'confirmed' | 'stopped',
): Promise<RecipientRow | null> {
  const proof = to === 'confirmed' ? { proof: 'link' as const } : {}
  const moved = moveState(recipientState, row.state, to, { now: ctx.now(), with: proof })
  const same = where.and(where.eq('id', row.id), where.eq('state', row.state))
  const changed = await ctx
    .rows(ReportRecipient)
    .updateWhere(same, moved as RowChanges<typeof ReportRecipient>)
  if (changed) {
    const schedule = await ctx.rows(ScheduledReport).get(row.list_id)
    if (schedule)
      await countRecipients(ctx, { id: schedule.id, workspace_id: row.workspace_id, kind: 'schedule' })
    const what =
      to === 'confirmed' ? 'Recipient of reports confirmed' : 'Mail with reports stopped by its recipient'
    await audit(ctx, changed, `report_recipient_${to}`, what)
  }
  return changed
}

const audit = (ctx: OwnerContext, row: RecipientRow, action: string, what: string): Promise<void> =>
  ctx.recordAudit({
    workspace_id: row.workspace_id,
    action: `location.${action}`,
    what,
    by: ctx.by,
    subject: `recipient ${row.id}`,
    record_id: row.list_id,
  })
