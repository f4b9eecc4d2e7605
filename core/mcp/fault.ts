/** A fault of the protocol rather than of a tool: both SDKs answer its code and message as a JSON-RPC error. */
export class ProtocolFault extends Error {
  readonly code: number
  readonly data: unknown
  constructor(message: string, data?: unknown) {
    super(message)
    this.name = 'ProtocolFault'
    this.code = -32602
    this.data = data
  }
}
