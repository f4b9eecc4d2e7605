/** A request to MCP as far as an SDK's answer depends on it. */
export interface Asked {
  readonly isModern: boolean
  /** The query string. */
  readonly search: string
  /** The values of `protocolHeaders`. */
  readonly headers: readonly (string | null)[]
  /** Undefined where it was no JSON. */
  readonly body: unknown
}

/** What a request says of the protocol beside its body. */
export const protocolHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'] as const

/** One request among others of its kind. */
export interface Question {
  readonly id: string | number
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  /** All but the id. */
  readonly rest: Readonly<Record<string, unknown>>
}

/** A body as one question; null for batches, notifications, ids that are none and whatever is no request. */
export function questionIn(body: unknown): Question | null {
  if (!isObject(body)) return null
  const { id, ...rest } = body
  const { method, params = {} } = rest
  const hasId = (typeof id === 'string' && id.length < 100) || Number.isSafeInteger(id)
  if (!hasId || typeof method !== 'string' || !isObject(params)) return null
  return { id: id as string | number, method, params, rest }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const keyCharactersMax = 2_000

/**
 * What an SDK's answer is known by: revision, headers, and the body to the letter but for what differs with each request and
 * decides nothing. Of what a client notes for itself in `_meta`, such as a progress token, only the type counts. Null where it is
 * too long to be remembered.
 */
export function keyOf(
  { isModern, headers }: Asked,
  { rest, params }: Question,
  ...more: unknown[]
): string | null {
  const { _meta: meta } = params
  const same = isObject(meta) ? { ...rest, params: { ...params, _meta: formOf(meta) } } : rest
  const key = JSON.stringify([isModern, headers, more, same])
  return key.length > keyCharactersMax ? null : key
}

/** The protocol's own names; everybody else's have another prefix or none. */
const reserved = 'io.modelcontextprotocol/'

const formOf = (meta: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(meta).map(([name, value]) => [name, name.startsWith(reserved) ? value : kindOf(value)]),
  )

function kindOf(value: unknown): string {
  if (Number.isSafeInteger(value)) return 'integer'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
