import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { where } from '../../../core/contracts/where'
import { withCore } from '../../../core/product/core-plugins'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { Notification } from '../../../core/tenancy/news/Notification'
import { Workspace } from '../../../core/tenancy/Workspace'
import { quietLog } from '../../support/quiet-log'
import { type Workbench, workbench } from '../../support/workbench'

let bench: Workbench
beforeEach(async () => {
  bench = await workbench(withCore([]))
})
afterEach(() => bench.stop())

const news = (once: string) => ({
  workspace_id: 'wsp_1',
  type: 'x',
  severity: 'info' as const,
  title: 'T',
  body: 'B',
  is_read: false,
  once,
})
const count = () => bench.owner.rows(Notification).count()

describe('Writes that are stored together', () => {
  test('are all stored, and the rows are as they were returned', async () => {
    const first = await bench.owner.rows(Notification).insert(news('first'))
    const made: unknown[] = []
    await bench.owner.writeTogether((batch) => {
      made.push(batch.insert(Notification, news('second')), batch.insert(Notification, news('third')))
      batch.update(Notification, first.id, { is_read: true })
      batch.update(Notification, 'ntf_unknown', { is_read: true })
    })
    expect(await count()).toBe(3)
    expect((await bench.owner.rows(Notification).get(first.id))?.is_read).toBe(true)
    const [second] = await bench.owner.rows(Notification).list({ where: where.eq('once', 'second') })
    expect<unknown>(second).toEqual(made[0])
  })

  test('are none of them stored if one is refused', async () => {
    expect(bench.owner.hasTransactions).toBe(true)
    const first = await bench.owner.rows(Notification).insert(news('first'))
    const write = bench.owner.writeTogether((batch) => {
      batch.update(Notification, first.id, { is_read: true })
      batch.insert(Notification, news('second'))
      batch.insert(Notification, news('first'))
    })
    await expect(write).rejects.toMatchObject({ code: 'conflict' })
    expect(await count()).toBe(1)
    expect((await bench.owner.rows(Notification).get(first.id))?.is_read).toBe(false)
    const invalid = bench.owner.writeTogether((batch) => {
      batch.insert(Notification, news('second'))
      batch.insert(Notification, { ...news('third'), title: 7 } as never)
    })
    await expect(invalid).rejects.toMatchObject({ code: 'invalid_field' })
    expect(await count()).toBe(1)
  })

  test('are stored in their order if the store has no transactions', async () => {
    const store = await openSqlite({ path: ':memory:', now: () => bench.now, log: quietLog })
    const { together: _, ...documents } = store
    const plain = await workbench(withCore([]), {}, { documents })
    expect(plain.owner.hasTransactions).toBe(false)
    const write = plain.owner.writeTogether((batch) => {
      const { id } = batch.insert(Notification, news('first'))
      batch.update(Notification, id, { is_read: true })
      batch.insert(Notification, news('first'))
    })
    await expect(write).rejects.toMatchObject({ code: 'conflict' })
    expect(await plain.owner.rows(Notification).list()).toMatchObject([{ once: 'first', is_read: true }])
    await plain.stop()
  })

  test('are nothing where nothing is collected', async () => {
    await bench.owner.writeTogether(() => {})
    expect(await count()).toBe(0)
  })
})

test('rows that nobody edited have no value that differs from their documents', async () => {
  await bench.owner.rows(Notification).insert(news('first'))
  for (const entity of [Notification, BusinessLocation, Workspace])
    expect(await bench.owner.mismatches(entity, 10)).toEqual([])
})
