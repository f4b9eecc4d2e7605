import { type AnyAction, actForm, actsOnPage } from 'renown/pages'
import * as v from 'valibot'
import { assignLead, leadActs } from '../dispatch/lead-commands'
import { moveLead } from '../dispatch/moveLead'
import { planLead } from '../dispatch/plan-lead'
import { stages } from '../records/stage-names'
import { boardPath } from './board-filters'

const text = v.optional(v.pipe(v.string(), v.maxLength(2_000)), '')

/** Returns the address of the page, with what was done. */
function backTo(search: string, more: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(search)
  for (const name of ['done', 'moved', 'from', 'to']) query.delete(name)
  for (const [name, value] of Object.entries(more)) query.set(name, value)
  return `${boardPath}?${query}`
}

/** Shows the board with the moved lead, and with a way back. */
const move = actForm(moveLead, 'moved', {
  fields: { lead: v.string(), search: text, was: v.picklist(stages), stage: v.picklist(stages) },
  to: ({ lead, search, was, stage }) => backTo(search, { moved: lead, from: was, to: stage }),
})

/** Shows the list again as it was. */
const staying = {
  fields: { search: text },
  to: ({ search }: { readonly search: string }, done: string) => backTo(search, { done }),
}

/** The actions of the page of leads. */
export const leadActions: Readonly<Record<string, AnyAction>> = {
  move,
  save: actForm(planLead, 'saved', staying),
  take: actForm(assignLead, 'taken', staying),
  archive: actForm(leadActs.archive, 'archive', staying),
  unarchive: actForm(leadActs.unarchive, 'unarchive', staying),
  see: actForm(leadActs.see, 'see', staying),
}

/** The notices of the page, by action. */
export const leadNotices: Readonly<Record<string, string>> = {
  ...actsOnPage({ ...leadActs, take: assignLead, save: planLead }).notices,
}
