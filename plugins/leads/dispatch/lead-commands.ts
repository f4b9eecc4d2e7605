import {
  type ActRecord,
  type ActResult,
  defineAct,
  defineCommand,
  field,
  type OwnerContext,
  Refusal,
  type Row,
} from 'renown'
import { typedName } from 'renown/records'
import * as v from 'valibot'
import { Lead } from '../records/Lead'
import { changeLead, type LeadChange, leadSubject } from './change-lead'

type LeadRow = Row<typeof Lead>

const lead_id = field.text('Id of the lead')
const notesMax = 20_000
const words = (description: string, max: number) =>
  v.pipe(v.string(), v.trim(), v.maxLength(max, `at most ${max} characters`), v.description(description))

const shown = ({ id, ...lead }: LeadRow) => ({
  lead_id: id,
  stage: lead.stage,
  assigned_to: lead.assigned_to ?? null,
  next_step: lead.next_step ?? null,
  due_at: lead.due_at ?? null,
  notes: lead.notes ?? null,
  is_archived: lead.is_archived,
  archived_at: lead.archived_at ?? null,
  seen_at: lead.seen_at ?? null,
})

/** Assigns a lead to a person, or to nobody. */
const assigned = (to: string | undefined): LeadChange => ({
  changes: { assigned_to: to },
  acts: [{ act: 'assign', ...(to === undefined ? { detail: 'to nobody' } : {}) }],
})

/** Assigns a lead to a person. */
export const assignLead = defineCommand({
  name: 'lead assign',
  summary: 'Assign a lead to a person, or to nobody',
  input: v.strictObject({
    lead_id,
    to: v.optional(typedName('Who handles the lead. Nobody if left out')),
  }),
  positional: ['lead_id', 'to'],
  run: async (ctx, { lead_id: id, to }) => shown(await changeLead(ctx, id, () => assigned(to))),
})

/** Sets the next step of a lead and when it is due. */
export const setNextStep = defineCommand({
  name: 'lead next-step set',
  summary: 'Set the next step of a lead and when it is due, or clear both',
  input: v.strictObject({
    lead_id,
    next_step: v.optional(words('What to do next. Clears the next step if left out', 500)),
    due_at: v.optional(field.instant('When it is due, such as 2026-03-01T09:00:00Z')),
  }),
  positional: ['lead_id', 'next_step'],
  async run(ctx, { lead_id: id, next_step, due_at }) {
    const step = next_step || undefined
    if (step === undefined && due_at !== undefined) {
      throw new Refusal('invalid_field', 'due_at needs next_step: say what is due.')
    }
    const changes = { next_step: step, due_at: step && due_at }
    return shown(await changeLead(ctx, id, () => ({ changes, acts: [{ act: 'next_step' }] })))
  },
})

/** Adds to the notes of a lead, or replaces them. */
export const noteLead = defineCommand({
  name: 'lead note add',
  summary: 'Add a note to a lead',
  input: v.strictObject({
    lead_id,
    text: words('The note', 5_000),
    replace: v.optional(field.flag('Replace all notes of the lead'), false),
  }),
  positional: ['lead_id', 'text'],
  async run(ctx, { lead_id: id, text, replace }) {
    const changed = await changeLead(ctx, id, ({ notes }) => {
      const all = replace || !notes ? text : `${notes}\n${text}`
      if (all.length > notesMax) {
        throw new Refusal(
          'invalid_field',
          `The notes of a lead have at most ${notesMax} characters. Use --replace.`,
        )
      }
      return { changes: { notes: all === '' ? undefined : all }, acts: [{ act: 'note' }] }
    })
    return shown(changed)
  },
})

const onLead: ActRecord<typeof Lead> = { entity: Lead, field: 'lead_id', called: 'lead' }

/** Changes a lead unless it is so already, as it is stored at that time. */
async function changeUnless(
  ctx: OwnerContext,
  id: string,
  isSo: (lead: LeadRow) => boolean,
  changes: LeadChange['changes'],
): Promise<ActResult> {
  let isChanged = false
  const lead = await changeLead(ctx, id, (stored) => {
    isChanged = !isSo(stored)
    return { changes: isChanged ? changes : {}, acts: [] }
  })
  return { answer: shown(lead), isChanged }
}

/** Archives a lead. Its stage stays. */
export const archiveLead = defineAct({
  name: 'lead archive',
  summary: 'Archive a lead. Lists leave it out, and its stage stays',
  on: onLead,
  label: 'Archive lead',
  done: { archived: 'Lead archived.' },
  undo: 'lead restore',
  audit: {
    action: 'location.lead_archive',
    what: 'Lead archived',
    subject: leadSubject,
    isHistory: true,
  },
  run: (ctx, { row }) => {
    const changes = { is_archived: true, archived_at: ctx.now().toISOString() }
    return changeUnless(ctx, row.id, ({ is_archived }) => is_archived, changes)
  },
})

/** Takes a lead out of the archive. */
export const restoreLead = defineAct({
  name: 'lead restore',
  summary: 'Take a lead out of the archive',
  on: onLead,
  label: 'Take out of the archive',
  done: { unarchived: 'Lead taken out of the archive.' },
  undo: 'lead archive',
  audit: {
    action: 'location.lead_unarchive',
    what: 'Lead taken out of the archive',
    subject: leadSubject,
    isHistory: true,
  },
  run: (ctx, { row }) =>
    changeUnless(ctx, row.id, ({ is_archived }) => !is_archived, {
      is_archived: false,
      archived_at: undefined,
    }),
})

/** Marks a lead as seen. A lead that was already seen keeps its time. */
export const seeLead = defineAct({
  name: 'lead see',
  summary: 'Mark a lead as seen. A lead that was already seen keeps its time',
  on: onLead,
  label: 'Mark as seen',
  done: { seen: 'Marked as seen.' },
  audit: {
    action: 'location.lead_see',
    what: 'Lead marked as seen',
    subject: leadSubject,
    isHistory: true,
  },
  run: (ctx, { row }) =>
    changeUnless(ctx, row.id, ({ seen_at }) => seen_at !== undefined, { seen_at: ctx.now().toISOString() }),
})

/** Acts on a lead without further fields, by the name of their form. */
export const leadActs = { archive: archiveLead, unarchive: restoreLead, see: seeLead }
