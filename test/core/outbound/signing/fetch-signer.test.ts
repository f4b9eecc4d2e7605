import { afterEach, describe, expect, test } from 'bun:test'
import { createHash, type webcrypto } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSafeFetch } from '../../../../core/outbound/fetch/safe-fetch'
import { createFetchSigner } from '../../../../core/outbound/signing/fetch-signer'
import { silentLog } from '../../../ingest/support/journal'
import { fits } from '../../../support/rfc9421'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const day = 24 * 3_600_000
function setUp({ origin = 'https://renown.example', secrets = [] as string[], isShared = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'signing-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  const clock = { at: Date.parse('2026-11-20T12:00:00Z') }
  const open = () =>
    createFetchSigner({ origin, secrets, folder: isShared ? null : folder, now: () => new Date(clock.at) })
  return { file: join(folder, 'signing.keys'), clock, open, signer: open() }
}

interface Listed {
  readonly keys: readonly (webcrypto.JsonWebKey & { readonly kid: string })[]
}
const listed = (signer: ReturnType<typeof createFetchSigner>): Listed['keys'] =>
  (JSON.parse(signer.directory()?.body ?? '{"keys":[]}') as Listed).keys
const message = (fields: Readonly<Record<string, string>>, derived: Readonly<Record<string, string>>) => ({
  fields,
  derived,
})

describe('requests of Renown', () => {
  test('have a signature that another verifier accepts, for their host only and for five minutes', async () => {
    const { signer } = setUp()
    const fields = signer.sign(new URL('https://Shop.example:443/a?b#c'))
    const [key] = listed(signer)
    expect(fields['signature-agent']).toBe('sig1="https://renown.example"')
    expect(fields['signature-input']).toMatch(
      /^sig1=\("@authority" "signature-agent";key="sig1"\);created=1795176000;expires=1795176300;/,
    )
    expect(fields['signature-input']).toContain(`keyid="${key?.kid}"`)
    expect(
      await fits(message(fields, { '"@authority"': 'shop.example' }), 'sig1', key as webcrypto.JsonWebKey),
    ).toBe(true)
    expect(
      await fits(message(fields, { '"@authority"': 'other.example' }), 'sig1', key as webcrypto.JsonWebKey),
    ).toBe(false)
    expect(signer.sign(new URL('https://shop.example/')).signature).not.toBe(fields.signature)
  })

  test('are signed only if the gateway has a public address, and no key is created before', () => {
    for (const origin of [
      '',
      'http://renown.example',
      'https://localhost',
      'https://127.0.0.1',
      'https://[::1]',
      'https://renown.example:8443',
    ]) {
      const { signer, file } = setUp({ origin })
      expect(signer.sign(new URL('https://shop.example/'))).toEqual({})
      expect([signer.directory(), signer.status().signer]).toEqual([null, null])
      expect(signer.rotate().reason).toContain('RENOWN_URL')
      expect(() => statSync(file)).toThrow()
    }
  })

  test('carry the signature, and one that sends data does not', async () => {
    const { signer } = setUp()
    const seen: (string | null)[] = []
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch({ headers, url }) {
        seen.push(headers.get('signature-input'))
        return new URL(url).pathname === '/away' ? Response.redirect('/there') : new Response('ok')
      },
    })
    cleanups.push(() => server.stop(true))
    const safeFetch = createSafeFetch({
      dns: { addresses: async () => ['127.0.0.1'] },
      log: silentLog,
      allowLoopback: true,
      sign: signer.sign,
    })
    const options = { maxBytes: 100, timeoutMs: 5_000, redirects: 1 }
    await safeFetch(`http://127.0.0.1:${server.port}/away`, options)
    await safeFetch(`http://127.0.0.1:${server.port}/`, { ...options, method: 'POST', body: 'x' })
    expect(seen.map((input) => input !== null)).toEqual([true, true, false])
    expect(seen[0]).not.toBe(seen[1] as string)
  })
})

describe('the key', () => {
  test('is in a file that only its owner reads, and stays after a restart', () => {
    const { open, signer, file } = setUp()
    const [key] = signer.status().keys
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect<unknown>(open().status().keys).toEqual([key])
    writeFileSync(file, '{}')
    expect(() => open().status()).toThrow()
  })

  test('is replaced by a new one, and stays published for 30 days', async () => {
    const { open, signer, clock, file } = setUp()
    const [first] = listed(signer)
    clock.at += day
    const rotated = signer.rotate()
    expect(rotated.keys.map(({ retired_at }) => retired_at)).toEqual([null, '2026-11-21T12:00:00.000Z'])
    expect(signer.sign(new URL('https://a.example'))['signature-input']).toContain(rotated.keys[0]?.keyid)
    expect(listed(open()).map(({ kid }) => kid)).toEqual([
      rotated.keys[0]?.keyid as string,
      first?.kid as string,
    ])
    clock.at += 31 * day
    expect(signer.rotate().keys).toHaveLength(2)
    expect(listed(signer).map(({ kid }) => kid)).not.toContain(first?.kid as string)
    expect(JSON.stringify(signer.status())).not.toContain(JSON.parse(readFileSync(file, 'utf8')).keys[0].seed)
  })

  test('is made from SECRETS_KEY if processes share the data, so that all of them have the same', () => {
    const secrets = [`k2:${'B'.repeat(43)}`, `k1:${'A'.repeat(43)}`]
    const one = setUp({ secrets, isShared: true }).signer
    const two = setUp({ secrets, isShared: true }).signer
    expect(one.status().keys).toEqual(two.status().keys)
    expect(one.status().keys).toHaveLength(2)
    expect(one.rotate().reason).toContain('SECRETS_KEY')
    const none = setUp({ isShared: true }).signer
    expect([none.directory(), none.status().reason?.includes('SECRETS_KEY')]).toEqual([null, true])
  })
})

test('the directory is signed by each of its keys, over its host and its content', async () => {
  const { signer } = setUp()
  signer.rotate()
  const { body, headers } = signer.directory() ?? { body: '', headers: {} }
  expect(headers['content-type']).toBe('application/http-message-signatures-directory+json')
  const digest = createHash('sha256').update(body).digest('base64')
  expect(headers['content-digest']).toBe(`sha-256=:${digest}:`)
  const [one, two] = listed(signer)
  const derived = { '"@authority";req': 'renown.example' }
  expect(await fits(message(headers, derived), 'sig1', one as webcrypto.JsonWebKey)).toBe(true)
  expect(await fits(message(headers, derived), 'sig2', two as webcrypto.JsonWebKey)).toBe(true)
  expect(await fits(message(headers, derived), 'sig1', two as webcrypto.JsonWebKey)).toBe(false)
  expect(
    await fits(message(headers, { '"@authority";req': 'evil.example' }), 'sig1', one as webcrypto.JsonWebKey),
  ).toBe(false)
  expect(body).not.toContain('"d"')
})
