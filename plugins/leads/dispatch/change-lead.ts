import { type OwnerContext, Refusal, type Row, type RowChanges, requireRow, type Where, where } from 'renown'
import { publishMove } from '../records/events'
import { BusinessLocation } from '../records/foreign'
import { Lead } from '../records/Lead'

type LeadRow = Row<typeof Lead>

/** What a person changes, and what they saw before. */
export interface LeadChange {
  readonly changes: RowChanges<typeof Lead>
  /** Conditions that the stored lead must meet. Otherwise somebody else was faster. */
  readonly unless?: readonly Where[]
}

const values = (row: object) => row as Readonly<Record<string, unknown>>

/**
 * Changes a lead for a person. People change a lead one after another, so that a refused
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
  const { changes, unless = [] } = changeOf(lead)
  const names = Object.keys(changes).filter((name) => values(lead)[name] !== values(changes)[name])
  if (names.length === 0 && unless.length === 0) return lead
  const same = names.map((name) => where.eq(name, (values(lead)[name] ?? null) as string | boolean | null))
  if (changes.stage !== undefined && names.includes('stage')) await publishMove(ctx, lead, changes.stage)
  const changed = await rows.updateWhere(where.and(where.eq('id', id), ...same, ...unless), changes)
  if (changed) return changed
  throw new Refusal('conflict', 'Somebody else changed the lead at the same time. Check it and try again.')
}

/** Returns how audit entries name a lead. */
export async function leadSubject(ctx: OwnerContext, lead: LeadRow): Promise<string> {
  const location = await ctx.rows(BusinessLocation).get(lead.location_id)
  return `${location?.business_name ?? lead.location_id}: lead ${lead.id}`
}
