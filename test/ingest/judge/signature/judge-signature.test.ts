import { describe, expect, test } from 'bun:test'
import { createPublicKey } from 'node:crypto'
import fc from 'fast-check'
import { readClaims, unverified } from '../../../../ingest/judge/signature/claim'
import { createSignatureJudge } from '../../../../ingest/judge/signature/judge-signature'
import type { VerifyingKey } from '../../../../ingest/judge/signature/keyring'
import { createSigner, type Signing, signedHeaders, type TestSigner } from '../../support/signing'

const at = 1_790_000_000
const site = { site_id: 'site_1', domain: 'example.com' }
const request = {
  method: 'GET',
  target: '/pricing?a=1',
  host: 'example.com' as string | undefined,
  ua: 'Mozilla/5.0',
  referer: undefined,
  ts: at * 1_000 + 500,
}
const signer = createSigner()
const rsa = createSigner('rsa')

const keyOf = ({ jwk, alg }: TestSigner): VerifyingKey => ({
  object: createPublicKey({ key: jwk as never, format: 'jwk' }),
  algorithm: alg,
  from: Number.NEGATIVE_INFINITY,
  until: Number.POSITIVE_INFINITY,
})

function judgeOf(
  more: Partial<Parameters<typeof createSignatureJudge>[0]> = {},
  ...others: [string, VerifyingKey][]
) {
  const keys = new Map([[signer.keyid, keyOf(signer)], [rsa.keyid, keyOf(rsa)], ...others])
  const find = (host: string, keyid: string) => (host === 'chatgpt.com' ? (keys.get(keyid) ?? null) : null)
  return createSignatureJudge({ keyring: { find }, now: () => new Date(at * 1_000), ...more })
}

type Fields = ReturnType<typeof signedHeaders>
const outcome = (fields: Fields, logged: Partial<typeof request> = {}, judge = judgeOf()) => {
  const [claim] = readClaims(fields) ?? []
  return claim ? judge.judge(claim, { ...request, ...logged }, site) : null
}
const signedBy = (from: TestSigner, more: Partial<Signing> = {}) =>
  signedHeaders(from, { created: at, ...more })
const noteOf = (found: ReturnType<typeof outcome>) => (found?.result === 'verified' ? found.note : null)
const because = (reason: string) => ({ result: 'unverified', reason }) as never
const verified = { result: 'verified', note: null } as never
const invalid = { result: 'invalid' } as never

