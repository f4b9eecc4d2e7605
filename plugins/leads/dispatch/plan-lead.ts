import {
  dayIn,
  dayStart,
  defineAct,
  isDay,
  Refusal,
  type Row,
  type RowChanges,
  refusedField,
  requireRow,
} from 'renown'
import { Workspace } from 'renown/records'
import * as v from 'valibot'
import type { Lead } from '../records/Lead'
import { changeLead, leadSubject } from './change-lead'
import { onLead, shownLead } from './lead-commands'

type LeadRow = Row<typeof Lead>

const written = (max: number) =>
  v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.maxLength(max, `Use at most ${max.toLocaleString('en')} characters.`),
      v.transform((words) => words.replace(/\r\n?/g, '\n')),
    ),
    '',
  )

const fields = {
  assigned_to: written(200),
  next_step: written(500),
  notes: written(20_000),
  due_day: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.check((day) => day === '' || isDay(day), 'Use a day such as 2026-03-14.'),
    ),
    '',
  ),
}
type Plan = { readonly [name in keyof typeof fields]: string }

/** A part of the plan of a lead. */
type Part = 'assign' | 'next_step' | 'note'

/** Saves who handles a lead, its next step and its notes together, as one form has them. */
export const planLead = defineAct({
  name: 'lead update',
  summary: 'Save who handles a lead, what comes next, and the notes',
  on: onLead,
  fields,
  forms: fields,
  seen: { basis: v.string() },
  label: 'Save',
  done: { saved: 'Saved.' },
  isPageOnly: true,
  audit: {
    action: {
      assign: 'location.lead_assign',
      next_step: 'location.lead_next_step',
      note: 'location.lead_note',
    },
    what: { assign: 'Lead assigned', next_step: 'Next step of lead changed', note: 'Notes of lead changed' },
    subject: leadSubject,
    isHistory: true,
  },
  async run(ctx, { row, input, seen }) {
    const { timezone } = await requireRow(ctx.rows(Workspace), 'workspace', row.workspace_id)
    let parts: readonly Part[] = []
    const changed = await changeLead(ctx, row.id, (lead) => {
      if (basisOf(lead) !== seen?.basis) {
        const why =
          'Somebody else changed this lead since you opened it. Copy your text, and load the page again.'
        throw new Refusal('conflict', why)
      }
      const differing = differencesOf(lead, input, timezone)
      parts = [...new Set(differing.map(([, part]) => part))]
      return { changes: Object.assign({}, ...differing.map(([changes]) => changes)) }
    })
    return { answer: shownLead(changed), parts }
  },
})

/** Returns what a person wrote on a lead, and only what differs. */
function differencesOf(lead: LeadRow, typed: Plan, timezone: string) {
  const { next_step, due_day } = typed
  if (due_day !== '' && next_step === '')
    throw refusedField('next_step', 'Enter what is due on that day', 'required')
  const known = lead.due_at === undefined ? '' : dayIn(timezone, new Date(lead.due_at))
  const due = due_day === '' ? undefined : dayStart(timezone, due_day)
  const parts: readonly (readonly [RowChanges<typeof Lead>, Part, boolean])[] = [
    [
      { assigned_to: typed.assigned_to || undefined },
      'assign',
      typed.assigned_to !== (lead.assigned_to ?? ''),
    ],
    [{ next_step: next_step || undefined }, 'next_step', next_step !== (lead.next_step ?? '')],
    [{ due_at: due }, 'next_step', due_day !== known],
    [{ notes: typed.notes || undefined }, 'note', typed.notes !== (lead.notes ?? '').replace(/\r\n?/g, '\n')],
  ]
  return parts.filter(([, , differs]) => differs)
}

/** Returns a digest of what people wrote on a lead. */
export const basisOf = ({ notes, next_step, due_at, assigned_to }: LeadRow): string =>
  new Bun.CryptoHasher('sha256')
    .update(JSON.stringify([notes ?? '', next_step ?? '', due_at ?? '', assigned_to ?? '']))
    .digest('base64url')
    .slice(0, 22)
