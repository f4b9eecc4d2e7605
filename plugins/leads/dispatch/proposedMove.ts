import { mayMove, type Row, refusedField, refusedMove, requireRow } from 'renown'
import type { PreparedChange, ProposalReads } from 'renown/pages'
import { Lead } from '../records/Lead'
import { leadStages } from '../records/leadStages'

type LeadRow = Row<typeof Lead>
type Moving = Pick<LeadRow, 'id' | 'stage' | 'stage_changed_at' | 'first_name' | 'last_name'>

export interface WantedMove extends Record<string, unknown> {
  readonly lead_id: string
  readonly stage: LeadRow['stage']
  readonly lost_reason?: string | undefined
}

/** Identifies the stage of a lead, and since when it has it. */
export const moveBasis = ({ stage, stage_changed_at }: Pick<LeadRow, 'stage' | 'stage_changed_at'>) =>
  `${stage} ${stage_changed_at ?? ''}`

/** Returns the move of a lead as a person decides about it. */
export function preparedMove(lead: Moving, input: WantedMove): PreparedChange<WantedMove> {
  const { stage, lost_reason } = input
  const name = [lead.first_name, lead.last_name].filter(Boolean).join(' ')
  const why = stage === 'lost' ? ` It stores the reason: ${lost_reason}` : ''
  return {
    input,
    basis: moveBasis(lead),
    record: { entity: 'Lead', id: lead.id },
    title: `Move ${name === '' ? 'a lead' : name.slice(0, 100)} from ${lead.stage} to ${stage}`,
    effect: `Moves the lead from ${lead.stage} to ${stage}.${why}`,
    href: `/app/leads?${new URLSearchParams({ lead: lead.id })}`,
  }
}

/** Prepares the move of a lead that an agent proposes. */
export async function prepareMove(
  ctx: ProposalReads,
  input: WantedMove,
): Promise<PreparedChange<WantedMove>> {
  const lead = await requireRow(ctx.rows(Lead), 'lead', input.lead_id)
  if (!mayMove(leadStages, lead.stage, input.stage)) throw refusedMove(leadStages, lead.stage, input.stage)
  if (input.stage === 'lost' && !input.lost_reason)
    throw refusedField('lost_reason', 'Moving to lost needs lost_reason.')
  return preparedMove(lead, input)
}
