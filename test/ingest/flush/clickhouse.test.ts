import { expect, test } from 'bun:test'
import { connectClickhouse } from '../../../ingest/flush/clickhouse'
import { turns } from '../../support/wait-for'

interface Asked {
  readonly url: URL
  readonly agent: string
  readonly body: string
}

/** A connection to a server that answers as `reply` says, and all that it was asked. */
async function withServer(
  { path = '/stats', cluster = undefined as string | undefined, timeoutMs = undefined as number | undefined },
  reply: () => Response | Promise<Response>,
  work: (clickhouse: Awaited<ReturnType<typeof connectClickhouse>>, asked: Asked[]) => Promise<void>,
) {
  const asked: Asked[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const agent = request.headers.get('user-agent') ?? ''
      asked.push({ url: new URL(request.url), agent, body: await request.text() })
      return reply()
    },
  })
  const target = { url: `http://127.0.0.1:${server.port}${path}`, ...(cluster && { cluster }) }
  const clickhouse = await connectClickhouse(target, timeoutMs)
  try {
    await work(clickhouse, asked)
  } finally {
    await clickhouse.close()
    await server.stop(true)
  }
}
const empty = () => new Response('')
const never = () => new Promise<Response>(() => {})

test.each([
  ['/stats', 'stats'],
  ['/my%20stats', 'my stats'],
  ['', 'default'],
  ['/', 'default'],
])('an address with the path "%s" is of the database %s', (path, database) =>
  withServer({ path }, empty, async (clickhouse, asked) => {
    await clickhouse.insert('INSERT INTO t FORMAT TabSeparated', 'a\n')
    const [{ url, agent } = { url: new URL('http://none'), agent: '' }] = asked
    // The client leaves out the default.
    expect([url.pathname, url.searchParams.get('database') ?? 'default']).toEqual(['/', database])
    expect(agent).toStartWith('renown-ingest')
  }),
)

test('rows are sent behind their statement, as they are', () =>
  withServer({}, empty, async (clickhouse, asked) => {
    await clickhouse.insert('INSERT INTO t FORMAT TabSeparated', 'a\tb\nc\td\n')
    expect(asked.map(({ url, body }) => [url.searchParams.get('query'), body])).toEqual([
      ['INSERT INTO t FORMAT TabSeparated', 'a\tb\nc\td\n'],
    ])
  }))

test.each([
  ['', null],
  [' \n', null],
  [' Code: 60 \n', 'Code: 60'],
  ['é'.repeat(501), 'é'.repeat(500)],
])('an answer %j to an insert is an error where it has text', (text, error) =>
  withServer(
    {},
    () => new Response(text),
    async (clickhouse) => {
      const done = clickhouse.insert('INSERT INTO t FORMAT TabSeparated', 'a\n').then(
        () => null,
        (fault: Error) => fault.message,
      )
      expect(await done).toBe(error)
    },
  ),
)

test('a text that comes in pieces is one error', () => {
  const pieces = ['Code: 60. ', 'DB::Exception: ', 'no table']
  const reply = () =>
    new Response(
      new ReadableStream({
        async pull(controller) {
          const piece = pieces.shift()
          if (piece) controller.enqueue(new TextEncoder().encode(piece))
          else controller.close()
          await turns(2)
        },
      }),
    )
  return withServer(
    {},
    reply,
    async (clickhouse) =>
      await expect(clickhouse.insert('INSERT INTO t FORMAT TabSeparated', 'a\n')).rejects.toThrow(
        'Code: 60. DB::Exception: no table',
      ),
  )
})

test('a query is asked with its parameters, and its rows are read', () =>
  withServer(
    {},
    () => new Response('{"a":1}\n{"a":2}\n'),
    async (clickhouse, asked) => {
      expect(await clickhouse.query<{ a: number }>('SELECT {x:String}', { x: 'b' })).toEqual([
        { a: 1 },
        { a: 2 },
      ])
      const [{ url, body } = { url: new URL('http://none'), body: '' }] = asked
      expect(url.searchParams.get('param_x')).toBe('b')
      expect(body).toMatch(/^SELECT \{x:String\}\s+FORMAT JSONEachRow$/)
    },
  ))

test.each([
  [undefined, 't'],
  ['c1', 't_own'],
])('with the cluster %p, blocks go to %s', (cluster, table) =>
  withServer({ cluster }, empty, async (clickhouse) => expect(clickhouse.own('t')).toBe(table)),
)

test.each(['insert', 'query'] as const)('an abort ends the running %s', (call) => {
  const begun = Promise.withResolvers<void>()
  const reply = () => {
    begun.resolve()
    return never()
  }
  return withServer({}, reply, async (clickhouse) => {
    const running =
      call === 'insert'
        ? clickhouse.insert('INSERT INTO t FORMAT TabSeparated', 'a\n')
        : clickhouse.query('SELECT 1', {})
    const ended = running.then(
      () => 'done',
      () => 'ended',
    )
    await begun.promise
    clickhouse.abort()
    expect(await ended).toBe('ended')
  })
})

test('a statement that takes too long is an error', () =>
  withServer(
    { timeoutMs: 20 },
    never,
    async (clickhouse) =>
      await expect(clickhouse.insert('INSERT INTO t FORMAT TabSeparated', 'a\n')).rejects.toThrow('Timeout'),
  ))
