/** Why asking somebody outside did not work. `refused` is our own rule; everything else is theirs or the network's. */
export type OutboundKind =
  | 'refused'
  | 'unresolvable'
  | 'unreachable'
  | 'certificate'
  | 'timeout'
  | 'redirect'
  | 'content_type'
  | 'too_large'
  | 'malformed'

/** The outside could not be asked, or answered what we do not take. The text may be shown: it holds no address. */
export class OutboundFault extends Error {
  readonly kind: OutboundKind
  constructor(kind: OutboundKind, message: string) {
    super(message)
    this.name = 'OutboundFault'
    this.kind = kind
  }
}
