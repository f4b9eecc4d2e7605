import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { type SafeFetch, ServiceFault } from 'renown/contracts'
import { createKeyring } from '../../../../ingest/judge/signature/keyring'
import { inTemporaryFolder, silentLog } from '../../support/journal'
import { createSigner } from '../../support/signing'

const signer = createSigner()
const other = createSigner()
const mediaType = 'application/http-message-signatures-directory+json'
const minute = 60_000
const hour = 60 * minute
const start = 1_800_000_000_000

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const settle = async () => {
  for (let turns = 0; turns < 100; turns++) await Promise.resolve()
}

/** A keyring of two signers in a world whose clock a test moves. */
function worldIn(directory: string, random = 0.5) {
  const world = { at: start, failing: new Set<string>(), asked: [] as string[], logged: [] as unknown[] }
  const safeFetch: SafeFetch = async (url) => {
    const { host } = new URL(url)
    world.asked.push(host)
    if (world.failing.has(host)) throw new ServiceFault('transient', 'nothing', { code: 'refused' })
    const body = new TextEncoder().encode(JSON.stringify({ keys: [signer.jwk] }))
    return { status: 200, headers: new Headers({ 'content-type': mediaType }), body, url }
  }
  const keyring = createKeyring({
    directory,
    hosts: ['a.test', 'b.test'],
    safeFetch,
    fetch,
    log: { ...silentLog, debug: (...said) => void world.logged.push(said) },
    random: () => random,
    now: () => new Date(world.at),
  })
  const later = async (ms: number) => {
    world.at += ms
    jest.advanceTimersByTime(ms)
    await settle()
    return world.asked.length
  }
  return { world, keyring, later }
}

describe('the directories of signers are fetched', () => {
  test.each([
    [0, 5.4],
    [0.5, 6],
    [1, 6.6],
  ])('again after about six hours: by the draw %d after %d', (random, hours) =>
    inTemporaryFolder(async (directory) => {
      const { keyring, later, world } = worldIn(directory, random)
      await keyring.start()
      expect(world.asked).toEqual(['a.test', 'b.test'])
      expect([await later(hours * hour - 1_000), await later(2_000)]).toEqual([2, 4])
      expect([await later(hours * hour - 3_000), await later(4_000)]).toEqual([4, 6])
      keyring.stop()
      expect(await later(24 * hour)).toBe(6)
    }),
  )

  test('again after about an hour while one of them fails', () =>
    inTemporaryFolder(async (directory) => {
      const { keyring, later, world } = worldIn(directory)
      world.failing.add('b.test')
      await keyring.start()
      expect(keyring.status()).toEqual([
        { host: 'a.test', keys: 1, lastOkAt: start, lastError: null, isFresh: true },
        { host: 'b.test', keys: 0, lastOkAt: null, lastError: 'not fetched: refused', isFresh: false },
      ])
      expect(world.logged).toEqual([[expect.any(String), { host: 'b.test', reason: 'not fetched: refused' }]])
      expect([await later(hour - 1_000), await later(2_000)]).toEqual([2, 4])
      world.failing.clear()
      await later(hour)
      expect(keyring.status().map(({ lastError }) => lastError)).toEqual([null, null])
      const before = world.asked.length
      expect([await later(5 * hour), await later(hour + 2_000)]).toEqual([before, before + 2])
      keyring.stop()
    }))

  test('for a missing key, once in five minutes for each signer, and not after the end', () =>
    inTemporaryFolder(async (directory) => {
      const { keyring, later, world } = worldIn(directory)
      const ask = async (host: string) => {
        expect(keyring.find(host, other.keyid)).toBeNull()
        await settle()
        return world.asked.length
      }
      await keyring.start()
      expect([await ask('a.test'), await ask('a.test')]).toEqual([2, 2])
      await later(5 * minute - 1)
      expect(await ask('a.test')).toBe(2)
      await later(1)
      expect([await ask('a.test'), await ask('a.test'), await ask('b.test')]).toEqual([3, 3, 4])
      expect(await ask('c.test')).toBe(4)
      keyring.stop()
      await later(10 * minute)
      expect(await ask('a.test')).toBe(4)
    }))
})

test('keys are used for 30 days after the last fetch, and are fresh so long', () =>
  inTemporaryFolder(async (directory) => {
    const { keyring, world } = worldIn(directory)
    await keyring.start()
    keyring.stop()
    const days = 30 * 24 * hour
    expect(keyring.find('a.test', signer.keyid)).toMatchObject({
      from: Number.NEGATIVE_INFINITY,
      until: start + days,
    })
    world.at = start + days - 1
    expect(keyring.status()[0]?.isFresh).toBe(true)
    world.at++
    expect(keyring.status()[0]?.isFresh).toBe(false)
  }))
