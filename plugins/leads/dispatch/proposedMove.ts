import {
  mayMove,
  type PreparedChange,
  type ProposableChange,
  Refusal,
  type Row,
  refusedField,
  refusedMove,
  requireRow,
} from 'renown'
import type * as v from 'valibot'
import { Lead } from '../records/Lead'
import { leadStages } from '../records/leadStages'
import { changeLead } from './change-lead'
import { movedTo } from './moved-to'

type LeadRow = Row<typeof Lead>
type Moving = Pick<LeadRow, 'id' | 'stage' | 'stage_changed_at' | 'first_name' | 'last_name'>

export interface WantedMove {
  readonly lead_id: string
  readonly stage: LeadRow['stage']
  readonly lost_reason?: string | undefined
}

const basisOf = ({ stage, stage_changed_at }: Pick<LeadRow, 'stage' | 'stage_changed_at'>) =>
  `${stage} ${stage_changed_at ?? ''}`

/** Returns the move of a lead as a person decides about it. */
export function preparedMove(lead: Moving, input: WantedMove): PreparedChange<WantedMove> {
  const { stage, lost_reason } = input
  const name = [lead.first_name, lead.last_name].filter(Boolean).join(' ')
  const why = stage === 'lost' ? ` It stores the reason: ${lost_reason}` : ''
  return {
    input,
    basis: basisOf(lead),
    record: { entity: 'Lead', id: lead.id },
    title: `Move ${name === '' ? 'a lead' : name.slice(0, 100)} from ${lead.stage} to ${stage}`,
    effect: `Moves the lead from ${lead.stage} to ${stage}.${why}`,
    href: `/app/leads?${new URLSearchParams({ lead: lead.id })}`,
  }
}

/** How an agent proposes to move a lead to another stage. */
export const proposedMove: ProposableChange<v.GenericSchema<unknown, WantedMove>> = {
  label: 'Move lead',
  takes: ['lead_id', 'stage', 'lost_reason'],
  async prepare(ctx, input) {
    const lead = await requireRow(ctx.rows(Lead), 'lead', input.lead_id)
    if (!mayMove(leadStages, lead.stage, input.stage)) throw refusedMove(leadStages, lead.stage, input.stage)
    if (input.stage === 'lost' && !input.lost_reason)
      throw refusedField('lost_reason', 'Moving to lost needs lost_reason.')
    return preparedMove(lead, input)
  },
  async run(ctx, { input: { lead_id, stage, lost_reason }, basis }) {
    await changeLead(ctx, lead_id, (lead) => {
      if (basisOf(lead) !== basis) throw new Refusal('conflict', 'Somebody else moved the lead.')
      return movedTo(ctx.now(), stage, lost_reason)(lead)
    })
  },
}
