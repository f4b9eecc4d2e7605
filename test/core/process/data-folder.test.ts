import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { holderOf, lockDataFolder, socketPath } from '../../../core/process/data-folder'

const root = mkdtempSync(join(tmpdir(), 'renown-folder-'))
const fresh = () => mkdtempSync(join(root, 'd-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const now = new Date('2026-11-20T12:00:00Z')

test('the folder is made for its owner alone', () => {
  const path = join(fresh(), 'new', 'data')
  const folder = lockDataFolder(path, 'serving', now)
  expect(statSync(path).mode & 0o777).toBe(0o700)
  folder.release()
})

test('an empty folder that is open to others is closed to them', () => {
  const path = fresh()
  const folder = lockDataFolder(path, 'serving', now)
  expect(statSync(path).mode & 0o777).toBe(0o700)
  folder.release()
})

test('a folder of something else is not locked away from the others who use it', () => {
  const path = join(fresh(), 'shared')
  mkdirSync(path, { mode: 0o755 })
  writeFileSync(join(path, 'theirs'), '')
  expect(() => lockDataFolder(path, 'serving', now)).toThrow('contains files of another program')
  expect(statSync(path).mode & 0o777).toBe(0o755)
})

test('a path that cannot be a folder is named in one sentence', () => {
  const file = join(fresh(), 'file')
  writeFileSync(file, '')
  expect(() => lockDataFolder(join(file, 'data'), 'serving', now)).toThrow(
    `The data folder ${join(file, 'data')} cannot be written`,
  )
})

test('a second process is told who holds the folder, and a killed holder leaves no trace', async () => {
  const path = fresh()
  const module = join(import.meta.dir, '../../../core/process/data-folder.ts')
  const script = `import { lockDataFolder } from ${JSON.stringify(module)}
globalThis.folder = lockDataFolder(${JSON.stringify(path)}, 'serving', new Date(0)); console.log('held'); setInterval(() => {}, 1000)`
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
  await child.stdout.getReader().read()
  expect(() => lockDataFolder(path, 'serving', now)).toThrow(
    `is in use by process ${child.pid} (serving, since 1970-01-01T00:00:00.000Z)`,
  )
  expect(holderOf(path)?.pid).toBe(child.pid)
  child.kill('SIGKILL')
  await child.exited
  expect(holderOf(path)).toBeNull()
  const folder = lockDataFolder(path, 'serving', now)
  expect(holderOf(path)?.pid).toBe(process.pid)
  folder.release()
  expect(existsSync(join(path, 'renown.pid'))).toBe(false)
})

test('the socket stands in the folder unless its path would be too long for one', () => {
  expect(socketPath('/var/lib/renown')).toBe('/var/lib/renown/renown.sock')
  const long = socketPath(`/var/lib/${'long/'.repeat(30)}`)
  expect(long.startsWith(tmpdir())).toBe(true)
  expect(Buffer.byteLength(long)).toBeLessThan(100)
})
