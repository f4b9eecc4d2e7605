import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningClient, startClient } from './clients'

/** One thing the suite looked at. */
export interface Check {
  readonly scenario: string
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}

/** Runs the suite and reads what it wrote down of each check. `meanwhile` does what it asks a person to do. */
export async function runSuite(
  command: string[],
  words: string[],
  meanwhile: (suite: RunningClient) => Promise<unknown> = async () => {},
): Promise<{ output: string; checks: Check[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'renown-conformance-'))
  await using suite = startClient([...command, ...words, '-o', folder], { HOME: folder })
  try {
    await meanwhile(suite)
    await suite.ended
    return { output: suite.output(), checks: checksIn(folder) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function checksIn(folder: string): Check[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('checks.json'),
  )
  return files.flatMap((file) => {
    const scenario = file.replace(/^(?:server|authorization)-|-\d{4}-\d\d-\d\dT[\s\S]*$/g, '')
    const checks = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Omit<Check, 'scenario'>[]
    return checks.map((check) => ({ ...check, scenario }))
  })
}

/** Names that the suite calls tools by, which are none that an operation can have. */
const fixtures: Readonly<Record<string, string>> = {
  test_simple_text: 'testSimpleText',
  test_error_handling: 'testErrorHandling',
  test_logging_tool: 'testLoggingTool',
  test_streaming_elicitation: 'testStreamingElicitation',
}

interface Message {
  readonly method?: string
  readonly params?: { readonly name?: string }
}

/**
 * A door before the product for a suite that cannot send a credential: it puts the key on each request, asks for the fixtures by the
 * names that operations can have, and leaves everything else as it came, Host and Origin among it.
 */
export function serveWithKey(target: string, key: string) {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const headers = new Headers(request.headers)
      headers.set('authorization', `Bearer ${key}`)
      const text = await request.text()
      const body = renamed(text, headers)
      const { method, signal } = request
      return fetch(`${target}${pathname}${search}`, {
        method,
        headers,
        signal,
        decompress: false,
        ...(text === '' ? {} : { body }),
      })
    },
  })
  return { url: `http://localhost:${server.port}/api/mcp`, stop: () => server.stop(true) }
}

function renamed(text: string, headers: Headers): string {
  if (!text.includes('"test_')) return text
  const message = JSON.parse(text) as Message
  const name = message.method === 'tools/call' && fixtures[message.params?.name ?? '']
  if (!name) return text
  if (headers.get('mcp-name') === message.params?.name) headers.set('mcp-name', name)
  return JSON.stringify({ ...message, params: { ...message.params, name } })
}
