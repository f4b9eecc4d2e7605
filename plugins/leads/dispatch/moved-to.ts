import { moveState, type Row, where } from 'renown'
import type { Lead } from '../records/Lead'
import { leadStages } from '../records/leadStages'
import type { LeadChange } from './change-lead'

type Stage = Row<typeof Lead>['stage']

/** Returns a move of a lead to a stage. Throws if it is not allowed, or if a loss has no reason. */
export const movedTo =
  (now: Date, to: Stage, lost_reason?: string) =>
  ({ stage }: Row<typeof Lead>): LeadChange => ({
    changes: moveState(leadStages, stage, to, { now, with: to === 'lost' ? { lost_reason } : {} }),
    unless: [where.eq('stage', stage)],
  })
