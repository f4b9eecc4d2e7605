import { dayIn, dayStart, isDay, Refusal, type Row, type RowChanges } from 'renown'
import { type ActionContext, type AnyAction, actForm, actsOnPage, defineAction } from 'renown/pages'
import * as v from 'valibot'
import { changeLead, type LeadAct, type LeadChange } from '../dispatch/change-lead'
import { assignLead, leadActs } from '../dispatch/lead-commands'
import { moveLead } from '../dispatch/moveLead'
import { Lead } from '../records/Lead'
import { stages } from '../records/stage-names'
import { boardPath } from './board-filters'
import { basisOf } from './load-lead'

type LeadRow = Row<typeof Lead>

const text = v.optional(v.pipe(v.string(), v.maxLength(2_000)), '')
/** Every form of the page contains the lead and the query of the page. */
const common = { lead: v.string(), search: text }

/** Redirects back to the page, with what was done. */
function backTo(search: string, more: Readonly<Record<string, string>>) {
  const query = new URLSearchParams(search)
  for (const name of ['done', 'moved', 'from', 'to']) query.delete(name)
  for (const [name, value] of Object.entries(more)) query.set(name, value)
  return { to: `${boardPath}?${query}` }
}

/** Returns the lead of a form. It must be in the person's workspace. */
async function leadOf(ctx: ActionContext, id: string): Promise<LeadRow> {
  const lead = await ctx.rows(Lead).get(id)
  if (!lead) throw new Refusal('not_found', 'There is no such lead in this workspace.')
  return lead
}

/** Shows the board with the moved lead, and with a way back. */
const move = actForm(moveLead, 'moved', {
  fields: { lead: v.string(), search: text, was: v.picklist(stages), stage: v.picklist(stages) },
  to: ({ lead, search, was, stage }) => backTo(search, { moved: lead, from: was, to: stage }).to,
})

const noted = (max: number) =>
  v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.maxLength(max, `Use at most ${max.toLocaleString('en')} characters.`),
      v.transform((words) => words.replace(/\r\n?/g, '\n')),
    ),
    '',
  )

const save = defineAction({
  auth: 'session',
  input: v.strictObject({
    ...common,
    basis: v.string(),
    assigned_to: noted(200),
    next_step: noted(500),
    notes: noted(20_000),
    due_day: v.optional(
      v.pipe(
        v.string(),
        v.trim(),
        v.check((day) => day === '' || isDay(day), 'Use a day such as 2026-03-14.'),
      ),
      '',
    ),
  }),
  async run(ctx, { lead: id, search, basis, ...typed }) {
    await leadOf(ctx, id)
    const { timezone } = ctx.workspace
    await changeLead(ctx.owner, id, (lead) => {
      if (basisOf(lead) !== basis) {
        const why =
          'Somebody else changed this lead since you opened it. Copy your text, and load the page again.'
        throw new Refusal('conflict', why)
      }
      return written(lead, typed, timezone)
    })
    return backTo(search, { done: 'saved' })
  },
})

interface Typed {
  readonly assigned_to: string
  readonly next_step: string
  readonly due_day: string
  readonly notes: string
}

/** Returns what a person wrote on a lead, and only what differs. */
function written(lead: LeadRow, typed: Typed, timezone: string): LeadChange {
  const { next_step, due_day } = typed
  if (due_day !== '' && next_step === '') {
    const errors = [{ pointer: '/next_step', code: 'required', message: 'Enter what is due on that day' }]
    throw new Refusal('invalid_field', 'A due day needs a next step.', { errors })
  }
  const known = lead.due_at === undefined ? '' : dayIn(timezone, new Date(lead.due_at))
  const due = due_day === '' ? undefined : dayStart(timezone, due_day)
  const parts: readonly (readonly [RowChanges<typeof Lead>, LeadAct['act'], boolean])[] = [
    [
      { assigned_to: typed.assigned_to || undefined },
      'assign',
      typed.assigned_to !== (lead.assigned_to ?? ''),
    ],
    [{ next_step: next_step || undefined }, 'next_step', next_step !== (lead.next_step ?? '')],
    [{ due_at: due }, 'next_step', due_day !== known],
    [{ notes: typed.notes || undefined }, 'note', typed.notes !== (lead.notes ?? '').replace(/\r\n?/g, '\n')],
  ]
  const changed = parts.filter(([, , differs]) => differs)
  return {
    changes: Object.assign({}, ...changed.map(([changes]) => changes)),
    acts: [...new Set(changed.map(([, act]) => act))].map((act) => ({ act })),
  }
}

/** Shows the list again as it was. */
const staying = {
  fields: { search: text },
  to: ({ search }: { readonly search: string }, done: string) => backTo(search, { done }).to,
}

/** The actions of the page of leads. */
export const leadActions: Readonly<Record<string, AnyAction>> = {
  move,
  save,
  take: actForm(assignLead, 'taken', staying),
  archive: actForm(leadActs.archive, 'archive', staying),
  unarchive: actForm(leadActs.unarchive, 'unarchive', staying),
  see: actForm(leadActs.see, 'see', staying),
}

/** The notices of the page, by action. */
export const leadNotices: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  ...actsOnPage({ ...leadActs, take: assignLead }).notices,
}
