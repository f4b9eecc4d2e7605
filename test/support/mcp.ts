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

/** Calls a tool, and returns its answer as it came. */
export const callToolAsIs = (
  gate: Gate,
  revision: Revision,
  name: string,
  args: Record<string, unknown> = {},
  options: AskOptions & { readonly query?: string } = {},
): Promise<ToolResult> =>
  mcpResult<ToolResult>(askMcp(gate, revision, 'tools/call', { name, arguments: args }, options))

/** Calls a tool, and returns its structured content without the marks around the words of strangers. */
export async function callTool(
  gate: Gate,
  revision: Revision,
  name: string,
  args: Record<string, unknown> = {},
  options: AskOptions & { readonly query?: string } = {},
): Promise<ToolResult> {
  return unmarkedResult(
    await callToolAsIs(gate, revision, name, args, { query: '?structured=1', ...options }),
  )
}

/** Returns a result whose structured content has no marks around the words of strangers. */
export function unmarkedResult({ structuredContent, ...rest }: ToolResult): ToolResult {
  return structuredContent ? { ...rest, structuredContent: unmarked(structuredContent) } : rest
}

/** Returns what stands outside the marks of an answer, as text. */
export function outsideMarks({ content }: ToolResult): string {
  const text = content[0]?.text ?? ''
  const [, mark] = /^\{"untrusted":"Text in <([a-z0-9]{5})>/.exec(text) ?? []
  if (mark === undefined) return text
  const [first = '', ...parts] = text.split(`<${mark}>`)
  return first + parts.map((part) => part.slice(part.indexOf(`</${mark}>`))).join('')
}

/** Returns an answer without the marks around the words of strangers. */
export function unmarked<T extends object>(answer: T): T {
  const { untrusted, ...rest } = answer as T & { untrusted?: string }
  const [, mark] = /^Text in <([a-z0-9]{5})>/.exec(untrusted ?? '') ?? []
  if (mark === undefined) return answer
  return JSON.parse(JSON.stringify(rest).replaceAll(`<${mark}>`, '').replaceAll(`</${mark}>`, ''))
}

/** The problem object in the text of a refusal. */
export function problemIn({ isError, structuredContent, content }: ToolResult): Record<string, unknown> {
  if (!isError || structuredContent) throw new Error('This is no refusal')
  const text = content[0]?.text ?? ''
  return unmarked(JSON.parse(text.slice(text.indexOf('\n') + 1)))
}
