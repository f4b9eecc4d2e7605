import { afterEach, beforeEach, expect, test } from 'bun:test'
import { JobLease } from '../../../core/jobs/JobLease'
import { createLocks } from '../../../core/jobs/locks'
import type { Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { describeGateStores } from '../../support/mongo'
import { quietLog } from '../../support/quiet-log'
import { passTime } from '../../support/wait-for'

describeGateStores('Turns on %s', (_, open) => {
  const clock = { now: () => new Date() }
  let documents: Documents
  beforeEach(async () => {
    documents = (await open()) ?? (await openSqlite({ path: ':memory:', now: clock.now, log: quietLog }))
  })
  afterEach(() => documents.close())
  const process = () => createLocks({ documents, clock })

  test('are taken one at a time, in one process and between them', async () => {
    const processes = [process(), process(), process()]
    let at = 0
    let most = 0
    const done: number[] = []
    await Promise.all(
      Array.from({ length: 12 }, (_, place) =>
        processes[place % 3]?.('shop', async () => {
          most = Math.max(most, ++at)
          await passTime(2)
          at--
          done.push(place)
        }),
      ),
    )
    expect([most, done.length]).toEqual([1, 12])
    expect(done.filter((place) => place % 3 === 0)).toEqual([0, 3, 6, 9])
  }, 90_000)

  test('of other names wait for nobody', async () => {
    const withLock = process()
    const answer = await withLock('one', () => withLock('other', async () => 7))
    expect(answer).toBe(7)
  })

  test('are given on by work that fails, which says why', async () => {
    const one = process()
    const other = process()
    const failing = one('shop', () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(await other('shop', async () => 1)).toBe(1)
    expect(await one('shop', async () => 2)).toBe(2)
  })

  test('are not given where the store could not make their table, and are asked for again', async () => {
    let made = 0
    const ensure: Documents['ensure'] = async (...entities) => {
      if (++made === 1) throw new Error('away')
      await documents.ensure(...entities)
    }
    const withLock = createLocks({ documents: { ...documents, ensure }, clock })
    let ran = 0
    const work = async () => ++ran
    await expect(withLock('shop', work)).rejects.toThrow('away')
    expect([made, ran]).toEqual([1, 0])
    expect([await withLock('shop', work), await withLock('shop', work), made]).toEqual([1, 2, 2])
  })

  test('of a process that died are taken when its lease is over', async () => {
    const past = new Date(clock.now().getTime() - 60_000).toISOString()
    await process()('shop', async () => {})
    const soon = new Date(clock.now().getTime() + 300).toISOString()
    const held = { set: { holder: 'run_dead', until: soon, next_at: past }, inc: { fence: 1 } }
    await documents.collection(JobLease).updateOne({ op: 'eq', field: 'id', value: 'turn shop' }, held)
    let isFree = false
    const freed = process()('shop', async () => {
      isFree = clock.now().toISOString() >= soon
    })
    await freed
    expect(isFree).toBe(true)
  })
})
