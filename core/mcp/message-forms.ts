import { isObject } from './sdk-request'

/** An error of JSON-RPC, as both SDKs print it. */
interface RpcFault {
  readonly jsonrpc: '2.0'
  readonly id: unknown
  readonly error: { readonly code: number; readonly message: string }
}

/** The messages of a body that an SDK gets, and the answers to those that it does not get. */
export interface CheckedBody {
  /** Undefined if no message is left. */
  readonly body: unknown
  readonly faults: readonly RpcFault[]
}

/**
 * Checks the form of parameters before an SDK does, so that both revisions answer alike. Arguments that are null are left out. Other
 * arguments that are no object are invalid parameters. Parameters that are no object make the request invalid, and the answer has
 * its id.
 */
export function checkForms(body: unknown): CheckedBody {
  if (!Array.isArray(body)) {
    const { message, fault } = checkMessage(body)
    return fault ? { body: undefined, faults: [fault] } : { body: message, faults: [] }
  }
  const checked = body.map(checkMessage)
  const faults = checked.flatMap(({ fault }) => fault ?? [])
  const messages = checked.flatMap(({ message, fault }) => (fault ? [] : [message]))
  return { body: messages.length === 0 && faults.length > 0 ? undefined : messages, faults }
}

function checkMessage(message: unknown): { readonly message: unknown; readonly fault?: RpcFault } {
  if (!isObject(message) || !isId(message.id) || typeof message.method !== 'string') return { message }
  const { id, params } = message
  if (params === undefined) return { message }
  if (!isObject(params))
    return { message, fault: faultOf(id, -32600, 'Invalid Request: params must be an object') }
  const { arguments: args } = params
  if (args === undefined || isObject(args)) return { message }
  if (args !== null)
    return { message, fault: faultOf(id, -32602, 'Invalid params: arguments must be an object') }
  const { arguments: _, ...others } = params
  return { message: { ...message, params: others } }
}

const isId = (id: unknown) => typeof id === 'string' || typeof id === 'number'

const faultOf = (id: unknown, code: number, message: string): RpcFault => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

/** Returns the answer to a body of which no message is left. Only a request that is none is an error of HTTP. */
export function faultAnswer(faults: readonly RpcFault[], isBatch: boolean): Response {
  const [only] = faults
  const status = !isBatch && only?.error.code === -32600 ? 400 : 200
  return Response.json(isBatch ? faults : only, { status, headers: { 'cache-control': 'private, no-store' } })
}

/** Returns the answer of an SDK to a batch, with the answers to the messages that it did not get. */
export async function withFaults(response: Response, faults: readonly RpcFault[]): Promise<Response> {
  if (faults.length === 0) return response
  if (response.status !== 200) {
    await response.body?.cancel()
    return faultAnswer(faults, true)
  }
  const answered: unknown = await response.json()
  return Response.json([...[answered].flat(), ...faults], {
    headers: { 'cache-control': 'private, no-store' },
  })
}
