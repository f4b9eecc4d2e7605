import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecrets } from '../../../core/outbound/secrets'
import { StartError } from '../../../core/process/start-error'

const key = (id: string) => `${id}:${randomBytes(32).toString('base64url')}`
const place = { entity: 'Connection', workspace_id: 'wsp_1', id: 'con_1', field: 'refresh_token' }
const old = key('k1')
const fresh = key('k2')

describe('A sealed text', () => {
  const secrets = createSecrets({ keys: [old], folder: null })

  test('opens where it was sealed, and differs each time', () => {
    const one = secrets.seal('1//token-ü', place)
    const two = secrets.seal('1//token-ü', place)
    expect(secrets.open(one, place)).toBe('1//token-ü')
    expect(one).not.toBe(two)
    expect(one).not.toContain('token')
  })

  test('opens nowhere else', () => {
    const sealed = secrets.seal('token', place)
    for (const other of [
      { ...place, id: 'con_2' },
      { ...place, workspace_id: 'wsp_2' },
      { ...place, field: 'access_token' },
      { ...place, entity: 'Other' },
    ]) {
      expect(() => secrets.open(sealed, other)).toThrow('belongs to another record or field')
    }
  })

  test('does not open when a single character of it is changed', () => {
    const sealed = secrets.seal('token', place)
    for (let at = 0; at < sealed.length; at++) {
      const other = sealed[at] === 'A' ? 'B' : 'A'
      const changed = `${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`
      // The last character of base64url may hold bits that decode to nothing.
      if (
        Buffer.from(changed.split('.')[3] ?? '', 'base64url').equals(
          Buffer.from(sealed.split('.')[3] ?? '', 'base64url'),
        )
      ) {
        if (changed.split('.').slice(0, 3).join() === sealed.split('.').slice(0, 3).join()) continue
      }
      expect(() => secrets.open(changed, place)).toThrow()
    }
  })

  test('opens under an older key of the ring, which says so, and not once that is gone', () => {
    const sealed = secrets.seal('token', place)
    const ring = createSecrets({ keys: [fresh, old], folder: null })
    expect(ring.open(sealed, place)).toBe('token')
    expect(ring.isOld(sealed)).toBe(true)
    expect(ring.isOld(ring.seal('token', place))).toBe(false)
    expect(() => createSecrets({ keys: [fresh], folder: null }).open(sealed, place)).toThrow('the key "k1"')
  })
})

describe('The keys', () => {
  test('are made in the data folder for its owner alone, once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'renown-secrets-'))
    try {
      const sealed = createSecrets({ keys: [], folder }).seal('token', place)
      const file = join(folder, 'secrets.key')
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(readFileSync(file, 'utf8')).toStartWith('own:')
      expect(createSecrets({ keys: [], folder }).open(sealed, place)).toBe('token')
      const named = createSecrets({ keys: [fresh], folder })
      expect(named.open(sealed, place)).toBe('token')
      expect(named.isOld(sealed)).toBe(true)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('are asked for where processes share a store', () => {
    expect(() => createSecrets({ keys: [], folder: null }).seal('token', place)).toThrow('set SECRETS_KEY')
  })

  test('are refused when they are none, without being repeated', () => {
    for (const keys of [['short'], ['k1:short'], ['k 1:aaaa'], [old, old]]) {
      const read = () => createSecrets({ keys, folder: null })
      expect(read).toThrow('SECRETS_KEY')
      // A start with it ends, and is not tried again.
      expect(read).toThrow(StartError)
    }
    expect(() => createSecrets({ keys: ['k1:hunter2hunter2'], folder: null })).not.toThrow('hunter2')
  })
})
