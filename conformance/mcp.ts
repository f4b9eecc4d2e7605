import { type Answer, type Asking, type Connection, repeatsMax } from './connection'
import { isObject, type JsonObject } from './json'

/** The two revisions of the protocol that an installation must support. */
export const revisions = ['2025-11-25', '2026-07-28'] as const
export type Revision = (typeof revisions)[number]

/** The header `Mcp-Name` repeats this parameter. */
const namedBy: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/** A tool as clients list it. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations: JsonObject
}

/** The answer of a tool. */
export interface ToolAnswer {
  readonly status: number
  readonly isError: boolean
  readonly text: string
  readonly structured: JsonObject | null
  /** The error of the protocol, if there is one. */
  readonly fault: JsonObject | null
}

/** How a tool is called. */
export interface Calling extends Pick<Asking, 'key' | 'workspace'> {
  readonly revision?: Revision
  /** Query string of the endpoint, such as `?structured=1`. */
  readonly query?: string
}

/** What a client of the 2026 revision sends with each request. */
export const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'renown-conformance', version: '1.0.0' },
}

/** Sends one method, as a client of that revision does. */
export function askMcp(
  connection: Connection,
  method: string,
  params: JsonObject = {},
  { revision = '2025-11-25', query = '', ...asking }: Calling = {},
): Promise<Answer> {
  const headers: Record<string, string> = { 'mcp-protocol-version': revision }
  let sent = params
  if (revision === '2026-07-28') {
    headers['mcp-method'] = method
    const name = namedBy[method]
    if (name) headers['mcp-name'] = String(params[name])
    sent = { ...params, _meta: envelope }
  }
  const body = { jsonrpc: '2.0', id: 1, method, params: sent }
  return connection.ask(`/api/mcp${query}`, { method: 'POST', body, headers, ...asking })
}

/** Returns the result of a method. Null if the answer is an error or not JSON-RPC. */
export function resultOf({ json }: Answer): JsonObject | null {
  const { result } = isObject(json) ? json : {}
  return isObject(result) ? result : null
}

/** Calls a tool. Waits and repeats a call that was refused for its rate. */
export async function callTool(
  connection: Connection,
  name: string,
  args: JsonObject,
  calling: Calling = {},
): Promise<ToolAnswer> {
  for (let repeats = 0; ; repeats++) {
    const answer = await callOnce(connection, name, args, calling)
    const isLimited = answer.isError && answer.text.includes('"code":"quota_exceeded"')
    if (!isLimited || repeats === repeatsMax) return answer
    await connection.pause(Number(/ Retry after (\d{1,9}) s\./.exec(answer.text)?.[1] ?? 1))
  }
}

async function callOnce(
  connection: Connection,
  name: string,
  args: JsonObject,
  calling: Calling,
): Promise<ToolAnswer> {
  const answer = await askMcp(connection, 'tools/call', { name, arguments: args }, calling)
  const result = resultOf(answer)
  const [first] = Array.isArray(result?.content) ? result.content : []
  const { error } = isObject(answer.json) ? answer.json : {}
  return {
    status: answer.status,
    isError: result?.isError === true,
    text: isObject(first) && typeof first.text === 'string' ? first.text : '',
    structured: isObject(result?.structuredContent) ? result.structuredContent : null,
    fault: isObject(error)
      ? error
      : result
        ? null
        : isObject(answer.json)
          ? answer.json
          : { text: answer.text },
  }
}

/** Returns the tools of an answer to `tools/list`. Null if it is none. */
export function toolsOf(answer: Answer): ListedTool[] | null {
  const tools = resultOf(answer)?.tools
  if (!Array.isArray(tools)) return null
  const listed = tools.filter(
    (tool) =>
      isObject(tool) &&
      typeof tool.name === 'string' &&
      isObject(tool.inputSchema) &&
      isObject(tool.annotations),
  )
  return listed.length === tools.length ? (listed as unknown as ListedTool[]) : null
}
