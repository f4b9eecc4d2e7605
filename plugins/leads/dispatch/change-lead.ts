import { type OwnerContext, Refusal, type Row, type RowChanges, requireRow, type Where, where } from 'renown'
import { publishMove } from '../records/events'
import { BusinessLocation } from '../records/foreign'
import { Lead } from '../records/Lead'

type LeadRow = Row<typeof Lead>

/** What people do with leads, in the words of the audit log. */
const acts = {
  assign: 'Lead assigned',
  next_step: 'Next step of lead changed',
  note: 'Notes of lead changed',
} as const

/** One act of `acts`, and what it did, such as `new → contacted`. */
export interface LeadAct {
  readonly act: keyof typeof acts
  readonly detail?: string
}

/** What a person changes, and what they saw before. */
export interface LeadChange {
  readonly changes: RowChanges<typeof Lead>
  readonly acts: readonly LeadAct[]
  /** Conditions that the stored lead must meet. Otherwise somebody else was faster. */
  readonly unless?: readonly Where[]
}

const values = (row: object) => row as Readonly<Record<string, unknown>>

/**
 * Changes a lead for a person, and records it in the audit log. People change a lead one after another, so that a refused
 * move publishes no event. The changes are made from the row as it is stored at that time: `changeOf` throws if the person
 * saw something else. Every changed field must still have the value from which the change was made.
 */
export const changeLead = (
  ctx: OwnerContext,
  id: string,
  changeOf: (lead: LeadRow) => LeadChange,
): Promise<LeadRow> => ctx.withLock(`lead ${id}`, () => change(ctx, id, changeOf))

async function change(
  ctx: OwnerContext,
  id: string,
  changeOf: (lead: LeadRow) => LeadChange,
): Promise<LeadRow> {
  const rows = ctx.rows(Lead)
  const lead = await requireRow(rows, 'lead', id)
  const { changes, acts: done, unless = [] } = changeOf(lead)
  const names = Object.keys(changes).filter((name) => values(lead)[name] !== values(changes)[name])
  if (names.length === 0 && unless.length === 0) return lead
  const same = names.map((name) => where.eq(name, (values(lead)[name] ?? null) as string | boolean | null))
  if (changes.stage !== undefined && names.includes('stage')) await publishMove(ctx, lead, changes.stage)
  const changed = await rows.updateWhere(where.and(where.eq('id', id), ...same, ...unless), changes)
  if (!changed) {
    throw new Refusal('conflict', 'Somebody else changed the lead at the same time. Check it and try again.')
  }
  if (names.length > 0) for (const one of done) await auditLead(ctx, lead, one)
  return changed
}

/** Returns how audit entries name a lead. */
export async function leadSubject(ctx: OwnerContext, lead: LeadRow): Promise<string> {
  const location = await ctx.rows(BusinessLocation).get(lead.location_id)
  return `${location?.business_name ?? lead.location_id}: lead ${lead.id}`
}

/** Records an act of a person on a lead in the audit log. */
export async function auditLead(ctx: OwnerContext, lead: LeadRow, { act, detail }: LeadAct): Promise<void> {
  await ctx.recordAudit({
    workspace_id: lead.workspace_id,
    action: `location.lead_${act}`,
    by: ctx.by,
    record_id: lead.id,
    what: detail === undefined ? acts[act] : `${acts[act]}: ${detail}`,
    subject: await leadSubject(ctx, lead),
  })
}
