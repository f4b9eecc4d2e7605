import { afterEach, beforeEach, describe, expect, jest, spyOn, test } from 'bun:test'
import { createFrameBuilder } from '../../../ingest/journal/frame-builder'
import { frameHeaderBytes } from '../../../ingest/journal/segment'
import { entry, journalOf, later, memoryDisk, settle } from '../support/memory-disk'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const why = (code: string) => `the journal cannot be written (${code})`
const noLog = { debug() {}, info() {}, warn() {}, error() {} }

/** What became of a promise, or an empty text while it waits. */
function outcomeOf(promise: Promise<unknown>) {
  const state = { is: '' }
  void promise.then(
    () => {
      state.is = 'done'
    },
    (error: Error) => {
      state.is = error.message
    },
  )
  return state
}

/** The bytes of a frame with one entry. */
function frame() {
  const builder = createFrameBuilder()
  for (const hit of entry().hits) builder.addHit(hit)
  return Uint8Array.from(builder.take())
}

describe('at its start a journal', () => {
  test.each([
    [1, 0],
    [2, 1],
  ])('fails where folder %i cannot be made', async (_, before) => {
    const memory = memoryDisk({})
    const make = memory.files.makeDirectory
    const files = {
      ...memory.files,
      makeDirectory: async (path: string) => {
        if (memory.disk.count('makeDirectory') === before) memory.disk.fails = ['makeDirectory']
        await make(path)
      },
    }
    await expect(journalOf({}, { ...memory, files })).rejects.toMatchObject({ code: 'EIO' })
    expect(memory.disk.calls).toHaveLength(before + 1)
  })

  test('makes its folders and tells which segments ended with an incomplete frame', async () => {
    const torn = Buffer.concat([frame(), frame().subarray(0, frameHeaderBytes + 1)])
    const memory = memoryDisk({ '/j/segments/a.open': torn, '/j/segments/b.open': frame() })
    const made: string[] = []
    const files = { ...memory.files, makeDirectory: async (path: string) => void made.push(path) }
    const { logged, closed } = await journalOf({}, { ...memory, files })
    expect(made).toEqual(['/j/segments', '/j/done'])
    expect(logged).toEqual([['warn', expect.any(String), { segment: 'a.open' }]])
    expect(closed().sort()).toEqual(['/j/segments/a.seg', '/j/segments/b.seg'])
  })

  test.each([
    [99, 'too many hits wait for ClickHouse'],
    [100, null],
  ])('counts what waits already: 100 bytes of at most %i', async (backlogBytesMax, reason) => {
    const memory = memoryDisk({ '/j/segments/a.seg': new Uint8Array(100) })
    const { journal } = await journalOf({ backlogBytesMax }, memory)
    expect(journal.refusal()).toBe(reason)
  })

  test('looks at the disk every second, which keeps no process alive', async () => {
    const unref = jest.fn()
    const repeating = spyOn(globalThis, 'setInterval').mockImplementation((() => ({ unref })) as never)
    try {
      await journalOf()
      await journalOf({ retryMs: 7 })
      expect(repeating.mock.calls.map(([, ms]) => ms)).toEqual([1_000, 7])
      expect(unref).toHaveBeenCalledTimes(2)
    } finally {
      repeating.mockRestore()
    }
  })
})

test('a backlog that can no longer be measured stays as it was', async () => {
  const memory = memoryDisk({ '/j/segments/a.seg': new Uint8Array(100) })
  const { journal, disk } = await journalOf({ backlogBytesMax: 99, freeBytesMin: 1 }, memory)
  disk.fails = ['list']
  await later(1_000)
  expect([journal.refusal(), disk.count('free')]).toEqual(['too many hits wait for ClickHouse', 2])
  disk.fails = []
  memory.sizes.clear()
  await later(1_000)
  expect(journal.refusal()).toBeNull()
})

test('the folder is listed at intervals only while too much waits', async () => {
  const memory = memoryDisk({ '/j/segments/a.seg': new Uint8Array(100) })
  const { disk } = await journalOf({ backlogBytesMax: 100 }, memory)
  const before = disk.count('list')
  await later(3_000)
  expect(disk.count('list')).toBe(before)
})

