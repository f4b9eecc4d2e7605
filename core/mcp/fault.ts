/** An error of the protocol, not of a tool: both SDKs return its code and message as a JSON-RPC error. */
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
