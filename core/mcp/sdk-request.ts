/** The parts of an MCP request that the answer of an SDK depends on. */
export interface SdkRequest {
  readonly isModern: boolean
  /** The query string. */
  readonly search: string
  /** The values of `protocolHeaders`. */
  readonly headers: readonly (string | null)[]
  /** Undefined if the body was not JSON. */
  readonly body: unknown
}

/** The headers of a request that concern the protocol. */
export const protocolHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'] as const

/** One JSON-RPC request of a body. */
export interface RpcRequest {
  readonly id: string | number
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  /** The whole request, as sent. */
  readonly body: Readonly<Record<string, unknown>>
}

/** Returns a body as one request. Null for batches, notifications, invalid ids and anything that is not a request. */
export function rpcRequestIn(body: unknown): RpcRequest | null {
  if (!isObject(body)) return null
  const { id, method, params = {} } = body
  const hasId = (typeof id === 'string' && id.length < 100) || Number.isSafeInteger(id)
  if (!hasId || typeof method !== 'string' || !isObject(params)) return null
  return { id: id as string | number, method, params, body }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const keyCharactersMax = 2_000

/**
 * Returns the cache key of an SDK's answer: revision, headers, and the body without parts that differ in each
 * request but do not matter. In a client's own `_meta`, such as a progress token, only the type counts. Of the values
 * of `unread` parameters only their presence counts. Null if the key is too long for the cache.
 */
export function keyOf(
  { isModern, headers }: SdkRequest,
  { body, params }: RpcRequest,
  { search = '', unread }: { readonly search?: string; readonly unread?: string },
): string | null {
  const { _meta: meta } = params
  const same: Record<string, unknown> = { ...params }
  if (isObject(meta)) same._meta = formOf(meta)
  if (unread !== undefined) same[unread] = unread in params
  const key = JSON.stringify([isModern, search, headers, { ...body, id: 0, params: body.params && same }])
  return key.length > keyCharactersMax ? null : key
}

/** Prefix of names that the protocol reserves. */
const reserved = 'io.modelcontextprotocol/'

/** Returns `_meta` with the type in place of each value that the client sets for itself. */
function formOf(meta: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const own = Object.keys(meta).filter((name) => !name.startsWith(reserved))
  return own.length === 0
    ? meta
    : { ...meta, ...Object.fromEntries(own.map((name) => [name, kindOf(meta[name])])) }
}

function kindOf(value: unknown): string {
  if (Number.isSafeInteger(value)) return 'integer'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
