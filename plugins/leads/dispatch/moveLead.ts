import { defineAct, field, mayMove, Refusal, type Row } from 'renown'
import * as v from 'valibot'
import { Lead } from '../records/Lead'
import { leadStages } from '../records/leadStages'
import { type Stage, stageNames, stages } from '../records/stage-names'
import { changeLead, leadSubject } from './change-lead'
import { movedTo } from './moved-to'
import { moveBasis, prepareMove } from './proposedMove'

/** Moves a lead. Agents can only propose it. */
export const moveLead = defineAct({
  name: 'lead move',
  summary: 'Move a lead to another stage',
  on: { entity: Lead, field: 'lead_id', called: 'lead' },
  fields: {
    stage: Lead.fields.stage,
    lost_reason: v.optional(field.text('Why it was lost; needed for the stage lost')),
  },
  forms: {
    lost_reason: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(500, 'Use at most 500 characters.'))),
  },
  seen: { was: v.picklist(stages), basis: v.optional(v.string()) },
  positional: ['stage'],
  label: 'Move lead',
  done: 'Lead moved.',
  undo: 'lead move',
  audit: { action: 'location.lead_move', what: 'Lead moved', subject: leadSubject, isHistory: true },
  proposal: {
    prepare: (ctx, { lead_id, stage, lost_reason }) =>
      prepareMove(ctx, {
        lead_id: String(lead_id),
        stage,
        ...(lost_reason === undefined ? {} : { lost_reason }),
      }),
    seen: (basis) => ({ was: v.parse(v.picklist(stages), basis.split(' ')[0]), basis }),
  },
  async run(ctx, { row, input: { stage: to, lost_reason }, seen }) {
    let from: Stage = row.stage
    const moved = await changeLead(ctx, row.id, (lead) => {
      from = lead.stage
      if (seen?.basis !== undefined && moveBasis(lead) !== seen.basis)
        throw new Refusal('conflict', 'Somebody else moved the lead.')
      if (seen) refuseMove(lead, { was: seen.was, to, lost_reason })
      return movedTo(ctx.now(), to, lost_reason)(lead)
    })
    const { id: lead_id, stage, stage_changed_at } = moved
    return { answer: { lead_id, stage, stage_changed_at }, detail: `${from} → ${to}` }
  },
})

interface SeenMove {
  readonly was: Stage
  readonly to: Stage
  readonly lost_reason: string | undefined
}

/** Throws if the lead is not in the stage that the person saw, or cannot move from there. */
function refuseMove({ stage }: Row<typeof Lead>, { was, to, lost_reason }: SeenMove): void {
  if (stage !== was) {
    const now = stageNames[stage]
    throw new Refusal('conflict', `Somebody else moved this lead to ${now}. It was not moved again.`)
  }
  if (!mayMove(leadStages, was, to)) {
    const open = listed(leadStages.moves[was])
    throw new Refusal(
      'conflict',
      `A lead in ${stageNames[was]} can move to ${open}, not to ${stageNames[to]}.`,
    )
  }
  if (to === 'lost' && !lost_reason) {
    const errors = [{ pointer: '/lost_reason', code: 'required', message: 'Enter why the lead was lost' }]
    throw new Refusal('invalid_field', 'A lost lead needs a reason.', { errors })
  }
}

/** Returns the names of stages as words: New, Contacted or Lost. */
const listed = (names: readonly Stage[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names.map((name) => stageNames[name]))
