import { defineStates } from '../../kit/states'

/**
 * WhiteLabelDomain.state. A domain is served only while it is verified, and again as soon as its record is
 * back.
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
