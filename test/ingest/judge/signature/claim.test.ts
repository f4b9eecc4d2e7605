import { describe, expect, test } from 'bun:test'
import {
  type Claim,
  directoryPath,
  readClaims,
  testKeys,
  unverified,
} from '../../../../ingest/judge/signature/claim'

const parts = '("@authority" "signature-agent");created=100;expires=200;keyid="k";tag="web-bot-auth"'
const fields = { agent: '"https://a.test"', input: `sig1=${parts}`, signature: 'sig1=:YWI=:' }
const claimsOf = (more: Partial<typeof fields> = {}) => readClaims({ ...fields, ...more })
const claimOf = (more: Partial<typeof fields> = {}): Claim | undefined => claimsOf(more)?.[0]
const signerOf = (agent: string) => claimOf({ agent })?.signer
const withInput = (from: string, to: string) => claimOf({ input: fields.input.replace(from, to) })
const refused = (problem: string) => ({ signer: 'a.test', problem }) as never

describe('a claim', () => {
  test('has everything that its signature is checked by', () => {
    const input = fields.input.replace(';tag', ';alg="ed25519";tag')
    expect(claimsOf({ input, agent: ' "https://a.test" ' })).toEqual([
      {
        signer: 'a.test',
        proof: {
          input: [expect.any(Array), expect.any(Map)],
          signature: Buffer.from('ab'),
          keyid: 'k',
          alg: 'ed25519',
          created: 100,
          expires: 200,
          agentField: '"https://a.test"',
          agentMembers: null,
        },
      },
    ])
    expect(claimOf()?.proof?.alg).toBeUndefined()
    const members = claimOf({ agent: 'x="https://a.test"' })?.proof?.agentMembers
    expect([...(members?.keys() ?? [])]).toEqual(['x'])
  })

  test('names the signer by an address of https, of nothing more than its host', () => {
    for (const agent of [
      '"https://a.test"',
      '"https://a.test/"',
      `"https://a.test${directoryPath}"`,
      '"https://a.test:443"',
      '"https://a.test";type=directory',
      '"https://a.test";type="directory"',
      '"https://a.test";other=1',
      'x="https://a.test"',
    ])
      expect([agent, signerOf(agent)]).toEqual([agent, 'a.test'])
    for (const agent of [
      '"http://a.test"',
      '"https://a.test/other"',
      '"https://a.test/?a"',
      '"https://u@a.test"',
      '"https://:p@a.test"',
      '"https://a.test:444"',
      '"https://a.test";type=jwks_uri',
      '"https://a.test";type="jwks_uri"',
      '"https://a.test";type=1',
      '"https://a.test";type',
      'a.test',
      'x=("https://a.test")',
      'x=https',
      '"no address"',
      '""',
    ])
      expect([agent, claimsOf({ agent })]).toEqual([agent, null])
  })

  test('names it by an address of at most 512 characters', () => {
    const address = (length: number) => `"${'https://a.test/'.padEnd(length, './')}"`
    expect([511, 512, 513].map((length) => signerOf(address(length)))).toEqual([
      'a.test',
      'a.test',
      undefined,
    ])
  })

  test('is one of at most four, and of those with the tag of crawlers', () => {
    const labels = (count: number) => Array.from({ length: count }, (_, at) => `sig${at + 1}`)
    const many = (count: number) =>
      claimsOf({
        input: `other=("x");tag="y", plain="z", ${labels(count).map((label) => `${label}=${parts}`)}`,
        signature: labels(count)
          .map((label, at) => `${label}=:${btoa(String(at))}:`)
          .join(', '),
      })?.map(({ proof }) => String(proof?.signature))
    expect(many(4)).toEqual(['0', '1', '2', '3'])
    expect(many(5)).toEqual(['0', '1', '2', '3'])
    expect(withInput('web-bot-auth', 'other')).toEqual(refused(unverified.noTag))
    expect(withInput(';tag="web-bot-auth"', '')).toEqual(refused(unverified.noTag))
    expect(withInput('"web-bot-auth"', 'web-bot-auth')).toEqual(refused(unverified.noTag))
  })

  test('with a part that cannot be read is refused', () => {
    const malformed = refused(unverified.malformed)
    expect(claimOf({ input: '(' })).toEqual(malformed)
    for (const signature of ['(', 'sig2=:YWI=:', 'sig1="YWI="', 'sig1=(:YWI=:)', 'sig1'])
      expect(claimOf({ signature })).toEqual(malformed)
    expect(withInput('("@authority"', '("@authority" "@authority"')).toEqual(malformed)
  })

  test('covers the host and its own address', () => {
    expect(withInput('"@authority"', '"@target-uri"')?.proof).toBeDefined()
    expect(withInput('"@authority"', '"@path"')).toEqual(refused(unverified.coverage))
    expect(withInput(' "signature-agent"', '')).toEqual(refused(unverified.coverage))
    expect(withInput('"signature-agent"', 'signature-agent')).toEqual(refused(unverified.coverage))
  })

  test('covers its address as a whole or by its name, and with several it has to say which', () => {
    const covering = (agent: string, name: string) => {
      const input = fields.input.replace('"signature-agent"', `"signature-agent"${name}`)
      const claim = claimOf({ agent, input })
      return [claim?.signer, claim?.problem ?? 'none']
    }
    const both = 'x="https://a.test", y="https://b.test"'
    expect(covering('x="https://a.test"', '')).toEqual(['a.test', 'none'])
    expect(covering('x="https://a.test"', ';key="x"')).toEqual(['a.test', 'none'])
    expect(covering(both, ';key="x"')).toEqual(['a.test', 'none'])
    expect(covering(both, ';key="y"')).toEqual(['b.test', 'none'])
    expect(covering(both, '')).toEqual(['a.test', unverified.coverage])
    expect(covering(both, ';key="z"')).toEqual(['a.test', unverified.coverage])
    expect(covering(both, ';key=y')).toEqual(['a.test', unverified.coverage])
    expect(covering('"https://a.test"', ';key="x"')).toEqual(['a.test', unverified.coverage])
  })

  test('has its times and its key, and is valid for a day at most', () => {
    for (const part of [';created=100', ';expires=200', ';keyid="k"'])
      expect(withInput(part, '')).toEqual(refused(unverified.parameters))
    for (const [part, other] of [
      ['created=100', 'created="100"'],
      ['expires=200', 'expires="200"'],
      ['keyid="k"', 'keyid=k'],
      ['keyid="k"', 'keyid=""'],
    ] as const)
      expect(withInput(part, other)).toEqual(refused(unverified.parameters))
    expect(withInput('created=100', 'created=0')?.proof?.created).toBe(0)
    expect(withInput('created=100', 'created=199')?.proof).toBeDefined()
    expect(withInput('created=100', 'created=200')).toEqual(refused(unverified.lifetime))
    expect(withInput('created=100', 'created=201')).toEqual(refused(unverified.lifetime))
    expect(withInput('expires=200', 'expires=86500')?.proof).toBeDefined()
    expect(withInput('expires=200', 'expires=86501')).toEqual(refused(unverified.lifetime))
    for (const key of testKeys)
      expect(withInput('keyid="k"', `keyid="${key}"`)).toEqual(refused(unverified.testKey))
  })
})
