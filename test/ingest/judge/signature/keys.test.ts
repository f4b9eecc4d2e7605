import { describe, expect, test } from 'bun:test'
import { algorithmOf, keyObject, readDirectory } from '../../../../ingest/judge/signature/keys'
import { createSigner } from '../../support/signing'

const signer = createSigner()
const rsa = createSigner('rsa')
const other = createSigner()
const directory = (...keys: readonly unknown[]) => JSON.stringify({ keys })
/** The ids of a directory with some key, and with one that is surely good. */
const idsWith = (key: object) => readDirectory(directory(key, other.jwk)).map(({ keyid }) => keyid)
const good = [other.keyid]

describe('a directory of keys', () => {
  test('has keys of both kinds, with their times', () => {
    const { kty, crv, x } = signer.jwk as unknown as Record<string, string>
    const [one, two] = readDirectory(directory(signer.jwk, { ...rsa.jwk, use: 'sig', nbf: 10, exp: 20 }))
    expect<unknown>(one).toEqual({ keyid: signer.keyid, key: { kty, crv, x }, from: null, until: null })
    expect(two).toMatchObject({ keyid: rsa.keyid, from: 10_000, until: 20_000 })
    expect(Object.keys(two?.key ?? {}).sort()).toEqual(['e', 'kty', 'n'])
    expect([one, two].map((found) => found && algorithmOf(found.key))).toEqual(['ed25519', 'rsa-pss-sha512'])
  })

  test('has times in seconds or in milliseconds', () => {
    const times = (nbf: number) => readDirectory(directory({ ...signer.jwk, nbf }))[0]?.from
    expect([0, 1e11, 1e11 + 1].map(times)).toEqual([0, 1e14, 1e11 + 1])
    expect(idsWith({ ...signer.jwk, nbf: -1 })).toEqual(good)
    expect(idsWith({ ...signer.jwk, exp: '1' })).toEqual(good)
  })

  test('leaves out keys that cannot verify a signature', () => {
    const jwk = signer.jwk as unknown as Record<string, string>
    const { n = '', e = '' } = rsa.jwk as unknown as Record<string, string>
    for (const key of [
      { ...jwk, use: 'enc' },
      { ...jwk, use: 1 },
      { ...jwk, kty: 'EC' },
      { ...jwk, crv: 'Ed448' },
      { ...jwk, x: jwk.x?.slice(1) },
      { ...jwk, x: `${jwk.x}A` },
      { ...jwk, x: `+${jwk.x?.slice(1)}` },
      { ...rsa.jwk, n: n.slice(0, 339) },
      { ...rsa.jwk, n: 'A'.repeat(1_401) },
      { ...rsa.jwk, e: 'AAAAAAABA' },
      { ...rsa.jwk, e: '' },
      { ...rsa.jwk, e: undefined },
      null,
    ])
      expect(idsWith(key as object)).toEqual(good)
    expect(idsWith({ ...rsa.jwk, n: n.slice(0, 340) })).toHaveLength(2)
    expect(idsWith({ ...rsa.jwk, n: 'B'.repeat(1_400) })).toHaveLength(2)
    expect(idsWith({ ...rsa.jwk, e: `AAAA${e}` })).toHaveLength(2)
  })

  test('leaves out the published test key', () => {
    const x = 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs'
    expect(idsWith({ kty: 'OKP', crv: 'Ed25519', x })).toEqual(good)
  })

  test('has at most 32 keys, and one that is good', () => {
    const many = (count: number) => directory(...Array.from({ length: count }, () => signer.jwk))
    expect(readDirectory(many(32))).toHaveLength(32)
    expect(() => readDirectory(many(33))).toThrow('more than 32 keys')
    expect(() => readDirectory(directory())).toThrow('no usable key')
    expect(() => readDirectory(directory({ kty: 'EC' }))).toThrow('no usable key')
    for (const text of ['{}', '{"keys":{}}', '[]', 'null'])
      expect(() => readDirectory(text)).toThrow('no keys')
    expect(() => readDirectory('<html>')).toThrow('not JSON')
  })
})

test('numbers that are no key make none', () => {
  expect(keyObject({ kty: 'OKP', crv: 'Ed25519', x: 'A' })).toBeNull()
})
