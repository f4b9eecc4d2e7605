import { afterAll, expect, test } from 'bun:test'
import { openColumns } from '../../../../core/stores/columns/client'
import { UnavailableError } from '../../../../core/stores/columns/port'
import { requestWork, runWork } from '../../../../core/work/scope'
import { chdbFolder } from '../../../support/chdb'
import { startClickhouseFront } from '../../../support/clickhouse-front'
import { faultyProxy } from '../../../support/faulty-proxy'
import { quietLog } from '../../../support/quiet-log'

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
