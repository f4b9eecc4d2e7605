/** An error of the protocol, not of a tool: both SDKs return its code and message as a JSON-RPC error. */
export class ProtocolFault extends Error {
  readonly code: number
  readonly data: unknown
  constructor(message: string, data?: unknown, code = -32602) {
    super(message)
    this.name = 'ProtocolFault'
    this.code = code
    this.data = data
  }
}
