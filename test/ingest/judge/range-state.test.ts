import { afterEach, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  accept,
  graceMs,
  loadState,
  type RangeState,
  saveState,
  unknownList,
} from '../../../ingest/judge/range-state'

const url = 'https://operator.example/list.json'
const now = 1_800_000_000_000
const hour = 3_600_000
const day = 24 * hour
const validators = { etag: '"v1"', modified: 'Fri' }
const digest = (...prefixes: string[]) => createHash('sha256').update(prefixes.join('\n')).digest('hex')
const state = (more: Partial<RangeState>): RangeState => ({ ...unknownList(url), ...more })
const networks = (count: number) => Array.from({ length: count }, (_, n) => `192.0.2.${n}/32`)

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'range-state-'))
  folders.push(made)
  return join(made, 'a', 'b')
}

test('a list that was never fetched has no networks and no past', () => {
  expect(unknownList(url)).toEqual({
    url,
    prefixes: [],
    sha256: null,
    etag: null,
    modified: null,
    lastOkAt: null,
    lastError: null,
    withdrawn: [],
    shrunken: null,
  })
})

describe('a list that is accepted', () => {
  test('replaces the last one, and keeps what it left out for 14 days', () => {
    expect(graceMs).toBe(14 * day)
    const before = state({
      prefixes: ['a', 'b', 'c'],
      lastOkAt: 5,
      lastError: 'answered 500',
      withdrawn: [
        { prefix: 'b', at: now - 1 },
        { prefix: 'x', at: now - graceMs },
        { prefix: 'y', at: now - graceMs - 1 },
        { prefix: 'd', at: now - 2 },
      ],
      shrunken: { sha256: 'z', since: 1, seen: 1 },
    })
    expect(accept(before, ['b', 'd'], validators, now)).toEqual({
      url,
      ...validators,
      prefixes: ['b', 'd'],
      sha256: digest('b', 'd'),
      lastOkAt: now,
      lastError: null,
      shrunken: null,
      withdrawn: [
        { prefix: 'x', at: now - graceMs },
        { prefix: 'a', at: now },
        { prefix: 'c', at: now },
      ],
    })
  })

  test.each([
    [4, 2, true],
    [4, 1, false],
    [5, 3, true],
    [5, 2, false],
    [0, 0, true],
  ])('of %i networks, has at least half of them: %i', (before, after, isTaken) => {
    const taken = accept(state({ prefixes: networks(before) }), networks(after), validators, now)
    expect(taken.prefixes).toHaveLength(isTaken ? after : before)
    expect(taken.lastError).toBe(isTaken ? null : `the list shrank from ${before} to ${after} networks`)
  })
})

describe('a shrunken list', () => {
  const full = state({ prefixes: networks(4), etag: '"v0"', lastOkAt: 7 })
  const small = networks(1)
  const first = { sha256: digest(...small), since: now, seen: 1 }

  test('changes nothing but its own count at first', () => {
    expect(accept(full, small, validators, now)).toEqual({
      ...full,
      shrunken: first,
      lastError: 'the list shrank from 4 to 1 networks',
    })
  })

  test.each([
    [1, 12 * hour, false],
    [2, 12 * hour - 1, false],
    [2, 12 * hour, true],
    [3, 12 * hour, true],
  ])('that was seen %i times before, after %i ms: accepted %p', (seen, ms, isTaken) => {
    const taken = accept({ ...full, shrunken: { ...first, seen } }, small, validators, now + ms)
    expect(taken.prefixes).toHaveLength(isTaken ? 1 : 4)
    expect(taken.shrunken).toEqual(isTaken ? null : { ...first, seen: seen + 1 })
  })

  test('that is another one begins again', () => {
    const other = { sha256: 'other', since: now - day, seen: 9 }
    expect(accept({ ...full, shrunken: other }, small, validators, now).shrunken).toEqual(first)
  })
})

describe('a stored state', () => {
  const stored = state({
    prefixes: ['192.0.2.0/24'],
    sha256: 'a',
    etag: 'b',
    modified: 'c',
    lastOkAt: 1,
    lastError: 'd',
    withdrawn: [{ prefix: '192.0.2.1/32', at: 2 }],
    shrunken: { sha256: 'e', since: 3, seen: 4 },
  })

  test('is read as it was written, in files that only this user can read', () => {
    const directory = folder()
    expect(loadState(directory, url)).toBeNull()
    const open = readdirSync('/proc/self/fd').length
    for (let n = 0; n < 20; n++) saveState(directory, stored)
    expect(readdirSync('/proc/self/fd').length).toBeLessThan(open + 10)
    expect(loadState(directory, url)).toEqual(stored)
    expect(readdirSync(directory)).toEqual(['operator.example_list.json'])
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    expect(statSync(join(directory, 'operator.example_list.json')).mode & 0o777).toBe(0o600)
    saveState(directory, unknownList(url))
    expect(loadState(directory, url)).toEqual(unknownList(url))
  })

  test.each([
    ['https://a.example/x/y.json', 'a.example_x_y.json'],
    ['http://a.example/x', 'a.example_x.json'],
    ['https://a.example/x.json/y-z', 'a.example_x.json_y-z.json'],
    ['ftp/https://a.example', 'ftp_https_a.example.json'],
    ['https://a.example/?q=%20&A9', 'a.example_q_20_A9.json'],
  ])('of %s has a name of its own', (of, name) => {
    const directory = folder()
    saveState(directory, { ...stored, url: of })
    expect(readdirSync(directory)).toEqual([name])
    expect(loadState(directory, of)?.url).toBe(of)
  })

  const faults: [string, object][] = [
    ['url', { url: 'https://other.example/list.json' }],
    ['prefixes', { prefixes: ['192.0.2.0/33'] }],
    ['sha256', { sha256: 1 }],
    ['etag', { etag: 1 }],
    ['modified', { modified: 1 }],
    ['lastOkAt', { lastOkAt: 'now' }],
    ['lastError', { lastError: 1 }],
    ['withdrawn', { withdrawn: [{ prefix: 'x', at: 2 }] }],
    ['withdrawn', { withdrawn: [{ at: 2 }] }],
    ['withdrawn', { withdrawn: [{ prefix: '192.0.2.1/32' }] }],
    ['shrunken', { shrunken: { since: 3, seen: 4 } }],
    ['shrunken', { shrunken: { sha256: 'e', seen: 4 } }],
    ['shrunken', { shrunken: { sha256: 'e', since: 3 } }],
  ]
  test.each(faults)('is not used without a valid %s', (field, fault) => {
    const directory = folder()
    saveState(directory, stored)
    const file = join(directory, 'operator.example_list.json')
    expect(existsSync(file)).toBe(true)
    const read = (value: object) => {
      writeFileSync(file, JSON.stringify(value))
      return loadState(directory, url)
    }
    expect(read({ ...stored, ...fault })).toBeNull()
    expect(read({ ...stored, [field]: undefined })).toBeNull()
    writeFileSync(file, readFileSync(file, 'utf8').slice(1))
    expect(loadState(directory, url)).toBeNull()
    expect(read(stored)).toEqual(stored)
  })
})
