import { defineCommand, field, moveState, Refusal, requireRow, where } from 'renown'
import * as v from 'valibot'
import { publishMove } from '../records/events'
import { Lead } from '../records/Lead'
import { leadStages } from '../records/leadStages'

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
    const rows = ctx.rows(Lead)
    const lead = await requireRow(rows, 'lead', lead_id)
    const given = stage === 'lost' ? { lost_reason } : {}
    const changes = moveState(leadStages, lead.stage, stage, { now: ctx.now(), with: given })
    const unmoved = where.and(where.eq('id', lead.id), where.eq('stage', lead.stage))
    await publishMove(ctx, lead, stage)
    const moved = await rows.updateWhere(unmoved, changes)
    if (!moved)
      throw new Refusal('conflict', 'Somebody else moved the lead at the same time. Check it and try again.')
    return { lead_id, stage: moved.stage, stage_changed_at: moved.stage_changed_at }
  },
})
