import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { entry, journalOf, later, settle } from '../support/memory-disk'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const gib = 2 ** 30

test('a segment is closed a second after its first entry', async () => {
  const { append, closed, opened } = await journalOf()
  append()
  await settle()
  await later(999)
  append()
  await settle()
  expect([closed().length, opened().length]).toEqual([0, 1])
  await later(1)
  expect([closed().length, opened().length]).toEqual([1, 0])
  append()
  await settle()
  await later(999)
  expect(closed().length).toBe(1)
  await later(1)
  expect(closed().length).toBe(2)
})

test('a segment is closed as soon as it has four MiB', async () => {
  const { append, closed, sizes } = await journalOf({ segmentMsMax: 1e9 })
  const path = `/${'x'.repeat(2 ** 20 - 60)}`
  for (let n = 0; n < 3; n++) {
    append(entry(path))
    await later(3)
  }
  expect(closed()).toEqual([])
  append(entry(path))
  await later(3)
  const bytes = Math.max(...sizes.values())
  expect([closed().length, bytes >= 4 * 2 ** 20]).toEqual([
    bytes >= 4 * 2 ** 20 ? 1 : 0,
    bytes >= 4 * 2 ** 20,
  ])
  append()
  await later(3)
  if (bytes < 4 * 2 ** 20) append(entry(path))
  await later(3)
  expect(closed().length).toBe(1)
})

test('the first write goes at once; many entries at once wait two milliseconds for more', async () => {
  const { append, disk } = await journalOf()
  const first = append()
  await settle()
  expect([first.ended, disk.count('datasync')]).toEqual(['stands', 1])
  const gate = Promise.withResolvers<void>()
  disk.holds = { datasync: gate.promise }
  append()
  await settle()
  for (let n = 0; n < 8; n++) append()
  gate.resolve()
  await settle()
  // The group of eight was written right behind. The next one waits.
  expect(disk.count('datasync')).toBe(3)
  const last = append()
  await settle()
  expect([last.ended, disk.count('datasync')]).toEqual(['', 3])
  await later(1)
  expect(last.ended).toBe('')
  await later(1)
  expect([last.ended, disk.count('datasync')]).toEqual(['stands', 4])
  const small = append()
  await settle()
  expect(small.ended).toBe('stands')
})

test('a group of seven makes nobody wait', async () => {
  const { append, disk } = await journalOf()
  const gate = Promise.withResolvers<void>()
  disk.holds = { datasync: gate.promise }
  append()
  await settle()
  for (let n = 0; n < 7; n++) append()
  gate.resolve()
  await settle()
  const last = append()
  await settle()
  expect(last.ended).toBe('stands')
})

test('entries are refused when a sync takes more than two seconds, which is looked at every second', async () => {
  const { append, disk, journal } = await journalOf()
  const gate = Promise.withResolvers<void>()
  disk.holds = { datasync: gate.promise }
  const slow = append()
  await later(2_000)
  expect(journal.refusal()).toBeNull()
  await later(999)
  expect(journal.refusal()).toBeNull()
  await later(1)
  expect(journal.refusal()).toBe('the disk is stalled')
  expect(slow.ended).toBe('')
  gate.resolve()
  await settle()
  expect([journal.refusal(), slow.ended]).toEqual([null, 'stands'])
})

test('at most 200,000 hits wait for the disk', async () => {
  const { append, disk, journal } = await journalOf()
  const gate = Promise.withResolvers<void>()
  disk.holds = { datasync: gate.promise }
  append()
  await settle()
  append(entry('/', 200_000))
  expect(journal.refusal()).toBeNull()
  append()
  expect(journal.refusal()).toBe('too many hits wait for the disk')
  expect((await Promise.race([journal.append(entry()).catch(String), settle()])) as string).toContain(
    'too many',
  )
  gate.resolve()
  await later(10)
  expect(journal.refusal()).toBeNull()
})

test('entries are refused while more than four GiB wait, which is looked at every second', async () => {
  const { append, disk, journal, sizes } = await journalOf()
  disk.extra = 4 * gib
  append()
  await settle()
  await later(1_000)
  expect(journal.refusal()).toBe('too many hits wait for ClickHouse')
  await later(1_000)
  expect(journal.refusal()).toBe('too many hits wait for ClickHouse')
  // The flusher takes it. A closed segment never changes its size.
  sizes.clear()
  await later(999)
  expect(journal.refusal()).toBe('too many hits wait for ClickHouse')
  await later(1)
  expect(journal.refusal()).toBeNull()
})

test('exactly four GiB are taken', async () => {
  const { append, disk, journal, sizes } = await journalOf()
  append()
  await settle()
  disk.extra = 4 * gib - Math.max(...sizes.values())
  await later(1_000)
  expect(journal.refusal()).toBeNull()
})

test('free space is looked at every second, and only where it must be', async () => {
  const { disk, journal, logged } = await journalOf({ freeBytesMin: 1_000 })
  expect(journal.refusal()).toBeNull()
  disk.free = 999
  await later(1_000)
  expect([journal.refusal(), logged]).toEqual([
    'the disk is nearly full',
    [['error', expect.any(String), { free: 999 }]],
  ])
  await later(1_000)
  expect(logged).toHaveLength(1)
  disk.free = 1_000
  await later(1_000)
  expect([journal.refusal(), logged[1]]).toEqual([null, ['info', expect.any(String)]])
  disk.fails = ['free']
  await later(1_000)
  expect([journal.refusal(), logged.length]).toEqual([null, 2])
  for (const freeBytesMin of [undefined, 0]) {
    const without = await journalOf({ freeBytesMin })
    without.disk.free = 0
    await later(2_000)
    expect([without.journal.refusal(), without.disk.count('free')]).toEqual([null, 0])
  }
})

test('after a fault the disk is tried again every second, and entries are refused until it works', async () => {
  const { append, disk, journal, logged } = await journalOf()
  disk.fails = ['datasync']
  const lost = append()
  await settle()
  const why = 'the journal cannot be written (EIO)'
  expect([lost.ended, journal.refusal()]).toEqual([why, why])
  expect(logged).toEqual([['error', expect.any(String), { code: 'EIO' }]])
  disk.fails = []
  await later(999)
  expect(journal.refusal()).toBe(why)
  await later(1)
  expect(journal.refusal()).toBeNull()
  expect(logged[1]).toEqual(['info', expect.any(String)])
  const next = append()
  await later(3)
  expect(next.ended).toBe('stands')
})

test('a stopped journal refuses entries and does nothing more', async () => {
  const { append, disk, journal, closed } = await journalOf({ freeBytesMin: 1 })
  append()
  await settle()
  const stopped = journal.stop()
  await settle()
  await stopped
  expect([journal.refusal(), closed().length]).toEqual(['the ingest is stopping', 1])
  const calls = disk.calls.length
  await later(10_000)
  expect([disk.calls.length, closed().length]).toEqual([calls, 1])
})

test('an entry without hits and batch stands at once, and is not written', async () => {
  const { append, disk } = await journalOf()
  const empty = append({ hits: [] })
  await settle()
  expect([empty.ended, disk.count('datasync')]).toEqual(['stands', 0])
})
