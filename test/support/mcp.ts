import type { AskOptions, Gate } from './harness'

/** The two protocols that MCP is spoken in here. */
export const revisions = ['2025-11-25', '2026-07-28'] as const
export type Revision = (typeof revisions)[number]

export interface ToolResult {
  readonly content: { readonly type: string; readonly text: string }[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: boolean
}

const named: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/** A POST to MCP as a client of that revision writes it. */
export function mcpRequest(revision: Revision, method: string, params: Record<string, unknown> = {}) {
  const headers: Record<string, string> = { 'mcp-protocol-version': revision }
  const body: Record<string, unknown> = { jsonrpc: '2.0', id: 1, method, params }
  if (revision === '2026-07-28') {
    const key = named[method]
    headers['mcp-method'] = method
    if (key) headers['mcp-name'] = String(params[key])
    body.params = {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': revision,
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1.0.0' },
      },
    }
  }
  return { headers, body }
}

/** Asks MCP and answers what came back over HTTP. */
export function askMcp(
  gate: Gate,
  revision: Revision,
  method: string,
  params: Record<string, unknown> = {},
  { headers, ...options }: AskOptions & { readonly query?: string } = {},
): Promise<Response> {
  const request = mcpRequest(revision, method, params)
  return gate.ask(`/api/mcp${options.query ?? ''}`, {
    method: 'POST',
    ...options,
    body: request.body,
    headers: { ...request.headers, ...headers },
  })
}

/** The result of a method, or the JSON-RPC error as it stands. */
export async function mcpResult<T>(answer: Promise<Response>): Promise<T> {
  const { result, error } = (await (await answer).json()) as { result?: T; error?: unknown }
  if (result === undefined) throw new Error(JSON.stringify(error))
  return result
}

/** Calls a tool. */
export const callTool = (
  gate: Gate,
  revision: Revision,
  name: string,
  args: Record<string, unknown> = {},
  options: AskOptions & { readonly query?: string } = {},
): Promise<ToolResult> =>
  mcpResult<ToolResult>(askMcp(gate, revision, 'tools/call', { name, arguments: args }, options))

/** The problem object in the text of a refusal. */
export function problemIn({ isError, structuredContent, content }: ToolResult): Record<string, unknown> {
  if (!isError || structuredContent) throw new Error('This is no refusal')
  const text = content[0]?.text ?? ''
  return JSON.parse(text.slice(text.indexOf('\n') + 1))
}
