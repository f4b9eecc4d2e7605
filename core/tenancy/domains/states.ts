import { defineStates } from '../../kit/states'

/** WhiteLabelDomain.state. It is served while it is verified; whoever shows the record again gets it back. */
export const domainState = defineStates({
  entity: 'WhiteLabelDomain',
  field: 'state',
  initial: ['pending'],
  moves: {
    pending: ['verified', 'failed'],
    failed: ['verified'],
    verified: ['lapsed'],
    lapsed: ['verified'],
  },
  stamps: { verified: 'verified_at' },
  clears: { pending: ['reason'], failed: ['reason'], lapsed: ['reason'] },
})
