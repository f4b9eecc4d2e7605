import { describe, expect, test } from 'bun:test'
import { mayMove } from '../../../core/states'
import { Lead } from '../../../plugins/leads/Lead'
import { leadStages } from '../../../plugins/leads/stage'

const stages = Lead.fields.stage.options
const allowed = new Set([
  'new contacted',
  'new qualified',
  'new lost',
  'contacted qualified',
  'contacted won',
  'contacted lost',
  'contacted new',
  'qualified won',
  'qualified lost',
  'qualified contacted',
  'won qualified',
  'lost contacted',
])

describe('Lead.stage', () => {
  const moves = stages.flatMap((from) => stages.map((to) => [from, to] as const))
  test.each(moves)('%s → %s', (from, to) => {
    expect(mayMove(leadStages, from, to)).toBe(allowed.has(`${from} ${to}`))
  })
})
