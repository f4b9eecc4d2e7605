import type { DemoDeclaration, DemoRow, SampleProposal } from '../../contracts/demo'
import type { PluginDeclaration } from '../../contracts/plugin'
import { dayMs, demoRows } from '../../kit'
import { addressIn, baseOf } from '../../kit/page-addresses'
import { Proposal } from './Proposal'
import { digestOf, storedMs, waitsMs } from './proposeChange'

const outcomes: Readonly<Partial<Record<SampleProposal['state'], string>>> = {
  declined: 'We call this person first.',
  outdated: 'The record changed after the proposal was made.',
  failed: 'The platform rejected the reply: it is too short.',
  unknown: 'Renown stopped while it made the change. Look at the record whether it was made.',
}
/** Nothing looks at an approved or queued sample again: the first has no time of its decision, the other no act. */
const decided: readonly SampleProposal['state'][] = [
  'queued',
  'done',
  'failed',
  'declined',
  'outdated',
  'unknown',
]

/** The sample proposals of plugins. Open ones were made yesterday, the others before. */
export const proposalsDemo = (plugins: readonly PluginDeclaration[]): DemoDeclaration => ({
  rows(world) {
    const samples = plugins.flatMap(({ demo }) => demo?.proposals?.(world) ?? [])
    const rows = samples.map(
      ({ workspace_id, change, reason, state, prepared }, place): DemoRow<typeof Proposal> => {
        const daysAgo = state === 'expired' ? 15 : state === 'open' ? 1 : 2 + place
        const created_date = world.at(daysAgo, 9)
        const later = (ms: number) => new Date(Date.parse(created_date) + ms).toISOString()
        const decided_at = later(dayMs / 24)
        return {
          id: world.id(Proposal, String(place)),
          workspace_id,
          change,
          reason,
          state,
          created_date,
          record_type: prepared.record.entity,
          record_id: prepared.record.id,
          page: addressIn(baseOf(workspace_id), prepared.href),
          title: prepared.title,
          effect: prepared.effect,
          basis: prepared.basis,
          input: prepared.input as Record<string, unknown>,
          proposed_by: 'Sample assistant',
          credential: 'demo',
          digest: digestOf(change, prepared),
          expires_at: later(waitsMs),
          expire_at: later(storedMs),
          ...(decided.includes(state) ? { decided_at } : {}),
          ...(state === 'done' ? { done_at: decided_at } : {}),
          ...(outcomes[state] === undefined ? {} : { outcome: outcomes[state] }),
        }
      },
    )
    return [demoRows(Proposal, rows)]
  },
})