test('a disk is not stalled while nothing is written', async () => {
  const { append, journal } = await journalOf({ segmentMsMax: 1e9 })
  await later(5_000)
  expect(journal.refusal()).toBeNull()
  append()
  await settle()
  await later(5_000)
  expect(journal.refusal()).toBeNull()
})

describe('a segment', () => {
  test('is closed at the age that is asked for, counted from its own first entry', async () => {
    const { append, closed, journal, disk } = await journalOf({ segmentMsMax: 50 })
    append()
    await settle()
    await later(30)
    const rotated = outcomeOf(journal.rotate())
    await settle()
    expect([rotated.is, closed().length]).toEqual(['done', 1])
    append()
    await settle()
    await later(49)
    expect(closed().length).toBe(1)
    await later(1)
    expect(closed().length).toBe(2)
    const calls = disk.calls.length
    await later(500)
    expect(disk.calls.length).toBe(calls)
  })

  test('is closed at exactly the bytes that are asked for', async () => {
    const bytes = frame().length
    for (const [segmentBytesMax, count] of [
      [bytes, 1],
      [bytes + 1, 0],
    ] as const) {
      const { append, closed } = await journalOf({ segmentBytesMax })
      append()
      await settle()
      expect(closed().length).toBe(count)
    }
  })

  test('that is asked for before anything was written is nothing, at once', async () => {
    const { journal, disk } = await journalOf()
    const calls = disk.calls.length
    const rotations = [journal.rotate(), journal.rotate()].map(outcomeOf)
    await settle()
    expect([...rotations.map(({ is }) => is), disk.calls.length]).toEqual(['done', 'done', calls])
  })

  test('after a fault lives as long as any other', async () => {
    const { append, closed, disk } = await journalOf({ segmentMsMax: 1_500 })
    append()
    await settle()
    await later(400)
    disk.fails = ['write']
    append()
    await settle()
    disk.fails = []
    await later(1_000)
    expect(closed().length).toBe(1)
    append()
    await settle()
    await later(1_499)
    expect(closed().length).toBe(1)
    await later(1)
    expect(closed().length).toBe(2)
  })
})

describe('after a group of eight', () => {
  /** Writes a group of eight entries now. */
  async function busy() {
    const it = await journalOf()
    const gate = Promise.withResolvers<void>()
    it.disk.holds = { datasync: gate.promise }
    it.append()
    await settle()
    for (let n = 0; n < 8; n++) it.append()
    gate.resolve()
    await settle()
    return it
  }

  test.each([
    [0, 2],
    [0.4, 2],
    [1, 1],
    [1.4, 1],
    [1.6, 0],
    [2, 0],
  ])('an entry %d ms later waits for %i ms', async (after, wait) => {
    const sleeps = spyOn(Bun, 'sleep')
    const clock = spyOn(performance, 'now').mockReturnValue(1_000)
    try {
      const { append } = await busy()
      clock.mockReturnValue(1_000 + after)
      append()
      await settle()
      expect(sleeps.mock.calls).toEqual(wait > 0 ? [[wait]] : [])
    } finally {
      sleeps.mockRestore()
      clock.mockRestore()
    }
  })

  test('a rotation waits for nothing', async () => {
    const { journal } = await busy()
    const rotated = outcomeOf(journal.rotate())
    await settle()
    expect(rotated.is).toBe('done')
  })

  test('the next small group counts anew', async () => {
    const { append, disk } = await busy()
    append()
    await later(2)
    expect(append().ended).toBe('')
    await settle()
    expect(disk.count('datasync')).toBe(4)
  })
})

