import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryFolder } from './memory-folder'

let within: string
beforeEach(() => {
  within = mkdtempSync(join(tmpdir(), 'renown-memory-'))
})
afterEach(() => rmSync(within, { recursive: true, force: true }))
const runs = () => readdirSync(join(within, 'renown-test-runs'))

test('each run has a folder of its own, and removes it', () => {
  const folders = [memoryFolder(within, 1), memoryFolder(within, 1)]
  expect(new Set(folders.map((each) => each?.path)).size).toBe(2)
  for (const folder of folders) folder?.remove()
  expect(runs()).toEqual([])
})

test('folders of runs that were killed are removed, and no folder of a run that goes on', async () => {
  const ended = Bun.spawnSync(['true']).pid
  mkdirSync(join(within, 'renown-test-runs', `${ended}-left`), { recursive: true })
  const mine = memoryFolder(within, 1)
  const other = memoryFolder(within, 1)
  expect(runs().sort()).toEqual([mine, other].map((each) => each?.path.split('/').at(-1) ?? '').sort())
  expect(existsSync(mine?.path ?? '')).toBe(true)
})

test('there is none where the folder is missing or too small', () => {
  expect(memoryFolder(join(within, 'missing'), 1)).toBeUndefined()
  expect(memoryFolder(within, Number.MAX_SAFE_INTEGER)).toBeUndefined()
})
