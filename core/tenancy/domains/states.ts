import { defineStates } from '../../kit/states'

/**
 * WhiteLabelDomain.state. A domain is served while it is verified. It is served again as soon as the record is back.
 */
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
