import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dayMs } from 'renown/contracts'
import {
  acceptKeys,
  type KeyState,
  loadKeys,
  saveKeys,
  unknownDirectory,
} from '../../../../ingest/judge/signature/key-state'
import type { ListedKey } from '../../../../ingest/judge/signature/keys'
import { inTemporaryFolder } from '../../support/journal'

const host = 'a.test'
const x = 'A'.repeat(43)
const listed = (keyid: string, more: Partial<ListedKey> = {}): ListedKey => ({
  keyid,
  key: { kty: 'OKP', crv: 'Ed25519', x },
  from: null,
  until: null,
  ...more,
})
/** The state after complete fetches of these keys, each at a time. */
const after = (...fetches: readonly (readonly [number, ...string[]])[]): KeyState =>
  fetches.reduce<KeyState>(
    (state, [at, ...ids]) =>
      acceptKeys(
        state,
        ids.map((id) => listed(id)),
        at,
      ),
    unknownDirectory(host),
  )
const times = ({ keys }: KeyState) => keys.map(({ keyid, fetchedAt, goneAt }) => [keyid, fetchedAt, goneAt])

describe('a fetch of keys', () => {
  test('keeps when each was first seen, and that an error is over', () => {
    expect(unknownDirectory(host)).toEqual({ host, lastOkAt: null, lastError: null, keys: [] })
    const failed = { ...after([1, 'a']), lastError: 'answered 500' }
    const state = acceptKeys(failed, [listed('a', { from: 3, until: 4 }), listed('b')], 5)
    expect([state.host, state.lastOkAt, state.lastError]).toEqual([host, 5, null])
    expect(times(state)).toEqual([
      ['a', 1, null],
      ['b', 5, null],
    ])
    expect(state.keys[0]).toMatchObject({ from: 3, until: 4, key: { x } })
  })

  test('keeps keys that are gone for 30 days, the last gone first, and knows those that come back', () => {
    const state = after([1, 'a', 'b', 'c'], [2, 'b', 'c'], [3, 'c'])
    expect(times(state)).toEqual([
      ['c', 1, null],
      ['b', 1, 3],
      ['a', 1, 2],
    ])
    const later = (at: number, ...ids: string[]) =>
      times(
        acceptKeys(
          state,
          ids.map((id) => listed(id)),
          at,
        ),
      )
    expect(later(2 + 30 * dayMs, 'c').map(([id]) => id)).toEqual(['c', 'b', 'a'])
    expect(later(3 + 30 * dayMs, 'c').map(([id]) => id)).toEqual(['c', 'b'])
    expect(later(4, 'a', 'c')).toEqual([
      ['a', 1, null],
      ['c', 1, null],
      ['b', 1, 3],
    ])
  })

  test('keeps 64 that are gone', () => {
    const ids = Array.from({ length: 70 }, (_, at) => `k${at}`)
    const gone = times(after([1, ...ids], [2, ...ids.slice(0, 3)], [3, 'new'])).slice(1)
    expect([gone.length, gone[0]?.[0], gone[3]?.[0]]).toEqual([64, 'k0', 'k3'])
  })
})

describe('the file of a signer', () => {
  test('is read as it was written, and only its owner can read it', () =>
    inTemporaryFolder(async (parent) => {
      const directory = join(parent, 'below', 'keys')
      const state = after([1, 'a', 'b'], [2, 'b'])
      saveKeys(directory, state)
      saveKeys(directory, { ...unknownDirectory('b.test'), lastError: 'x' })
      expect(loadKeys(directory, host)).toEqual(state)
      expect(loadKeys(directory, 'b.test')?.lastError).toBe('x')
      const files = readdirSync(directory)
      expect(files).toHaveLength(2)
      for (const file of files) {
        expect(file).toMatch(/^[0-9a-f]{24}\.json$/)
        expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600)
      }
      expect(statSync(directory).mode & 0o777).toBe(0o700)
    }))

  test('that is missing, torn or of another signer is none', () =>
    inTemporaryFolder(async (directory) => {
      mkdirSync(directory, { recursive: true })
      expect(loadKeys(directory, host)).toBeNull()
      saveKeys(directory, after([1, 'a']))
      const file = join(directory, readdirSync(directory)[0] ?? '')
      const whole = JSON.parse(readFileSync(file, 'utf8'))
      const [key] = whole.keys
      expect(loadKeys(directory, host)).not.toBeNull()
      const tornKeys = ['keyid', 'key', 'from', 'until', 'fetchedAt', 'goneAt'].map((name) => ({
        ...whole,
        keys: [{ ...key, [name]: undefined }],
      }))
      for (const torn of [
        { ...whole, host: 'b.test' },
        { ...whole, host: undefined },
        { ...whole, keys: undefined },
        { ...whole, lastOkAt: undefined },
        { ...whole, lastOkAt: '1' },
        { ...whole, lastError: undefined },
        ...tornKeys,
        null,
      ]) {
        writeFileSync(file, JSON.stringify(torn))
        expect([torn, loadKeys(directory, host)]).toEqual([torn, null])
      }
      writeFileSync(file, '{')
      expect(loadKeys(directory, host)).toBeNull()
    }))
})
