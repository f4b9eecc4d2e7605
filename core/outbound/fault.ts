import { type Delivery, type FaultKind, ServiceFault } from '../contracts/service-fault'

/**
 * Why an outbound request failed. `refused` comes from Renown's own rules, all others from the host or the
 * network.
 */
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

/** Failures that always occur before the request is sent. */
const unsent: ReadonlySet<OutboundCode> = new Set(['refused', 'unresolvable', 'certificate'])

/** Returns the fault of an outbound request. Its text contains no address and may be shown. */
export const outboundFault = (
  code: OutboundCode,
  message: string,
  delivery: Delivery | undefined = unsent.has(code) ? 'unsent' : undefined,
): ServiceFault => new ServiceFault(kinds[code], message, { code, delivery })
