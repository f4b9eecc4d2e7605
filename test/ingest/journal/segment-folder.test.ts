import { expect, test } from 'bun:test'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { systemFiles } from '../../../ingest/journal/files'
import { openJournal } from '../../../ingest/journal/journal'
import {
  measure,
  openSegment,
  publish,
  recover,
  repairTail,
  writeWhole,
} from '../../../ingest/journal/segment-folder'
import { countedHit } from '../../support/counted-hit'
import { quietLog } from '../../support/quiet-log'
import { inTemporaryFolder, meddlingFiles } from '../support/journal'

const now = new Date(1_795_200_000_000)

/** The bytes of a segment of three frames. */
const wholeSegment = () =>
  inTemporaryFolder(async (directory) => {
    const journal = await openJournal({ directory, now: () => now, log: quietLog })
    for (const path of ['/first', '/second', '/third']) await journal.append({ hits: [countedHit({ path })] })
    await journal.stop()
    const [name = ''] = await readdir(join(directory, 'segments'))
    return readFile(join(directory, 'segments', name))
  })

test('recovery closes every open segment, and cuts off and names only those whose end is torn', async () => {
  const whole = await wholeSegment()
  const torn = whole.subarray(0, whole.length - 3)
  const damaged = Buffer.from(whole)
  const at = damaged.indexOf('/second') + 3
  damaged.writeUInt8(damaged.readUInt8(at) ^ 4, at)
  await inTemporaryFolder(async (folder) => {
    const left = { whole, torn, damaged, empty: Buffer.alloc(0) }
    for (const [name, bytes] of Object.entries(left)) await writeFile(join(folder, `${name}.open`), bytes)
    await writeFile(join(folder, 'closed.seg'), torn)
    expect(await recover(systemFiles, folder)).toEqual(['torn.open'])
    expect((await readdir(folder)).sort()).toEqual(['closed.seg', 'damaged.seg', 'torn.seg', 'whole.seg'])
    const bytesOf = (name: string) => readFile(join(folder, `${name}.seg`))
    expect(await bytesOf('whole')).toEqual(whole)
    expect(await bytesOf('damaged')).toEqual(damaged)
    expect(await bytesOf('closed')).toEqual(Buffer.from(torn))
    const cut = await bytesOf('torn')
    expect([cut.includes('/second'), cut.includes('/third')]).toEqual([true, false])
    expect(cut).toEqual(whole.subarray(0, cut.length))
  })
})

test('a segment is named by its time, and goes away again where its folder cannot be synced', () =>
  inTemporaryFolder(async (folder) => {
    const { name, file, bytes } = await openSegment(systemFiles, folder, now)
    await file.close()
    expect(name).toMatch(/^01795200000000-[0-9a-f]{12}$/)
    expect([bytes, await readdir(folder)]).toEqual([0, [`${name}.open`]])
    const calls: string[] = []
    const files = meddlingFiles((call) => {
      calls.push(call)
      if (call === 'syncDirectory') throw new Error('no sync')
      return undefined
    })
    expect(await openSegment(files, folder, now).catch((error) => error.message)).toBe('no sync')
    expect(calls).toEqual(['create', 'syncDirectory', 'close', 'remove'])
    expect(await readdir(folder)).toEqual([`${name}.open`])
  }))

test('what is published has its new name synced, and goes away where it is empty', () =>
  inTemporaryFolder(async (folder) => {
    const calls: string[] = []
    const files = meddlingFiles((call) => void calls.push(call))
    for (const name of ['a', 'b']) await writeFile(join(folder, `${name}.open`), 'xyz')
    await publish(files, folder, 'a', 1)
    await publish(files, folder, 'b', 0)
    expect(calls).toEqual(['rename', 'syncDirectory', 'remove', 'syncDirectory'])
    expect(await readdir(folder)).toEqual(['a.seg'])
  }))

test('a segment that met an error is cut back to what was synced; one that is gone is left alone', () =>
  inTemporaryFolder(async (folder) => {
    for (const name of ['a', 'b']) await writeFile(join(folder, `${name}.open`), 'xyz')
    await repairTail(systemFiles, folder, { name: 'a', bytes: 2 })
    await repairTail(systemFiles, folder, { name: 'b', bytes: 0 })
    await repairTail(systemFiles, folder, { name: 'c', bytes: 2 })
    expect(await readdir(folder)).toEqual(['a.seg'])
    expect(await readFile(join(folder, 'a.seg'), 'utf8')).toBe('xy')
  }))

test('the size of a folder leaves out what went away meanwhile', () =>
  inTemporaryFolder(async (folder) => {
    for (const name of ['a', 'b', 'gone']) await writeFile(join(folder, name), 'xyz')
    const size = async (path: string) => {
      if (path.endsWith('gone')) throw new Error('gone')
      return systemFiles.size(path)
    }
    expect(await measure({ ...systemFiles, size }, folder)).toBe(6)
  }))

test('a short write goes on where it ended, and a disk that takes nothing is an error', async () => {
  const written: [string, number][] = []
  const file = (taken: number) => ({
    write: async (bytes: Uint8Array, position: number) => {
      written.push([Buffer.from(bytes).toString(), position])
      return Math.min(taken, bytes.length)
    },
    datasync: async () => {},
    close: async () => {},
  })
  await writeWhole(file(2), Buffer.from('abcde'), 10)
  expect(written).toEqual([
    ['abcde', 10],
    ['cde', 12],
    ['e', 14],
  ])
  expect(writeWhole(file(0), Buffer.from('a'), 0)).rejects.toThrow('the disk accepted no bytes')
  await writeWhole(file(1), Buffer.alloc(0), 0)
})

test('the size of a closed segment is read once, and forgotten when it is gone', () =>
  inTemporaryFolder(async (folder) => {
    const read: string[] = []
    const size = (path: string) => {
      read.push(basename(path))
      return systemFiles.size(path)
    }
    const known = new Map<string, number>()
    const measured = () => measure({ ...systemFiles, size }, folder, known)
    for (const name of ['1.seg', '2.seg', '3.open']) await Bun.write(join(folder, name), name)
    expect(await measured()).toBe(16)
    await Bun.write(join(folder, '3.open'), 'longer than that')
    expect(await measured()).toBe(26)
    expect(read.toSorted()).toEqual(['1.seg', '2.seg', '3.open', '3.open'])
    await systemFiles.remove(join(folder, '1.seg'))
    await systemFiles.remove(join(folder, '3.open'))
    expect(await measured()).toBe(5)
    expect([...known.keys()]).toEqual(['2.seg'])
  }))
