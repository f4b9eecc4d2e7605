import { defineAct, Refusal } from 'renown'
import { AutoResponseRules } from '../records/AutoResponseRules'
import { Agency } from './setAutoResponse'

/** What it means to let Renown answer complaints, as the page says it before an owner allows it. */
export const lowStarsMeaning =
  'Renown then answers reviews of 1 to 3 stars in public, in your name, and nobody reads the reply before. Its judges are measured, and they are wrong at times: a reply may miss a complaint or sound cold to somebody who was harmed. Reviews that its judge calls sensitive still wait for a person.'

const on = {
  entity: Agency,
  field: 'agency_id',
  called: 'agency',
  ofPerson: (ctx: { readonly workspace: { readonly agency_id: string } }) => ctx.workspace.agency_id,
} as const

const noRules = () =>
  new Refusal(
    'conflict',
    'The agency has no reply rules yet. Save them first, then decide about 1 to 3 stars.',
  )

/** Lets Renown answer reviews of 1 to 3 stars with words without a person. Agents cannot propose it. */
export const allowLowStars = defineAct({
  name: 'low-star-reply enable',
  summary: 'Let Renown answer reviews of 1 to 3 stars with words although no person reads the reply',
  on,
  label: 'Answer them without a person',
  done: 'Renown may now answer reviews of 1 to 3 stars without a person.',
  sure: 'Tick the box to say that you read what this means.',
  undo: 'low-star-reply disable',
  only: 'owner',
  audit: {
    action: 'workspace.low_star_replies_allowed',
    what: 'Replies to 1 to 3 stars allowed without a person',
  },
  async run(ctx, { row: { id } }) {
    const row = await ctx.rows(AutoResponseRules).update(id, { low_stars_allowed: true })
    if (!row) throw noRules()
    return { answer: { agency_id: id, low_stars_allowed: true } }
  },
})

/** Lets a person answer reviews of 1 to 3 stars with words again. */
export const stopLowStars = defineAct({
  name: 'low-star-reply disable',
  summary: 'Let a person answer each review of 1 to 3 stars with words, as it is by default',
  on,
  label: 'Let a person answer them',
  done: 'A person answers reviews of 1 to 3 stars again.',
  only: 'owner',
  audit: {
    action: 'workspace.low_star_replies_stopped',
    what: 'Replies to 1 to 3 stars stopped without a person',
  },
  async run(ctx, { row: { id } }) {
    const row = await ctx.rows(AutoResponseRules).update(id, { low_stars_allowed: false })
    if (!row) throw noRules()
    return { answer: { agency_id: id, low_stars_allowed: false } }
  },
})
