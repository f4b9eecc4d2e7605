import { describe, expect, test } from 'bun:test'
import { cp, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type FileCalls, systemFiles } from '../../../ingest/journal/files'
import {
  type Journal,
  type JournalEntry,
  type JournalHit,
  openJournal,
} from '../../../ingest/journal/journal'
import { countedHit } from '../../support/counted-hit'
import { turns, waitFor } from '../../support/wait-for'
import { inTemporaryFolder, meddlingFiles, readJournal, silentLog } from '../support/journal'

const now = () => new Date(1_795_200_000_000)
const hit = (path: string): JournalHit => countedHit({ site_id: 'site_1', path, ts: 1_795_200_000_000 })
const entry = (name: string): JournalEntry => ({
  hits: [hit(`/${name}`)],
  batch: { id: name, accepted: 1, ignored: 0, rejected: 0, duplicate: 0, at: 0 },
})
const open = (directory: string, files?: FileCalls, more: object = {}) =>
  openJournal({ directory, now, log: silentLog, retryMs: 5, ...(files && { files }), ...more })

/** A sender as it should be: sends again until it is told that the entry stands. */
async function sendUntilTaken(journal: Journal, sent: JournalEntry) {
  await waitFor(
    () =>
      journal.append(sent).then(
        () => true,
        () => false,
      ),
    { what: 'the entry to be taken', everyMs: 2 },
  )
}

