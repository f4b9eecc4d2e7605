import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { createReader } from '../../../core/stores/documents/sqlite/reader'
import { createFairQueue } from '../../../core/work/fair-queue'
import { longWork, operatorWork, runWork } from '../../../core/work/scope'
import { freshColumns } from '../../support/chdb'
import { quietLog as log } from '../../support/quiet-log'
import { turns } from '../../support/wait-for'

const folder = mkdtempSync(join(tmpdir(), 'renown-lane-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const user = (tenant: string) => longWork(tenant, new AbortController().signal)

describe('a command of an operator', () => {
  test('starts at once while users have all slots and a hundred more wait, and takes none of theirs', async () => {
    const queue = createFairQueue({ name: 'scans', slots: 2, perTenant: 1, waitingMax: 1_000 })
    const ended: string[] = []
    const gate = Promise.withResolvers<void>()
    const users = Array.from({ length: 100 }, (_, place) =>
      queue.run(user(`agency ${place % 5}`), async () => {
        await gate.promise
        ended.push(`user ${place}`)
      }),
    )
    await queue.run(operatorWork(), async () => void ended.push('operator'))
    expect(ended).toEqual(['operator'])
    expect(queue.load()).toEqual({ running: 2, waiting: 98 })
    gate.resolve()
    await Promise.all(users)
  })

  test('waits for another command only when both slots of commands are taken', async () => {
    const queue = createFairQueue({ name: 'scans', slots: 1, perTenant: 1, waitingMax: 1 })
    const gate = Promise.withResolvers<void>()
    const started: number[] = []
    const commands = [0, 1, 2, 3].map((place) =>
      queue.run(operatorWork(), async () => {
        started.push(place)
        await gate.promise
      }),
    )
    await turns(1)
    expect(started).toEqual([0, 1])
    gate.resolve()
    await Promise.all(commands)
    expect(started).toEqual([0, 1, 2, 3])
  })

  test('reads the embedded documents before any of the scans of users that run and wait', async () => {
    const path = join(folder, 'documents.sqlite')
    const documents = await openSqlite({ path, now: () => new Date(), log })
    const reader = createReader(path)
    const slow =
      'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 200000) SELECT max(x) FROM c'
    const answered: string[] = []
    const ask = (work: ReturnType<typeof user>, sql: string, name: string) =>
      runWork(work, () => reader.rows(sql, [])).then(() => answered.push(name))
    // Four threads start first, so that the command is not decided by the start of its own.
    const starts = [0, 1, 2].map((n) => ask(user(`agency ${n}`), slow, 'start'))
    await Promise.all([...starts, ask(operatorWork(), slow, 'start')])
    answered.length = 0
    const users = Array.from({ length: 8 }, (_, n) => ask(user(`agency ${n % 4}`), slow, 'user'))
    await ask(operatorWork(), 'SELECT 1', 'operator')
    // Three scans ran when it was asked. It waited for none of the others.
    expect(answered.indexOf('operator')).toBeLessThanOrEqual(3)
    await Promise.all(users)
    await reader.close()
    await documents.close()
  }, 60_000)

  test('reads ClickHouse with a client of its own, while users have every other', async () => {
    const columns = await freshColumns()
    const answered: string[] = []
    await runWork(operatorWork(), () => columns.query('SELECT 1'))
    const users = Array.from({ length: 6 }, (_, n) =>
      runWork(user(`agency ${n}`), () => columns.query('SELECT sleep(1)')).then(() => answered.push('user')),
    )
    await runWork(operatorWork(), () => columns.query('SELECT 1')).then(() => answered.push('operator'))
    expect(answered.indexOf('operator')).toBeLessThanOrEqual(3)
    await Promise.all(users)
    await columns.close()
  }, 60_000)
})
