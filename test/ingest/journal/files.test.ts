import { expect, spyOn, test } from 'bun:test'
import fs, { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemFiles } from '../../../ingest/journal/files'
import { part } from '../../support/part'
import { inTemporaryFolder } from '../support/journal'

test('a file is written at its end, cut, renamed and removed', () =>
  inTemporaryFolder(async (folder) => {
    const path = join(folder, 'a')
    const moved = join(folder, 'b')
    await Bun.write(path, 'twelve bytes')
    expect(await systemFiles.size(path)).toBe(12)
    await systemFiles.truncate(path, 6)
    expect((await systemFiles.read(path)).toString()).toBe('twelve')
    await systemFiles.rename(path, moved)
    expect(await systemFiles.list(folder)).toEqual(['b'])
    await systemFiles.syncDirectory(folder)
    await systemFiles.remove(moved)
    expect(await systemFiles.list(folder)).toEqual([])
    expect(await systemFiles.free(folder)).toBeGreaterThan(4_096)
  }))

test('what is not there cannot be synced, cut or read', () =>
  inTemporaryFolder(async (folder) => {
    const gone = join(folder, 'gone')
    for (const work of [
      () => systemFiles.syncDirectory(gone),
      () => systemFiles.truncate(gone, 0),
      () => systemFiles.read(gone),
      () => systemFiles.remove(gone),
    ])
      await expect(work()).rejects.toMatchObject({ code: 'ENOENT' })
    await Bun.write(join(folder, 'file'), '')
    const beneath = systemFiles.makeDirectory(join(folder, 'file', 'a'))
    await expect(beneath).rejects.toMatchObject({ code: 'ENOTDIR' })
  }))

test.each([
  ['truncate', 'truncate', 'truncate close'],
  ['truncate', 'datasync', 'truncate datasync close'],
  ['truncate', 'close', 'truncate datasync close'],
  ['syncDirectory', 'sync', 'sync close'],
  ['syncDirectory', 'close', 'sync close'],
] as const)('%s fails where %s of its file fails, and closes the file', async (work, failing, wanted) => {
  const calls: string[] = []
  const call = (name: string) => async () => {
    calls.push(name)
    if (name === failing) throw Object.assign(new Error('disk'), { code: 'EIO' })
  }
  const names = ['truncate', 'datasync', 'sync', 'close']
  const handle = Object.fromEntries(names.map((name) => [name, call(name)]))
  const open = spyOn(fs, 'open').mockResolvedValue(handle as never)
  try {
    await expect(systemFiles[work]('/any', 3)).rejects.toMatchObject({ code: 'EIO' })
    expect(calls.join(' ')).toBe(wanted)
  } finally {
    open.mockRestore()
  }
})

test.each([
  ['EINVAL', 'is done'],
  ['EIO', 'EIO'],
  [undefined, undefined],
])('a folder whose sync fails with %s: %s', async (code, outcome) => {
  let closed = 0
  const open = spyOn(fs, 'open').mockResolvedValue(
    part({
      sync: () => Promise.reject(Object.assign(new Error('no sync'), { code })),
      close: async () => void closed++,
    }),
  )
  try {
    const synced = systemFiles.syncDirectory('/any').then(
      () => 'is done',
      (error) => error.code,
    )
    expect(await synced).toBe(outcome)
    expect(closed).toBe(1)
  } finally {
    open.mockRestore()
  }
})

test('only the owner can read files and folders, and a file that exists is not opened', () =>
  inTemporaryFolder(async (folder) => {
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
    const inner = join(folder, 'a', 'b')
    await systemFiles.makeDirectory(inner)
    await systemFiles.makeDirectory(inner)
    expect([await modeOf(join(folder, 'a')), await modeOf(inner)]).toEqual(['700', '700'])
    const path = join(inner, 'file')
    const file = await systemFiles.create(path)
    await expect(systemFiles.create(path)).rejects.toMatchObject({ code: 'EEXIST' })
    expect(await modeOf(path)).toBe('600')
    expect(await file.write(Buffer.from('abc'), 2)).toBe(3)
    // Up to 64 KiB are written at once, more in a thread.
    expect(file.write(Buffer.alloc(64 * 1024, 120), 5)).toBe(64 * 1024)
    const more = file.write(Buffer.alloc(64 * 1024 + 1, 120), 5)
    expect(more).toBeInstanceOf(Promise)
    expect(await more).toBe(64 * 1024 + 1)
    await file.datasync()
    await file.close()
    const bytes = Buffer.from(await systemFiles.read(path))
    expect([bytes.length, bytes.subarray(0, 7).toString()]).toEqual([64 * 1024 + 6, '\0\0abcxx'])
  }))