describe('the journal', () => {
  test('an acknowledged entry stands on the disk before the answer, also in a copy of a process that died', () =>
    inTemporaryFolder(async (folder) => {
      const journal = await open(join(folder, 'a'))
      for (let n = 0; n < 5; n++) {
        await journal.append(entry(`${n}`))
        await cp(join(folder, 'a'), join(folder, `copy${n}`), { recursive: true })
      }
      for (let n = 0; n < 5; n++) {
        const survivor = await open(join(folder, `copy${n}`))
        const { hits } = await readJournal(join(folder, `copy${n}`))
        expect(hits.map(({ path }) => path)).toEqual([...Array(n + 1).keys()].map((each) => `/${each}`))
        await survivor.stop()
      }
      await journal.stop()
    }))

  test('entries that arrive during a sync share the next one', () =>
    inTemporaryFolder(async (folder) => {
      let syncs = 0
      const files = meddlingFiles((call) => {
        if (call === 'datasync') syncs++
      })
      const journal = await open(folder, files)
      await Promise.all([...Array(100).keys()].map((n) => journal.append(entry(`${n}`))))
      expect(syncs).toBe(2)
      await journal.stop()
      expect((await readJournal(folder)).hits).toHaveLength(100)
    }))

  test('refuses while a sync hangs, and takes entries again once it is through', () =>
    inTemporaryFolder(async (folder) => {
      let at = 1_795_200_000_000
      const disk = Promise.withResolvers<void>()
      const create: FileCalls['create'] = async (path) => {
        const file = await systemFiles.create(path)
        return { ...file, datasync: () => disk.promise.then(file.datasync) }
      }
      const journal = await open(folder, { ...systemFiles, create }, { now: () => new Date(at) })
      const written = journal.append(entry('a'))
      at += 1_000
      await turns(20)
      expect(journal.refusal()).toBeNull()
      at += 2_000
      await waitFor(() => journal.refusal() === 'the disk is stalled', { what: 'the stall to be seen' })
      expect(journal.append(entry('b'))).rejects.toThrow('the disk is stalled')
      disk.resolve()
      await written
      expect(journal.refusal()).toBeNull()
      await journal.stop()
    }))

  test('a segment is closed when it is full, when it is old and when it is asked for', () =>
    inTemporaryFolder(async (folder) => {
      const journal = await open(folder, undefined, { segmentBytesMax: 500, segmentMsMax: 20 })
      for (let n = 0; n < 20; n++) await journal.append(entry(`${n}`))
      const closed = async () => (await readdir(join(folder, 'segments'))).filter((f) => f.endsWith('.seg'))
      expect((await closed()).length).toBeGreaterThan(2)
      await journal.append(entry('old'))
      const isOpen = async () => (await readdir(join(folder, 'segments'))).some((f) => f.endsWith('.open'))
      await waitFor(async () => !(await isOpen()), { what: 'the segment to be closed', everyMs: 5 })
      expect((await readJournal(folder)).hits).toHaveLength(21)
      await journal.append(entry('asked'))
      await journal.rotate()
      expect((await readJournal(folder)).hits).toHaveLength(22)
      expect(
        ((await stat(join(folder, 'segments', (await closed())[0] ?? ''))).mode & 0o777).toString(8),
      ).toBe('600')
      await journal.stop()
    }))

  test('refuses while the disk has too little room, and takes again once it has', () =>
    inTemporaryFolder(async (folder) => {
      let free = 100
      const files = { ...systemFiles, free: async () => free }
      const journal = await open(folder, files, { freeBytesMin: 1_000 })
      expect(journal.refusal()).toBe('the disk is nearly full')
      expect(journal.append(entry('no'))).rejects.toThrow('the disk is nearly full')
      free = 1_000
      await waitFor(() => journal.refusal() === null, { what: 'the journal to take hits again' })
      await journal.append(entry('yes'))
      await journal.stop()
      expect((await readJournal(folder)).hits.map(({ path }) => path)).toEqual(['/yes'])
    }))

  for (const code of ['EIO', 'ENOSPC']) {
    test(`${code} at any file call: what was acknowledged is there once, what was refused is not`, async () => {
      for (let failing = 0; failing < 60; failing++) {
        for (const shortened of [0, 7]) {
          await inTemporaryFolder((folder) => survivesFault(folder, { failing, code, shortened }))
        }
      }
    })
  }

  test('an entry whose write failed, and that nobody sends again, is never counted', () =>
    inTemporaryFolder(async (folder) => {
      let syncs = 0
      const journal = await open(
        folder,
        meddlingFiles((call) => {
          if (call === 'datasync' && ++syncs === 2) throw Object.assign(new Error('disk'), { code: 'EIO' })
        }),
      )
      await journal.append(entry('first'))
      await expect(journal.append(entry('lost'))).rejects.toThrow('EIO')
      await waitFor(() => !journal.refusal(), { what: 'the journal to take entries again', everyMs: 2 })
      await journal.append(entry('third'))
      await journal.stop()
      const { hits, torn } = await readJournal(folder)
      expect(hits.map(({ path }) => path).sort()).toEqual(['/first', '/third'])
      expect(torn).toBe(0)
    }))

  test('a refused entry is cut off before its refusal is answered, so that a rotation after it succeeds', () =>
    inTemporaryFolder(async (folder) => {
      const calls: string[] = []
      let syncs = 0
      const files = meddlingFiles((call) => {
        calls.push(call)
        if (call === 'datasync' && ++syncs === 2) throw Object.assign(new Error('disk'), { code: 'EIO' })
        return undefined
      })
      const journal = await open(folder, files, { retryMs: 3_600_000, segmentMsMax: 3_600_000 })
      await journal.append(entry('first'))
      await turns(5)
      const refused = journal.append(entry('lost')).catch(() => calls.slice(calls.lastIndexOf('datasync')))
      const rotated = journal.rotate()
      expect(await refused).toEqual(['datasync', 'close', 'list', 'truncate', 'rename', 'syncDirectory'])
      await rotated
      await expect(journal.append(entry('next'))).rejects.toThrow('EIO')
      await journal.stop()
    }))

  test('a process that dies with a torn frame leaves a segment without it', () =>
    inTemporaryFolder(async (folder) => {
      const journal = await open(folder)
      await journal.append(entry('first'))
      const file = (await readdir(join(folder, 'segments')))[0] ?? ''
      const whole = await Bun.file(join(folder, 'segments', file)).bytes()
      await cp(folder, `${folder}-torn`, { recursive: true })
      await Bun.write(
        join(`${folder}-torn`, 'segments', file),
        Buffer.concat([whole, whole.subarray(0, whole.length - 3)]),
      )
      await journal.stop()
      const survivor = await open(`${folder}-torn`)
      expect((await readJournal(`${folder}-torn`)).hits).toHaveLength(1)
      expect((await readJournal(`${folder}-torn`)).torn).toBe(0)
      await survivor.stop()
      await Bun.$`rm -r ${folder}-torn`.quiet()
    }))

  test('a flipped bit in what a dead process left costs no frame behind it, and the file stays for a person', () =>
    inTemporaryFolder(async (folder) => {
      const journal = await open(folder)
      for (const path of ['first', 'second', 'third']) await journal.append(entry(path))
      const file = (await readdir(join(folder, 'segments')))[0] ?? ''
      const left = `${folder}-flipped`
      await cp(folder, left, { recursive: true })
      await journal.stop()
      const bytes = Buffer.from(await Bun.file(join(left, 'segments', file)).bytes())
      const at = bytes.indexOf('/second')
      bytes.writeUInt8(bytes.readUInt8(at + 3) ^ 4, at + 3)
      await Bun.write(join(left, 'segments', file), bytes)
      const survivor = await open(left)
      await survivor.append(entry('after'))
      await survivor.stop()
      const { hits, torn } = await readJournal(left)
      expect(hits.map(({ path }) => path).sort()).toEqual(['/after', '/first', '/third'])
      expect(torn).toBe(1)
      await Bun.$`rm -r ${left}`.quiet()
    }))

  test('refuses while too much waits for the flusher, and takes again when it is gone', () =>
    inTemporaryFolder(async (folder) => {
      const journal = await open(folder, undefined, { backlogBytesMax: 50 })
      await journal.append(entry('first'))
      await journal.rotate()
      await expect(journal.append(entry('second'))).rejects.toThrow('wait for ClickHouse')
      for (const file of await readdir(join(folder, 'segments'))) {
        await Bun.$`mv ${join(folder, 'segments', file)} ${join(folder, 'done', file)}`.quiet()
      }
      await waitFor(() => !journal.refusal(), { what: 'room in the journal', everyMs: 2 })
      await journal.append(entry('second'))
      await journal.stop()
    }))
})

