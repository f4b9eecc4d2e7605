import { type FaultKind, ServiceFault } from '../contracts/service-fault'

/** Why asking somebody outside did not work. `refused` is our own rule; everything else is theirs or the network's. */
export type OutboundCode = keyof typeof kinds

const kinds = {
  refused: 'permanent',
  unresolvable: 'transient',
  unreachable: 'transient',
  certificate: 'permanent',
  timeout: 'transient',
  redirect: 'permanent',
  too_large: 'permanent',
  malformed: 'permanent',
} as const satisfies Record<string, FaultKind>

/** The outside could not be asked, or answered what we do not take. The text may be shown: it holds no address. */
export const outboundFault = (code: OutboundCode, message: string): ServiceFault =>
  new ServiceFault(kinds[code], message, { code })
