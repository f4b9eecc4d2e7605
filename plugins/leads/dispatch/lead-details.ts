import type { OwnerContext, Row, RowChanges } from 'renown'
import { Lead } from '../records/Lead'
import type { Contact, contactFields } from './contacts'

type LeadRow = Row<typeof Lead>
type Evidence = NonNullable<LeadRow['contacts']>[number]

/** The fields of a lead that come from contact details, and where each is. */
export type LeadDetails = Pick<LeadRow, (typeof contactFields)[number] | 'contacts'>

/** Returns the contact details of the mention in which a lead was found. */
export const detailsOf = (contacts: readonly Contact[]): LeadDetails =>
  contacts.length === 0 ? {} : { ...valuesOf(contacts), contacts: contacts.map(evidenceOf) }

const valuesOf = (contacts: readonly Contact[]): Partial<Record<Contact['field'], string>> =>
  Object.fromEntries(contacts.map(({ field, value }) => [field, value]))

const evidenceOf = ({ field, start, end, in: within }: Contact): Evidence => ({
  field,
  in: within,
  start,
  end,
})

/** Returns the id of the mention that contains a contact detail. */
export const mentionOf = (lead: Pick<LeadRow, 'mention_id'>, { mention_id }: Evidence): string =>
  mention_id ?? lead.mention_id

/**
 * Sets what a lead has from one of its author's mentions: details that no other mention has are added, and those that
 * the mention no longer contains are removed. Without `contacts`, all of this mention are removed.
 */
export const setDetails = (
  ctx: OwnerContext,
  lead_id: string,
  mention_id: string,
  contacts: readonly Contact[] = [],
): Promise<void> =>
  // Two mentions of one author can be judged at the same time, and both change the same list.
  ctx.withLock(`details of lead ${lead_id}`, async () => {
    const lead = await ctx.rows(Lead).get(lead_id)
    const changes = lead && changesOf(lead, mention_id, contacts)
    if (changes) await ctx.rows(Lead).update(lead_id, changes)
  })

function changesOf(
  lead: LeadRow,
  mention_id: string,
  contacts: readonly Contact[],
): RowChanges<typeof Lead> | null {
  const known = lead.contacts ?? []
  const own = known.filter((one) => mentionOf(lead, one) === mention_id)
  const others = known.filter((one) => !own.includes(one))
  // A value without a place in a text was typed or imported.
  const isFree = (field: Contact['field']) =>
    lead[field] === undefined || own.some((one) => one.field === field)
  const added = contacts.filter(({ field }) => isFree(field))
  const gone = own.filter(({ field }) => added.every((one) => one.field !== field))
  const place = lead.mention_id === mention_id ? {} : { mention_id }
  const next = [...others, ...added.map((one) => ({ ...evidenceOf(one), ...place }))]
  const isSame = Bun.deepEquals(next, known) && added.every(({ field, value }) => lead[field] === value)
  if (isSame) return null
  const removed = Object.fromEntries(gone.map(({ field }) => [field, undefined]))
  return { ...removed, ...valuesOf(added), contacts: next.length === 0 ? undefined : next }
}