test('a fault without a code of the system is called unknown', () =>
  inTemporaryFolder(async (folder) => {
    let isBroken = true
    const files = meddlingFiles((call) => {
      if (isBroken && call === 'datasync') throw new TypeError('no disk')
    })
    const journal = await open(folder, files)
    await expect(journal.append(entry('a'))).rejects.toThrow('the journal cannot be written (unknown)')
    isBroken = false
    await waitFor(() => !journal.refusal(), { what: 'the journal to take entries again', everyMs: 2 })
    await journal.stop()
  }))

async function survivesFault(
  folder: string,
  fault: { failing: number; code: string; shortened: number },
): Promise<void> {
  let calls = 0
  let armed = false
  let isShort = false
  const files = meddlingFiles((call) => {
    if (isShort) {
      isShort = false
      throw Object.assign(new Error('disk'), { code: fault.code })
    }
    if (!armed || calls++ !== fault.failing) return
    if (call === 'write' && fault.shortened > 0) {
      isShort = true
      return fault.shortened
    }
    throw Object.assign(new Error('disk'), { code: fault.code })
  })
  const journal = await open(folder, files, { segmentBytesMax: 400, retryMs: 1 })
  armed = true
  for (let n = 0; n < 12; n++) await sendUntilTaken(journal, entry(`${n}`))
  await waitFor(
    () =>
      journal.rotate().then(
        () => true,
        () => false,
      ),
    { what: 'the segment to be closed', everyMs: 2 },
  )
  await journal.stop()
  const { hits, batches, torn } = await readJournal(folder)
  expect(hits.map(({ path }) => path).sort()).toEqual([...Array(12).keys()].map((n) => `/${n}`).sort())
  expect(batches).toHaveLength(12)
  expect(torn).toBe(0)
}
