import { afterAll, expect, test } from 'bun:test'
import { openColumns } from '../../../../core/stores/columns/client'
import { UnavailableError } from '../../../../core/stores/columns/port'
import { requestWork, runWork } from '../../../../core/work/scope'
import { chdbFolder } from '../../../support/chdb'
import { startClickhouseFront } from '../../../support/clickhouse-front'
import { faultyProxy } from '../../../support/faulty-proxy'
import { quietLog } from '../../../support/quiet-log'
import { waitFor } from '../../../support/wait-for'

const front = startClickhouseFront({ folder: chdbFolder() })
const proxy = faultyProxy('127.0.0.1', front.port, 5_000)
afterAll(async () => {
  proxy.stop()
  await front.stop()
})

test.each(['silent', 'slow', 'killed'] as const)(
  'a request does not wait for a server that is %s longer than for its own time limit, and reads again after it',
  async (fault) => {
    const store = await openColumns({ url: `http://127.0.0.1:${proxy.port}/default` }, { log: quietLog })
    const limit = { limitMs: 300, disconnected: () => undefined }
    const read = () => runWork(requestWork(limit), () => store.query('SELECT 1 AS one'))
    try {
      proxy.set(fault)
      // Without the limit, the client of a silent server waits for 30 s, longer than this test may take.
      expect(await read().catch((error: unknown) => error)).toBeInstanceOf(UnavailableError)
      proxy.set('none')
      expect(
        await runWork(requestWork({ ...limit, limitMs: 10_000 }), () => store.query('SELECT 1 AS one')),
      ).toEqual([{ one: 1 }])
    } finally {
      proxy.set('none')
      await store.close()
    }
  },
  20_000,
)

test('reads of a silent server end long before their own limit, whether they run or wait, and none is sent after that', async () => {
  const store = await openColumns({ url: `http://127.0.0.1:${proxy.port}/default` }, { log: quietLog })
  const limit = { limitMs: 25_000, disconnected: () => undefined }
  const read = () =>
    runWork(requestWork(limit), () => store.query('SELECT 1 AS one')).catch((error: unknown) => error)
  try {
    proxy.set('silent')
    // More than a server takes at once.
    for (const error of await Promise.all(Array.from({ length: 30 }, read)))
      expect(error).toBeInstanceOf(UnavailableError)
    proxy.set('none')
    await waitFor(async () => Array.isArray(await read()), { what: 'an answer', everyMs: 50 })
  } finally {
    proxy.set('none')
    await store.close()
  }
}, 20_000)

test.each([
  '<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>',
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>nginx</body></html>',
  'no healthy upstream',
  'upstream connect error or disconnect/reset before headers',
])('a balancer that says %p is a store that is away', async (text) => {
  let isAway = false
  const balancer = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      if (isAway) return new Response(text, { status: 503 })
      const { pathname, search } = new URL(request.url)
      return fetch(`http://127.0.0.1:${front.port}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        ...(request.method === 'POST' ? { body: await request.arrayBuffer() } : {}),
      })
    },
  })
  const store = await openColumns({ url: `http://127.0.0.1:${balancer.port}/default` }, { log: quietLog })
  try {
    isAway = true
    expect(await store.query('SELECT 1').catch((error: unknown) => error)).toBeInstanceOf(UnavailableError)
  } finally {
    await store.close()
    await balancer.stop(true)
  }
})