describe('a signature of a crawler', () => {
  test('verifies with Ed25519 and with RSA-PSS, in the form of today and of earlier drafts', () => {
    for (const from of [signer, rsa])
      for (const isLegacy of [false, true]) expect(outcome(signedBy(from, { isLegacy }))).toEqual(verified)
  })

  test('may cover the address, the path, the query, the method and the user agent', () => {
    const all = [
      ['"@target-uri"', 'https://example.com/pricing?a=1'],
      ['"@path"', '/pricing'],
      ['"@query"', '?a=1'],
      ['"@method"', 'GET'],
      ['"@scheme"', 'https'],
      ['"@request-target"', '/pricing?a=1'],
      ['"user-agent"', 'Mozilla/5.0'],
    ] as const
    expect(outcome(signedBy(signer, { covered: all }))).toEqual(verified)
    const plain = [['"@target-uri"', 'http://example.com/pricing?a=1']] as const
    expect(outcome(signedBy(signer, { covered: plain }))).toEqual(verified)
    const whole = { target: 'https://Example.com:443/pricing?a=1', host: undefined }
    expect(outcome(signedBy(signer, { covered: all }), whole)).toEqual(verified)
  })

  test('for an address or a local name is not verified, because it is nobody’s own', () => {
    for (const authority of ['198.51.100.9', '[2001:db8::9]', 'intranet', 'shop.local', '198.51.100.9:8443'])
      for (const target of ['/pricing', `https://${authority}/pricing`])
        expect(outcome(signedBy(signer, { authority }), { host: authority, target })).toEqual(
          because(unverified.unsure),
        )
    // A server behind a proxy may log such a host for the site's own.
    expect(outcome(signedBy(signer), { host: '10.0.0.7' })).toEqual(verified)
    // A port that is none does not make the other host the one that counts.
    const torn = { host: 'evil.example', target: 'https://example.com:99999/pricing' }
    expect(outcome(signedBy(signer, { authority: 'evil.example' }), torn)).toEqual(invalid)
  })

  test('for another host, another time or another signer is not verified', () => {
    expect(outcome(signedBy(signer), { host: 'other.example' })).toEqual(invalid)
    expect(outcome(signedBy(signer, { authority: 'other.example' }))).toEqual(invalid)
    expect(outcome(signedBy(signer), { ts: (at + 361) * 1_000 })).toEqual(because(unverified.late))
    expect(outcome(signedBy(signer), { ts: (at - 61) * 1_000 })).toEqual(because(unverified.early))
    expect(outcome(signedBy(signer, { agent: 'https://signer.example' }))).toEqual(
      because(unverified.unknownKey),
    )
  })

  test('is judged with a minute for clocks that differ, on both sides', () => {
    const byTime = (ts: number) => outcome(signedBy(signer, { expires: at + 100 }), { ts })
    expect(byTime(at * 1_000 - 60_000)).toEqual(verified)
    expect(byTime(at * 1_000 - 60_001)).toEqual(because(unverified.early))
    expect(byTime((at + 100) * 1_000 + 60_000)).toEqual(verified)
    expect(byTime((at + 100) * 1_000 + 60_001)).toEqual(because(unverified.late))
    const byKey = (from: number, until: number) => {
      const times = { ...keyOf(signer), from: request.ts + from, until: request.ts + until }
      return outcome(signedBy(signer), {}, judgeOf({}, [signer.keyid, times]))
    }
    expect(byKey(60_000, 60_000)).toEqual(verified)
    expect(byKey(60_001, 60_002)).toEqual(because(unverified.keyTime))
    expect(byKey(-60_000, -60_000)).toEqual(verified)
    expect(byKey(-60_002, -60_001)).toEqual(because(unverified.keyTime))
  })

  test('covers each part as it was logged', () => {
    const host = ['"@authority"', 'example.com'] as const
    const covering = (
      name: string,
      value: string,
      logged: Partial<typeof request> & { referer?: never } = {},
    ) => outcome(signedBy(signer, { covered: [host, [name, value]] }), logged)
    const unsure = because(unverified.unsure)
    const notLogged = because(unverified.notLogged)
    expect(covering('"@query"', '?', { target: '/pricing' })).toEqual(verified)
    expect(covering('"@path"', '/pricing', { target: '/pricing' })).toEqual(verified)
    expect(covering('"@path"', '/', { target: 'https://example.com' })).toEqual(verified)
    expect(covering('"@path"', '/', { target: 'https://example.com?a' })).toEqual(verified)
    expect(covering('"@query"', '?a', { target: 'https://example.com?a' })).toEqual(verified)
    expect(covering('"@scheme"', 'https')).toEqual(verified)
    expect(covering('"@scheme"', 'http')).toEqual(verified)
    expect(covering('"@scheme"', 'ftp')).toEqual(unsure)
    expect(covering('"@scheme"', 'http', { target: 'HTTP://example.com/' })).toEqual(verified)
    expect(covering('"@scheme"', 'https', { target: 'http://example.com/' })).toEqual(unsure)
    expect(covering('"user-agent"', 'Mozilla/5.0')).toEqual(verified)
    expect(covering('"user-agent"', '', { ua: '' })).toEqual(notLogged)
    expect(covering('"referer"', 'https://a.test/')).toEqual(notLogged)
    expect(covering('"referer"', 'https://a.test/', { referer: 'https://a.test/' as never })).toEqual(
      verified,
    )
    expect(covering('"@path";req', '/pricing')).toEqual(notLogged)
    expect(covering('"date"', 'x')).toEqual(notLogged)
    expect(covering('path', '/pricing')).toEqual(notLogged)
  })

  test('of a log without hosts may be for www, and a usual port does not count', () => {
    for (const authority of ['example.com', 'www.example.com']) {
      expect(outcome(signedBy(signer, { authority }), { host: undefined })).toEqual(verified)
      for (const port of [':80', ':443'])
        expect(outcome(signedBy(signer, { authority }), { host: `${authority}${port}` })).toEqual(verified)
      expect(outcome(signedBy(signer, { authority }), { host: `${authority}:8443` })).toEqual(invalid)
      expect(outcome(signedBy(signer, { authority }), { host: `${authority}:800` })).toEqual(invalid)
    }
  })

  test('is checked again where the key, the site or five minutes are others', () => {
    const judge = judgeOf({ checksPerSecond: 1 })
    const [claim, later] = [0, 1].map((less) => readClaims(signedBy(signer, { created: at - less }))?.[0])
    if (!claim || !later) throw new Error('no claims')
    const start = Math.floor(request.ts / 300_000) * 300_000
    const judged = (one: typeof claim, more: object, of = site) =>
      judge.judge(one, { ...request, ...more }, of)
    expect(judged(claim, {})).toEqual(verified)
    expect(judged(later, {})).toEqual({ result: 'verified', note: 'sampled' })
    expect(judged(later, {}, { ...site, site_id: 'site_2' })).toEqual(because(unverified.tooMany))
    const end = start + 300_000
    expect(judged(later, { ts: end - 1 })).toMatchObject({ note: 'sampled' })
    expect(judged(later, { ts: end })).toEqual(because(unverified.tooMany))
  })

  test('is checked as often as the budget of a second allows, which fills again with time', () => {
    const clock = { ms: at * 1_000 }
    const judge = judgeOf({ checksPerSecond: 2, now: () => new Date(clock.ms) })
    const isChecked = (back: number, logged: Partial<typeof request> = {}) => {
      const found = outcome(signedBy(rsa, { created: at - back }), logged, judge)
      return found?.result === 'verified' && found.note === null
    }
    const checked = (from: number, count: number) =>
      Array.from({ length: count }, (_, each) => isChecked(from + each)).filter(Boolean).length
    expect(checked(0, 4)).toBe(2)
    clock.ms += 499
    expect(checked(4, 2)).toBe(0)
    clock.ms += 1
    expect(checked(6, 2)).toBe(1)
    clock.ms -= 10_000
    expect(checked(8, 2)).toBe(0)
    clock.ms += 60_000
    expect(checked(10, 4)).toBe(2)
    clock.ms += 500
    // A log without hosts needs a check for each of two.
    expect(isChecked(20, { host: undefined })).toBe(false)
    expect(isChecked(21)).toBe(true)
  })

  test('is remembered until as many others came as fit, and for as many again', () => {
    const isReplayed = (others: number) => {
      const judge = judgeOf({ rememberedMax: 3 })
      const judged = (less: number) => outcome(signedBy(signer, { created: at - less }), {}, judge)
      for (let less = 0; less <= others; less++) expect(judged(less)).toEqual(verified)
      return noteOf(judged(0)) === 'replayed'
    }
    expect([1, 2, 3, 5].map(isReplayed)).toEqual([true, true, true, true])
    const judge = judgeOf({ rememberedMax: 3 })
    for (let less = 0; less <= 6; less++) outcome(signedBy(signer, { created: at - less }), {}, judge)
    expect(outcome(signedBy(signer), {}, judge)).toEqual(verified)
  })

  test('of a host with its usual port verifies, and so does one of a log without hosts', () => {
    expect(outcome(signedBy(signer), { host: 'EXAMPLE.com:443' })).toEqual(verified)
    expect(outcome(signedBy(signer), { host: undefined })).toEqual(verified)
    expect(outcome(signedBy(signer, { authority: 'www.example.com' }), { host: undefined })).toEqual(verified)
  })

  test('is never called false if the log may lack what was signed', () => {
    const unsure = because(unverified.unsure)
    expect(outcome(signedBy(signer, { authority: 'shop.example.com' }), { host: undefined })).toEqual(unsure)
    const path = [
      ['"@authority"', 'example.com'],
      ['"@path"', '/before-rewriting'],
    ] as const
    expect(outcome(signedBy(signer, { covered: path }))).toEqual(unsure)
    const accept = [
      ['"@authority"', 'example.com'],
      ['"accept"', '*/*'],
    ] as const
    expect(outcome(signedBy(signer, { covered: accept }))).toEqual(because(unverified.notLogged))
  })

  test('that covers too little, lives too long or lacks a parameter is refused', () => {
    expect(outcome(signedBy(signer, { covered: [] }))).toEqual(because(unverified.coverage))
    expect(outcome(signedBy(signer, { covered: [['"@method"', 'GET']] }))).toEqual(
      because(unverified.coverage),
    )
    const day = 24 * 3_600
    expect(outcome(signedBy(signer, { expires: at + day }))).toEqual(verified)
    expect(outcome(signedBy(signer, { expires: at + day + 1 }))).toEqual(because(unverified.lifetime))
    expect(outcome(signedBy(signer, { expires: at }))).toEqual(because(unverified.lifetime))
    expect(outcome(signedBy(signer, { tag: 'other' }))).toEqual(because(unverified.noTag))
    const fields = signedBy(signer)
    const without = (name: RegExp) => ({ ...fields, input: fields.input.replace(name, '') })
    for (const name of [/;created=\d+/, /;expires=\d+/, /;keyid="[^"]+"/])
      expect(outcome(without(name))).toEqual(because(unverified.parameters))
    expect(outcome({ ...fields, input: 'sig1=();created=1;expires=2;keyid="k";tag="web-bot-auth"' })).toEqual(
      because(unverified.coverage),
    )
    const onlyHost = fields.input.replace(' "signature-agent";key="sig1"', '')
    expect(outcome({ ...fields, input: onlyHost })).toEqual(because(unverified.coverage))
    const foreign = fields.input.replace('key="sig1"', 'key="sig2"')
    expect(outcome({ ...fields, input: foreign })).toEqual(because(unverified.coverage))
  })

  test('with a shared secret or a wrong algorithm is refused', () => {
    const fields = signedBy(signer)
    const hmac = { ...fields, input: fields.input.replace('alg="ed25519"', 'alg="hmac-sha256"') }
    expect(outcome(hmac)).toEqual(because(unverified.algorithm))
  })

  test('is judged by the times of its key', () => {
    const key = keyOf(signer)
    const within = (from: number, until: number) => {
      const times = { ...key, from: (at + from) * 1_000, until: (at + until) * 1_000 }
      return outcome(signedBy(signer), {}, judgeOf({}, [signer.keyid, times]))
    }
    expect(within(-10, 10)).toEqual(verified)
    expect(within(-200, -100)).toEqual(because(unverified.keyTime))
    expect(within(100, 200)).toEqual(because(unverified.keyTime))
  })

  test('that came before is recognized, whether good or false', () => {
    const judge = judgeOf()
    const fields = signedBy(signer)
    expect(outcome(fields, {}, judge)).toEqual(verified)
    expect(outcome(fields, {}, judge)).toEqual({ result: 'verified', note: 'replayed' })
    expect(outcome(fields, { host: 'other.example' }, judge)).toEqual(invalid)
    expect(outcome(fields, { host: 'other.example' }, judge)).toEqual(invalid)
    const forgetful = judgeOf({ rememberedMax: 2 })
    for (let second = 0; second < 5; second++)
      outcome(signedBy(signer, { created: at - second }), {}, forgetful)
    expect(outcome(signedBy(signer), {}, forgetful)).toEqual(verified)
  })

  test('counts by an earlier one of the same key while too many arrive', () => {
    const judge = judgeOf({ checksPerSecond: 1 })
    const later = (seconds: number) => signedBy(signer, { created: at - seconds })
    expect(outcome(later(0), {}, judge)).toEqual(verified)
    expect(outcome(later(1), {}, judge)).toEqual({ result: 'verified', note: 'sampled' })
    expect(outcome(signedBy(rsa), {}, judge)).toEqual(because(unverified.tooMany))
    const poisoned = judgeOf({ checksPerSecond: 2 })
    expect(outcome(later(0), {}, poisoned)).toEqual(verified)
    expect(outcome(later(1), { host: 'other.example' }, poisoned)).toEqual(invalid)
    expect(outcome(later(2), {}, poisoned)).toEqual(because(unverified.tooMany))
    // A log without hosts cannot call a signature false, but one that does not fit ends the trust just the same.
    const forged = { ...later(1), signature: `sig1=:${Buffer.alloc(64, 1).toString('base64')}:` }
    const unsure = judgeOf({ checksPerSecond: 4 })
    expect(outcome(later(0), { host: undefined }, unsure)).toEqual(verified)
    expect(outcome(forged, { host: undefined }, unsure)).toEqual(because(unverified.unsure))
    expect(outcome(later(2), { host: undefined }, unsure)).toEqual(because(unverified.tooMany))
  })

  test('is one of several, and each is judged for itself', () => {
    const good = signedBy(signer)
    const other = signedBy(signer, { created: at - 1 })
    const second = (text: string) => text.replace(/^sig1=/, 'sig2=')
    const both = {
      agent: good.agent,
      input: `${good.input}, ${second(other.input)}`,
      signature: `${good.signature}, ${second(other.signature)}`,
    }
    const claims = readClaims(both) ?? []
    expect(claims.map((claim) => judgeOf().judge(claim, request, site))).toEqual([verified, verified])
  })

  test('with unreadable headers names its signer only where one is named', () => {
    const fields = signedBy(signer)
    expect(outcome({ ...fields, input: 'sig1=(' })).toEqual(because(unverified.malformed))
    expect(outcome({ ...fields, signature: 'sig1=abc' })).toEqual(because(unverified.malformed))
    expect(outcome({ ...fields, signature: 'sig9=:YQ==:' })).toEqual(because(unverified.malformed))
    for (const agent of [
      '',
      'chatgpt.com',
      '"http://chatgpt.com"',
      '"https://u@chatgpt.com"',
      '"https://chatgpt.com:8443"',
    ])
      expect(readClaims({ ...fields, agent })).toBeNull()
    expect(readClaims({ ...fields, agent: 'sig1="https://chatgpt.com";type=jwks_uri' })).toBeNull()
    expect(readClaims({ ...fields, agent: `"${'a'.repeat(5_000)}"` })).toBeNull()
  })

  test('does not verify after any change to what was signed or to the signature', () => {
    const fields = signedBy(signer)
    const flip = (text: string, place: number, code: number) =>
      text.slice(0, place) + String.fromCharCode(code) + text.slice(place + 1)
    fc.assert(
      fc.property(
        fc.constantFrom('agent', 'input', 'signature') as fc.Arbitrary<keyof Fields>,
        fc.nat(),
        fc.integer({ min: 32, max: 126 }),
        (name, index, code) => {
          const place = index % fields[name].length
          const changed = { ...fields, [name]: flip(fields[name], place, code) }
          if (changed[name] === fields[name]) return
          const found = outcome(changed)
          // The label of all three fields is a name only, and a space may be added where the syntax has one.
          if (found?.result === 'verified') expect(sameMeaning(changed[name], fields[name])).toBe(true)
        },
      ),
      { numRuns: 1_500 },
    )
  })
})

/** Base64 ignores the unused bits of its last letter, so two texts can be the same bytes. */
function sameMeaning(one: string, other: string): boolean {
  const bytes = (text: string) => Buffer.from(/:([^:]*):/.exec(text)?.[1] ?? text, 'base64').toString('hex')
  return bytes(one) === bytes(other)
}
