import { gunzipSync } from 'node:zlib'
import { Session } from 'chdb'

/**
 * ClickHouse's HTTP interface in front of chDB, as far as @clickhouse/client uses it: `/ping`, statements in the body or
 * in `?query`, parameters in the address or as multipart, settings, database, user, compression, errors with their codes.
 * Not covered: exceptions after the first byte of an answer, binary request bodies, sessions, roles.
 * By itself: `bun test/support/clickhouse-front.ts <port> <folder>` prints `listening <port>`.
 */
export function startClickhouseFront(options: {
  folder: string
  port?: number
  user?: string
  password?: string
}): { url: string; port: number; stop(): Promise<void>; requests(): number } {
  const { folder, user = 'default', password = '' } = options
  const keeper = new Session(folder)
  let requests = 0
  const running = new Set<Promise<unknown>>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: options.port ?? 0,
    idleTimeout: 120,
    maxRequestBodySize: 512 * 2 ** 20,
    async fetch(request) {
      requests++
      const url = new URL(request.url)
      if (url.pathname === '/ping') return new Response('Ok.\n')
      const work = respond(request, url, folder, `${user}:${password}`)
      running.add(work)
      try {
        return await work
      } finally {
        running.delete(work)
      }
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port ?? 0,
    requests: () => requests,
    async stop() {
      await server.stop(true)
      await Promise.allSettled([...running])
      keeper.close()
    },
  }
}

async function respond(request: Request, url: URL, folder: string, credentials: string): Promise<Response> {
  if (!isAllowed(request, url, credentials)) {
    return failure('Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)')
  }
  const given = await readRequest(request, url)
  const queryId = given.values.get('query_id') ?? crypto.randomUUID()
  const session = new Session(folder)
  try {
    for (const statement of preparations(given.values)) await session.queryAsync(statement)
    const started = performance.now()
    const result = await session.queryAsync(given.sql, {
      format: given.values.get('default_format') ?? 'TabSeparated',
    })
    const summary = {
      read_rows: String(result.rowsRead),
      read_bytes: String(result.bytesRead),
      written_rows: '0',
      written_bytes: '0',
      total_rows_to_read: '0',
      result_rows: String(result.rowsRead),
      result_bytes: String(result.bytesRead),
      elapsed_ns: String(Math.round((performance.now() - started) * 1e6)),
    }
    return answer(request, given.values, result.bytes(), {
      'X-ClickHouse-Query-Id': queryId,
      'X-ClickHouse-Summary': JSON.stringify(summary),
      'X-ClickHouse-Format': formatOf(given.sql),
      'Content-Type': 'text/plain; charset=UTF-8',
    })
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error), queryId)
  } finally {
    session.close()
  }
}

function isAllowed(request: Request, url: URL, credentials: string): boolean {
  const header = request.headers.get('authorization')
  if (header) return header === `Basic ${Buffer.from(credentials).toString('base64')}`
  const name = request.headers.get('x-clickhouse-user') ?? url.searchParams.get('user') ?? 'default'
  const word = request.headers.get('x-clickhouse-key') ?? url.searchParams.get('password') ?? ''
  return `${name}:${word}` === credentials
}

interface Given {
  readonly sql: string
  readonly values: Map<string, string>
}

async function readRequest(request: Request, url: URL): Promise<Given> {
  const values = new Map(url.searchParams)
  if (request.headers.get('content-type')?.startsWith('multipart/form-data')) {
    for (const [name, value] of await request.formData()) values.set(name, String(value))
    return { sql: values.get('query') ?? '', values }
  }
  let bytes = new Uint8Array(await request.arrayBuffer())
  if (request.headers.get('content-encoding') === 'gzip') bytes = new Uint8Array(gunzipSync(bytes))
  const body = new TextDecoder().decode(bytes)
  const query = values.get('query')
  return { sql: query === undefined ? body : body ? `${query}\n${body}` : query, values }
}

const ours = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'user',
  'password',
  'wait_end_of_query',
  'enable_http_compression',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
])

/** What a server does with the address before it runs the statement. The binder of chDB would unescape twice. */
function preparations(values: Map<string, string>): string[] {
  const statements = []
  const database = values.get('database')
  if (database) statements.push(`USE \`${database.replace(/[\\`]/g, '\\$&')}\``)
  for (const [name, value] of values) {
    if (!ours.has(name)) statements.push(`SET ${name} = '${value.replace(/[\\']/g, '\\$&')}'`)
  }
  return statements
}

function answer(
  request: Request,
  values: Map<string, string>,
  bytes: Uint8Array,
  headers: Record<string, string>,
): Response {
  const body = bytes as Uint8Array<ArrayBuffer>
  const zipped =
    values.get('enable_http_compression') === '1' && request.headers.get('accept-encoding')?.includes('gzip')
  return zipped
    ? new Response(Bun.gzipSync(body), { headers: { ...headers, 'Content-Encoding': 'gzip' } })
    : new Response(body, { headers })
}

const formatOf = (sql: string) => /\bFORMAT\s+(\w+)\s*$/i.exec(sql)?.[1] ?? 'TabSeparated'

const statuses: Readonly<Record<string, number>> = {
  '60': 404,
  '62': 400,
  '81': 404,
  '115': 400,
  '159': 408,
  '395': 500,
  '497': 403,
  '516': 403,
}

function failure(message: string, queryId = ''): Response {
  const text = message.includes('DB::Exception')
    ? message
    : `Code: 1001. DB::Exception: ${message} (STD_EXCEPTION)`
  const code = /Code: (\d+)/.exec(text)?.[1] ?? '1001'
  return new Response(`${text} (version 26.7)\n`, {
    status: statuses[code] ?? 500,
    headers: { 'X-ClickHouse-Exception-Code': code, 'X-ClickHouse-Query-Id': queryId },
  })
}

if (import.meta.main) {
  const [port = '0', folder = ''] = process.argv.slice(2)
  const front = startClickhouseFront({
    folder,
    port: Number(port),
    user: process.env.FRONT_USER ?? 'default',
    password: process.env.FRONT_PASSWORD ?? '',
  })
  process.stdout.write(`listening ${front.port}\n`)
  const end = () => void front.stop().then(() => process.exit(0))
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}
