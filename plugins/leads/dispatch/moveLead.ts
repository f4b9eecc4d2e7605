import { defineCommand, field, moveState, type Row, where } from 'renown'
import * as v from 'valibot'
import { Lead } from '../records/Lead'
import { leadStages } from '../records/leadStages'
import { changeLead, type LeadChange } from './change-lead'

type Stage = Row<typeof Lead>['stage']

/** Returns a move of a lead to a stage. Throws if it is not allowed, or if a loss has no reason. */
export const movedTo =
  (now: Date, to: Stage, lost_reason?: string) =>
  ({ stage }: Row<typeof Lead>): LeadChange => ({
    changes: moveState(leadStages, stage, to, { now, with: to === 'lost' ? { lost_reason } : {} }),
    acts: [{ act: 'move', detail: `${stage} → ${to}` }],
    unless: [where.eq('stage', stage)],
  })

/** Moves a lead. Agents cannot. */
export const moveLead = defineCommand({
  name: 'lead move',
  summary: 'Move a lead to another stage',
  input: v.strictObject({
    lead_id: field.text('Id of the lead'),
    stage: Lead.fields.stage,
    lost_reason: v.optional(field.text('Why it was lost; needed for the stage lost')),
  }),
  positional: ['lead_id', 'stage'],
  async run(ctx, { lead_id, stage, lost_reason }) {
    const moved = await changeLead(ctx, lead_id, movedTo(ctx.now(), stage, lost_reason))
    return { lead_id, stage: moved.stage, stage_changed_at: moved.stage_changed_at }
  },
})
