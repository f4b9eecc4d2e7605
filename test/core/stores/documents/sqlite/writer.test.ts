import { expect, test } from 'bun:test'
import { UnavailableError } from '../../../../../core/stores/documents/port'
import { openWriter } from '../../../../../core/stores/documents/sqlite/connection'
import { createWriter } from '../../../../../core/stores/documents/sqlite/writer'

/** A writer whose turns take as long as `nowMs` says: no time, unless a test is about time. */
function opened(nowMs = () => 0) {
  const connection = openWriter(':memory:')
  connection.run('CREATE TABLE t (n INTEGER PRIMARY KEY)')
  const commits: number[] = []
  const writer = createWriter(connection, (writes) => commits.push(writes), nowMs)
  const add = (n: number) => writer.write(() => connection.run('INSERT INTO t VALUES (?)', [n]).changes)
  const count = () => connection.rows('SELECT count(*) FROM t')[0]?.[0]
  return { connection, commits, writer, add, count }
}

const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error)

test('writes of one turn of the event loop are one commit, in order', async () => {
  const { writer, commits, add, count } = opened()
  const order: number[] = []
  await Promise.all(Array.from({ length: 10 }, (_, n) => add(n).then(() => order.push(n))))
  expect(commits).toEqual([10])
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  await add(10)
  expect(commits).toEqual([10, 1])
  await writer.idle()
  expect(count()).toBe(11)
})

test('a turn that takes long commits and lets others in', async () => {
  let ms = 0
  const { writer, commits } = opened(() => ms)
  const slow = () => {
    ms += 5
  }
  const turns: number[] = []
  const tick = () => {
    turns.push(commits.length)
    if (commits.length < 3) setImmediate(tick)
  }
  setImmediate(tick)
  await Promise.all(Array.from({ length: 6 }, () => writer.write(slow)))
  expect(commits).toEqual([2, 2, 2])
  // Others had a turn between any two commits.
  expect(turns).toEqual(expect.arrayContaining([1, 2]))
})

test('a write that throws undoes itself alone', async () => {
  const { commits, writer, add, connection, count } = opened()
  const broken = writer.write(() => {
    connection.run('INSERT INTO t VALUES (99)')
    throw new Error('broken')
  })
  const outcomes = await Promise.allSettled([add(1), broken, add(2)])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await failure(broken)).toEqual(new Error('broken'))
  expect([count(), commits]).toEqual([2, [3]])
})

test('a turn that cannot be committed is unavailable to everybody in it, and the next one works', async () => {
  const { writer, add, connection, count } = opened()
  const work = [add(1), writer.write(() => connection.db.run('ROLLBACK')), add(2)].map(failure)
  const [first, second] = await Promise.all(work)
  expect(first).toBeInstanceOf(UnavailableError)
  expect(second).toBeInstanceOf(UnavailableError)
  expect(await work[2]).toBeUndefined()
  await add(3)
  expect(count()).toBe(2)
})

test('what waits is answered before the writer is idle, and what comes after it is closed is unavailable', async () => {
  const { writer, add, connection } = opened()
  let answered = 0
  for (let n = 0; n < 5; n++) add(n).then(() => answered++)
  await writer.idle()
  await Promise.resolve()
  expect(answered).toBe(5)
  connection.close()
  expect(await failure(add(6))).toBeInstanceOf(UnavailableError)
})
