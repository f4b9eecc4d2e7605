import { expect, spyOn, test } from 'bun:test'
import fs, { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemFiles } from '../../../ingest/journal/files'
import { inTemporaryFolder } from '../support/journal'

test('a file is written at its end, cut, renamed and removed', () =>
  inTemporaryFolder(async (folder) => {
    const [path, moved] = [join(folder, 'a'), join(folder, 'b')]
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
  }))

test.each([
  ['EINVAL', 'is done'],
  ['EIO', 'EIO'],
  [undefined, undefined],
])('a folder whose sync fails with %s: %s', async (code, outcome) => {
  let closed = 0
  const open = spyOn(fs, 'open').mockResolvedValue({
    sync: () => Promise.reject(Object.assign(new Error('no sync'), { code })),
    close: async () => void closed++,
  } as never)
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
    expect(await file.write(Buffer.alloc(64 * 1024 + 1, 120), 5)).toBe(64 * 1024 + 1)
    await file.datasync()
    await file.close()
    const bytes = Buffer.from(await systemFiles.read(path))
    expect([bytes.length, bytes.subarray(0, 7).toString()]).toEqual([64 * 1024 + 6, '\0\0abcxx'])
  }))