describe('a fault', () => {
  test.each(['create', 'write', 'datasync'] as const)(
    'of %s refuses the entry, and the next ones until the disk was tried again',
    async (call) => {
      const { append, journal, disk, logged } = await journalOf()
      disk.fails = [call]
      const lost = append()
      await settle()
      expect([lost.ended, journal.refusal()]).toEqual([why('EIO'), why('EIO')])
      expect(logged).toEqual([['error', expect.any(String), { code: 'EIO' }]])
      disk.fails = []
      expect(append().ended).toBe('')
      await later(1_000)
      const next = append()
      await settle()
      expect([next.ended, logged.length]).toEqual(['stands', 2])
    },
  )

  test.each(['close', 'rename'] as const)(
    'of %s at the end of a segment is told once it is over',
    async (call) => {
      const { append, journal, disk, closed, sizes } = await journalOf({ segmentMsMax: 1e9 })
      append()
      await settle()
      const bytes = Math.max(...sizes.values())
      disk.fails = [call, 'truncate']
      const rotated = outcomeOf(journal.rotate())
      await settle()
      expect([rotated.is, journal.refusal()]).toEqual([why('EIO'), why('EIO')])
      disk.code = 'ENOSPC'
      await later(1_000)
      expect(journal.refusal()).toBe(why('ENOSPC'))
      disk.fails = []
      await later(999)
      expect(closed()).toEqual([])
      await later(1)
      expect([journal.refusal(), closed().length, Math.max(...sizes.values())]).toEqual([null, 1, bytes])
      const again = outcomeOf(journal.rotate())
      await settle()
      expect(again.is).toBe('done')
    },
  )

  test('of two segments is mended for both', async () => {
    const { append, disk, closed, opened, journal } = await journalOf()
    append()
    await settle()
    disk.fails = ['write', 'truncate']
    append()
    await settle()
    expect([opened().length, closed().length]).toEqual([1, 0])
    const rotated = outcomeOf(journal.rotate())
    await settle()
    expect(rotated.is).toBe(why('EIO'))
    disk.fails = []
    await later(1_000)
    expect([opened().length, closed().length, journal.refusal()]).toEqual([0, 1, null])
  })

  test('closes the file before it is cut', async () => {
    const { append, disk } = await journalOf()
    append()
    await settle()
    const gate = Promise.withResolvers<void>()
    disk.fails = ['datasync']
    disk.holds = { close: gate.promise }
    const lost = append()
    await settle()
    expect([lost.ended, disk.count('truncate')]).toEqual(['', 0])
    gate.resolve()
    await settle()
    expect([lost.ended, disk.count('truncate')]).toEqual([why('EIO'), 1])
  })

  test('entries that wait for a group behind the one that failed are refused and never written', async () => {
    const { append, disk } = await journalOf()
    const gate = Promise.withResolvers<void>()
    disk.holds = { datasync: gate.promise }
    const first = append()
    await settle()
    const second = append()
    disk.holds = {}
    disk.fails = ['datasync', 'truncate']
    gate.resolve()
    await settle()
    expect([first.ended, second.ended]).toEqual(['stands', why('EIO')])
    const third = append()
    await settle()
    expect([third.ended, disk.count('write')]).toEqual([why('EIO'), 2])
  })

  test('does not keep a stopped journal at work', async () => {
    for (const stopsWhen of ['before the disk is tried again', 'while it is tried again']) {
      const { append, journal, disk, logged } = await journalOf()
      append()
      await settle()
      disk.fails = ['datasync', 'truncate']
      append()
      await settle()
      const gate = Promise.withResolvers<void>()
      if (stopsWhen.startsWith('while')) {
        disk.holds = { list: gate.promise }
        await later(1_000)
      }
      const stopped = outcomeOf(journal.stop())
      gate.resolve()
      await settle()
      expect(stopped.is).toBe(why('EIO'))
      const calls = disk.calls.length
      const lines = logged.length
      await later(10_000)
      expect([stopsWhen, disk.calls.length, logged.length]).toEqual([stopsWhen, calls, lines])
    }
  })
})

test('entries of one group stand together, and an entry behind a stop is refused', async () => {
  const { append, journal, disk } = await journalOf({ log: noLog })
  const gate = Promise.withResolvers<void>()
  disk.holds = { datasync: gate.promise }
  const entries = [append(), append(), append()]
  const stopped = outcomeOf(journal.stop())
  expect(append().ended).toBe('')
  await settle()
  expect([...entries.map(({ ended }) => ended), stopped.is]).toEqual(['', '', '', ''])
  gate.resolve()
  await settle()
  expect([...entries.map(({ ended }) => ended), stopped.is]).toEqual(['stands', 'stands', 'stands', 'done'])
  expect(await journal.append(entry()).catch((error) => error.message)).toBe('the ingest is stopping')
})
