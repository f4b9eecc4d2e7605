import { expect, spyOn, test } from 'bun:test'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stateOf } from '../../../ingest/control/state'
import type { Trouble } from '../../../ingest/flush/flusher'
import { systemFiles } from '../../../ingest/journal/files'
import { inTemporaryFolder } from '../support/journal'

const at = Date.parse('2026-11-20T12:00:00.000Z')
const stalls = { count: 2, worst_ms: 30 } as never
const stateIn = (directory: string, reason: string | null = null, trouble: Trouble | null = null) =>
  stateOf({
    directory,
    now: () => new Date(at),
    stalls: () => stalls,
    journal: { refusal: () => reason } as never,
    flusher: { trouble: () => trouble } as never,
  })
const nothing = {
  accepting: true,
  reason: null,
  clickhouse: null,
  gateway: null,
  stalls,
  waiting_segments: 0,
  waiting_bytes: 0,
  oldest_waiting_seconds: null,
  set_aside_segments: 0,
  damaged_segments: 0,
}

test('without folders nothing waits', () =>
  inTemporaryFolder(async (directory) => expect(await stateIn(directory)).toEqual(nothing)))

test('closed segments wait, with their bytes and the age of the oldest', () =>
  inTemporaryFolder(async (directory) => {
    await Promise.all(['segments', 'poison'].map((name) => mkdir(join(directory, name))))
    const put = (name: string, bytes: number) => writeFile(join(directory, name), 'x'.repeat(bytes))
    const nameOf = (ms: number) => `${at - ms}`.padStart(14, '0')
    await put(`segments/${nameOf(1_000)}-2.seg`, 7)
    await put(`segments/${nameOf(2_600)}-1.seg`, 5)
    await put(`segments/${nameOf(9_000)}-0.open`, 100)
    await put('poison/a.seg', 1)
    await put('poison/b.seg', 1)
    await put('poison/c.damaged', 1)
    const waiting = {
      ...nothing,
      waiting_segments: 2,
      waiting_bytes: 12,
      set_aside_segments: 2,
      damaged_segments: 1,
    }
    expect(await stateIn(directory)).toEqual({ ...waiting, oldest_waiting_seconds: 3 })
    await put(`segments/${nameOf(3_400)}-3.seg`, 0)
    expect((await stateIn(directory)).oldest_waiting_seconds).toBe(3)
    // A file that is gone when its size is read has none.
    await symlink(join(directory, 'gone'), join(directory, `segments/${nameOf(500)}-4.seg`))
    expect(await stateIn(directory)).toMatchObject({ waiting_segments: 4, waiting_bytes: 12 })
    for (const ms of [5_000, 3_000_000, 70_000, 1_200_000, 800, 60_000])
      await put(`segments/${nameOf(ms)}-5.seg`, 0)
    expect((await stateIn(directory)).oldest_waiting_seconds).toBe(3_000)
  }))

test('the oldest segment is found in whatever order a folder is listed', async () => {
  const nameOf = (ms: number) => `${`${at - ms}`.padStart(14, '0')}-1.seg`
  const list = spyOn(systemFiles, 'list')
  try {
    for (const seconds of [
      [1, 3, 2],
      [3, 2, 1],
      [1, 2, 3],
    ]) {
      list.mockResolvedValue(seconds.map((each) => nameOf(each * 1_000)))
      expect((await stateIn('/none')).oldest_waiting_seconds).toBe(3)
    }
  } finally {
    list.mockRestore()
  }
})

test('a segment of a clock that was ahead has waited for no time', () =>
  inTemporaryFolder(async (directory) => {
    await mkdir(join(directory, 'segments'))
    await writeFile(join(directory, 'segments', `${at + 60_000}`.padStart(14, '0').concat('-1.seg')), '')
    expect((await stateIn(directory)).oldest_waiting_seconds).toBe(0)
  }))

test('it says why hits are refused, and what the flusher waits for', () =>
  inTemporaryFolder(async (directory) => {
    const since = new Date(at - 5_000)
    const fault = { reason: 'no room', since: since.toISOString() }
    expect(await stateIn(directory, 'The disk is full.')).toEqual({
      ...nothing,
      accepting: false,
      reason: 'The disk is full.',
    })
    expect(await stateIn(directory, null, { of: 'clickhouse', reason: 'no room', since })).toEqual({
      ...nothing,
      clickhouse: fault,
    })
    expect(await stateIn(directory, null, { of: 'gateway', reason: 'no room', since })).toEqual({
      ...nothing,
      gateway: fault,
    })
  }))
