import {
  type ActRecord,
  type ActResult,
  defineAct,
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

const notesMax = 20_000
const words = (description: string, max: number) =>
  v.pipe(v.string(), v.trim(), v.maxLength(max, `at most ${max} characters`), v.description(description))

/** Returns a lead as the shell shows it. */
export const shownLead = ({ id, ...lead }: LeadRow) => ({
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

/** The lead of an act. */
export const onLead: ActRecord<typeof Lead> = { entity: Lead, field: 'lead_id', called: 'lead' }

/** Changes a lead as it is stored at that time. Nothing is changed if it is so already. */
async function changed(
  ctx: OwnerContext,
  id: string,
  changesOf: (lead: LeadRow) => LeadChange['changes'],
): Promise<ActResult> {
  let isChanged = false
  const lead = await changeLead(ctx, id, (stored) => {
    const changes = changesOf(stored)
    const differs = ([name, value]: readonly [string, unknown]) => stored[name as keyof LeadRow] !== value
    isChanged = Object.entries(changes).some(differs)
    return { changes }
  })
  return { answer: shownLead(lead), isChanged }
}

const audited = (act: 'assign' | 'next_step' | 'note', what: string) =>
  ({ action: `location.lead_${act}`, what, subject: leadSubject, isHistory: true }) as const

/** Assigns a lead to a person, or to nobody. */
export const assignLead = defineAct({
  name: 'lead assign',
  summary: 'Assign a lead to a person, or to nobody',
  on: onLead,
  fields: { to: v.optional(typedName('Who handles the lead. Nobody if left out')) },
  forms: { to: v.pipe(v.string(), v.maxLength(200)) },
  positional: ['to'],
  label: 'Assign to me',
  done: { taken: 'Assigned to you.' },
  audit: audited('assign', 'Lead assigned'),
  run: async (ctx, { row, input: { to } }) => ({
    ...(await changed(ctx, row.id, () => ({ assigned_to: to }))),
    ...(to === undefined ? { detail: 'to nobody' } : {}),
  }),
})

/** Sets the next step of a lead and when it is due. */
export const setNextStep = defineAct({
  name: 'lead next-step set',
  summary: 'Set the next step of a lead and when it is due, or clear both',
  on: onLead,
  fields: {
    next_step: v.optional(words('What to do next. Clears the next step if left out', 500)),
    due_at: v.optional(field.instant('When it is due, such as 2026-03-01T09:00:00Z')),
  },
  positional: ['next_step'],
  isShellOnly: true,
  audit: audited('next_step', 'Next step of lead changed'),
  run(ctx, { row, input: { next_step, due_at } }) {
    const step = next_step || undefined
    if (step === undefined && due_at !== undefined) {
      throw new Refusal('invalid_field', 'due_at needs next_step: say what is due.')
    }
    return changed(ctx, row.id, () => ({ next_step: step, due_at: step && due_at }))
  },
})

/** Adds to the notes of a lead, or replaces them. */
export const noteLead = defineAct({
  name: 'lead note add',
  summary: 'Add a note to a lead',
  on: onLead,
  fields: {
    text: words('The note', 5_000),
    replace: v.optional(field.flag('Replace all notes of the lead'), false),
  },
  positional: ['text'],
  isShellOnly: true,
  audit: audited('note', 'Notes of lead changed'),
  run: (ctx, { row, input: { text, replace } }) =>
    changed(ctx, row.id, ({ notes }) => {
      const all = replace || !notes ? text : `${notes}\n${text}`
      if (all.length > notesMax) {
        throw new Refusal(
          'invalid_field',
          `The notes of a lead have at most ${notesMax} characters. Use --replace.`,
        )
      }
      return { notes: all === '' ? undefined : all }
    }),
})

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
  run: (ctx, { row }) =>
    changed(ctx, row.id, ({ is_archived }) =>
      is_archived ? {} : { is_archived: true, archived_at: ctx.now().toISOString() },
    ),
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
    changed(ctx, row.id, ({ is_archived }) =>
      is_archived ? { is_archived: false, archived_at: undefined } : {},
    ),
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
    changed(ctx, row.id, ({ seen_at }) =>
      seen_at === undefined ? { seen_at: ctx.now().toISOString() } : {},
    ),
})

/** Acts on a lead without further fields, by the name of their form. */
export const leadActs = { archive: archiveLead, unarchive: restoreLead, see: seeLead }
