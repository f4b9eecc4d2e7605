import { describe, expect, test } from 'bun:test'
import { type AgentRegistry, registryBytesMax } from '../../../core/contracts/agent-registry'
import {
  createRegistryKey,
  isRegistryKey,
  openRegistry,
  readRegistry,
  registryKeyId,
  releaseRegistryKeys,
  signRegistry,
  unsignedText,
} from '../../../core/kit'
import { sampleAgent, sampleRegistry } from '../../support/sample-registry'

const ours = createRegistryKey()
const other = createRegistryKey()
const bytesOf = (text: string) => new TextEncoder().encode(text)
const text = JSON.stringify(sampleRegistry())
const signed = signRegistry(text, ours.private_key)
const refusal = (file: string | Uint8Array, keys = [ours.public_key]) => {
  try {
    openRegistry(typeof file === 'string' ? bytesOf(file) : file, keys)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

describe('a signed registry', () => {
  test('is read with the key that signed it, and keeps every byte of its text', () => {
    expect(openRegistry(bytesOf(signed), [other.public_key, ours.public_key])).toEqual({
      registry: sampleRegistry(),
      key: ours.public_key,
    })
    expect([unsignedText(signed), unsignedText(text)]).toEqual([text, text])
  })
  test('can have the signatures of two keys, and is signed again by the same key once', () => {
    const both = signRegistry(signRegistry(signed, other.private_key), ours.private_key)
    expect(both.split('\n\n')[0]?.split('\n')).toHaveLength(3)
    for (const key of [ours, other])
      expect(openRegistry(bytesOf(both), [key.public_key]).key).toBe(key.public_key)
  })
  test('is refused with another key, without keys, and with a signature of another text', () => {
    const unsigned = 'has no valid signature of a trusted key'
    expect([refusal(signed, [other.public_key]), refusal(signed, [])]).toEqual([unsigned, unsigned])
    expect(refusal(signed.replace('NovelBot', 'NovelBat'))).toBe(unsigned)
    expect(refusal(signed.replace(registryKeyId(ours.public_key), registryKeyId(other.public_key)))).toBe(
      unsigned,
    )
    expect(refusal(`${signed} `)).toBe(unsigned)
  })
  test('is refused wherever it is cut, and is never read in part', () => {
    for (let end = 0; end < signed.length; end += 37)
      expect([end, refusal(signed.slice(0, end))]).not.toContain(null)
  })
  test('is refused if it is too large, not UTF-8, not signed, or has too many signatures', () => {
    expect(refusal(new Uint8Array(registryBytesMax + 1))).toBe('has more than 524288 bytes')
    expect(refusal(new Uint8Array([0xff, 0xfe]))).toBe('is not UTF-8')
    expect(refusal(text)).toBe('is not a signed registry')
    expect(refusal('')).toBe('is not a signed registry')
    expect(refusal(signed.replace('renown-registry 1', 'renown-registry 2'))).toBe('is not a signed registry')
    const line = signed.split('\n')[1]
    expect(refusal(signed.replace(`${line}\n`, `${line}\n`.repeat(5)))).toBe('is not a signed registry')
  })
  test('cannot be signed with anything but a private key', () => {
    for (const key of ['', 'x', ours.public_key, `${ours.public_key}.x`])
      expect(() => signRegistry(text, key)).toThrow('not one of `registry key create`')
    expect(isRegistryKey(ours.public_key)).toBe(true)
    expect([isRegistryKey('x'), isRegistryKey(ours.private_key)]).toEqual([false, false])
  })
  test('says nothing of a text that is not JSON, which may be a private key', () => {
    expect(() => readRegistry(ours.private_key)).toThrow(/^is not JSON$/)
    expect(() => readRegistry('['.repeat(40))).toThrow(/levels/)
  })
})

test('keys of the release would be public keys', () => {
  for (const key of releaseRegistryKeys) expect(isRegistryKey(key)).toBe(true)
})

const faultOf = (more: Partial<Record<keyof AgentRegistry, unknown>>) => {
  try {
    readRegistry(JSON.stringify({ ...sampleRegistry(), ...more }))
    return null
  } catch (error) {
    return (error as Error).message
  }
}
const withAgent = (more: object) => faultOf({ agents: [sampleAgent(), { ...sampleAgent(), ...more }] })
const withAssistant = (more: object) =>
  faultOf({ assistants: [{ name: 'Novel', hosts: ['chat.novel.example'], ...more }] })

describe('a registry is refused', () => {
  const browserTokens = [
    'Mozilla',
    'AppleWebKit',
    'like Gecko',
    'Chrome/142',
    'Safari',
    'Windows NT',
    'Mobile',
    'KHTML',
  ]
  test.each([...browserTokens, 'Linux', 'iPhone', 'Firefox', 'Instagram', 'Dalvik', 'compatible'])(
    'with the token %s, which browsers send',
    (name) => expect(withAgent({ name })).toBe(`has the token ${name}, which browsers send`),
  )
  test('with such a token as an alias, a robot or a mark of an app', () => {
    expect(withAgent({ name: 'ElseBot', aliases: ['Gecko'] })).toContain('which browsers send')
    expect(faultOf({ robots: ['Version'] })).toContain('which browsers send')
    expect(withAssistant({ markers: ['Chrome'] })).toContain('which browsers send')
  })
  test.each([
    ['<script>alert(1)</script>'],
    ['Bot\u202eevil'],
    ['Bot\nInjected: header'],
    ['Бот-бот'],
    ["x' OR 1=1 --"],
    ['constructor\u0000'],
    ['a'],
    ['bot'],
    ['x'.repeat(65)],
    [' Bot '],
    ['a|b|c*'],
  ])('with the name %j', (name) => {
    expect(withAgent({ name })).toContain('agents.1.name: expected a token')
    expect(withAgent({ name: 'ElseBot', aliases: [name] })).toContain('agents.1.aliases.0: expected a token')
  })
  test.each([['__proto__'], ['constructor'], ['toString'], ['<b>'], ['x'.repeat(49)], ['']])(
    'with the operator %j',
    (operator) => expect(withAgent({ operator })).toContain('agents.1.operator: expected a name'),
  )
  test.each([
    ['http://openai.com/x.json'],
    ['https://127.0.0.1/x'],
    ['https://[::1]/x'],
    ['https://2130706433/x'],
    ['https://localhost/x'],
    ['https://metadata.google.internal/x'],
    ['https://user:pw@openai.com/x'],
    ['https://openai.com:8080/x'],
    ['file:///etc/passwd'],
    ['https://printer.local/x'],
  ])('with the list %s', (url) =>
    expect(faultOf({ lists: [{ operator: 'OpenAI', url }] })).toContain(
      'lists.0.url: expected an https address',
    ),
  )
  test.each([
    ['google.com'],
    ['www.google.com'],
    ['x.com'],
    ['com'],
    ['localhost'],
    ['a b.com'],
    ['evil.com|.*'],
    ['1.2.3.4'],
  ])('with the host %j of an assistant', (host) =>
    expect(withAssistant({ hosts: [host] })).toMatch(/hosts\.0: expected a host|from which people come/),
  )
  test.each([
    [{ version: 0 }, 'version'],
    [{ version: 1.5 }, 'version'],
    [{ version: 2 ** 53 }, 'version'],
    [{ format: 2 }, 'format'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ agents: [] }, 'agents'],
    [{ agents: Array.from({ length: 1_001 }, (_, n) => sampleAgent({ name: `Bot${n}x` })) }, 'agents'],
    [{ more: 1 }, 'more'],
    [{ documented: { OpenAI: ['not a network'] } }, 'documented.OpenAI.0'],
  ])('with %j', (more, field) => expect(faultOf(more as object)).toContain(`${field}: expected`))
  test('with a token or a host twice, with a list of another operator, and with too much to search', () => {
    expect(withAgent({ name: 'SAMPLEBOT' })).toBe('has the token samplebot twice')
    expect(withAgent({ name: 'ElseBot', lists: ['https://openai.com/gptbot.json'] })).toContain(
      'are not among',
    )
    const hosts = ['a.novel.example', 'a.novel.example']
    expect(withAssistant({ hosts })).toBe('has the host a.novel.example twice')
    const long = Array.from({ length: 900 }, (_, n) => sampleAgent({ name: `${'Long'.repeat(15)}${n}` }))
    expect(faultOf({ agents: long })).toBe('has tokens with more than 50000 letters')
    const lists = Array.from({ length: 33 }, (_, n) => ({
      operator: `Of ${n}`,
      url: `https://h${n}.example.com/l`,
    }))
    expect(faultOf({ agents: [sampleAgent()], lists })).toBe('has address lists of more than 32 operators')
  })
})

test('a registry with defaults left out is read', () => {
  const short = { name: 'SampleBot', operator: 'Sample', category: 'training', confidence: 'reported' }
  const { agents } = readRegistry(JSON.stringify({ ...sampleRegistry(), agents: [short] }))
  expect(agents).toEqual([sampleAgent({ confidence: 'reported' })])
})
