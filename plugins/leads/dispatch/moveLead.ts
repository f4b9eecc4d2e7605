import { defineCommand, field } from 'renown'
import * as v from 'valibot'
import { Lead } from '../records/Lead'
import { changeLead } from './change-lead'
import { movedTo } from './moved-to'
import { proposedMove } from './proposedMove'

/** Moves a lead. Agents can only propose it. */
export const moveLead = defineCommand({
  name: 'lead move',
  summary: 'Move a lead to another stage',
  input: v.strictObject({
    lead_id: field.text('Id of the lead'),
    stage: Lead.fields.stage,
    lost_reason: v.optional(field.text('Why it was lost; needed for the stage lost')),
  }),
  positional: ['lead_id', 'stage'],
  proposal: proposedMove,
  async run(ctx, { lead_id, stage, lost_reason }) {
    const moved = await changeLead(ctx, lead_id, movedTo(ctx.now(), stage, lost_reason))
    return { lead_id, stage: moved.stage, stage_changed_at: moved.stage_changed_at }
  },
})
