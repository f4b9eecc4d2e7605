import { afterEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SafeAnswer, type SafeFetch, ServiceFault } from 'renown/contracts'
import { createKeyring, type Keyring, keysUsedMs } from '../../../../ingest/judge/signature/keyring'
import { readDirectory } from '../../../../ingest/judge/signature/keys'
import { waitFor } from '../../../support/wait-for'
import { silentLog } from '../../support/journal'
import { createSigner } from '../../support/signing'

const host = 'chatgpt.com'
const mediaType = 'application/http-message-signatures-directory+json'
const minute = 60_000
const day = 24 * 60 * minute
const one = createSigner()
const two = createSigner()
const listOf = (...keys: unknown[]) => JSON.stringify({ keys })

const cleanups: (() => unknown)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup()
})

interface World {
  at: number
  body: string
  status: number
  type: string
  fails: boolean
  readonly asked: string[]
}

function setUp(body: string) {
  const directory = join(mkdtempSync(join(tmpdir(), 'keys-')), 'cache')
  cleanups.push(() => rmSync(directory, { recursive: true, force: true }))
  const world: World = { at: 1_800_000_000_000, body, status: 200, type: mediaType, fails: false, asked: [] }
  const safeFetch: SafeFetch = async (url, options): Promise<SafeAnswer> => {
    world.asked.push(url)
    expect(options).toMatchObject({ redirects: 0, maxBytes: 65_536 })
    if (world.fails) throw new ServiceFault('transient', 'nothing', { code: 'refused' })
    const headers = new Headers({ 'content-type': world.type })
    return { status: world.status, headers, body: new TextEncoder().encode(world.body), url }
  }
  const open = (): Keyring => {
    const keyring = createKeyring({
      directory,
      hosts: [host],
      safeFetch,
      fetch,
      log: silentLog,
      random: () => 0.5,
      now: () => new Date(world.at),
    })
    cleanups.push(() => keyring.stop())
    return keyring
  }
  return { directory, world, open }
}

describe('the keys of a signer', () => {
  test('are fetched from its own address, without redirects, and kept for the next start', async () => {
    const { directory, world, open } = setUp(listOf(one.jwk))
    const keyring = open()
    await keyring.start()
    expect(world.asked).toEqual([`https://${host}/.well-known/http-message-signatures-directory`])
    expect(keyring.find(host, one.keyid)?.algorithm).toBe('ed25519')
    const [file = ''] = readdirSync(directory)
    expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600)
    world.fails = true
    const next = open()
    void next.start()
    expect(next.find(host, one.keyid)).not.toBeNull()
    writeFileSync(join(directory, file), '{"host":1}')
    const third = open()
    void third.start()
    expect(third.find(host, one.keyid)).toBeNull()
  })

  test('are never removed by a failed fetch', async () => {
    const { world, open } = setUp(listOf(one.jwk))
    const keyring = open()
    await keyring.start()
    const faults: Partial<World>[] = [
      { fails: true },
      { fails: false, status: 500 },
      { status: 301 },
      { status: 200, type: 'text/html' },
      { type: mediaType, body: 'no' },
      { body: '{}' },
      { body: listOf() },
      { body: listOf({ kty: 'oct', k: 'secret' }) },
      { body: listOf(...Array.from({ length: 33 }, () => two.jwk)) },
    ]
    for (const fault of faults) {
      Object.assign(world, fault)
      await keyring.start()
      expect(keyring.find(host, one.keyid)).not.toBeNull()
      expect(keyring.status()[0]?.lastError).not.toBeNull()
    }
  })

  test('that are missing are fetched in the background, once in five minutes, and only for known signers', async () => {
    const { world, open } = setUp(listOf(one.jwk))
    const keyring = open()
    await keyring.start()
    world.body = listOf(one.jwk, two.jwk)
    for (let asked = 0; asked < 50; asked++) expect(keyring.find(host, two.keyid)).toBeNull()
    expect(world.asked).toHaveLength(1)
    world.at += 5 * minute
    expect(keyring.find('other.example', two.keyid)).toBeNull()
    expect(keyring.find(host, two.keyid)).toBeNull()
    await waitFor(() => keyring.find(host, two.keyid), { what: 'the new key' })
    expect(world.asked).toHaveLength(2)
  })

  test('that left the directory verify requests from before that, for 30 days', async () => {
    const { world, open } = setUp(listOf(one.jwk))
    const keyring = open()
    await keyring.start()
    world.body = listOf(two.jwk)
    world.at += day
    await keyring.start()
    expect(keyring.find(host, one.keyid)?.until).toBe(world.at)
    world.at += 29 * day
    await keyring.start()
    expect(keyring.find(host, one.keyid)).not.toBeNull()
    world.at += 2 * day
    await keyring.start()
    expect(keyring.find(host, one.keyid)).toBeNull()
    world.body = listOf(one.jwk)
    await keyring.start()
    expect(keyring.find(host, one.keyid)?.until).toBe(world.at + keysUsedMs)
  })

  test('have the times that the directory states, in seconds or milliseconds', () => {
    const [first, second] = readDirectory(
      listOf({ ...one.jwk, nbf: 1_700_000_000, exp: 1_700_000_100 }, { ...two.jwk, nbf: 1_700_000_000_000 }),
    )
    expect([first?.from, first?.until]).toEqual([1_700_000_000_000, 1_700_000_100_000])
    expect([second?.from, second?.until]).toEqual([1_700_000_000_000, null])
  })

  test('for other uses, of other types or that everybody has are left out', () => {
    const test = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' }
    const shortRsa = { kty: 'RSA', e: 'AQAB', n: 'abc' }
    const listed = readDirectory(
      listOf({ ...two.jwk, use: 'enc' }, test, shortRsa, { kty: 'EC', crv: 'P-256' }, 'text', null, one.jwk),
    )
    expect(listed.map(({ keyid }) => keyid)).toEqual([one.keyid])
    expect(() => readDirectory(listOf(test))).toThrow('no usable key')
  })
})
