import { describe, expect, test } from 'bun:test'
import { type Agent, classify } from '../../../ingest/judge/classify'
import { createVerifier } from '../../../ingest/judge/verify'
import { isPublic, type Prefix, parsePrefix } from '../../../ingest/parse/address'

const hour = 3_600_000
const day = 24 * hour
const now = 1_800_000_000_000
const fresh = now + hour
// Documentation ranges are reserved, so the judge is told that they are open.
const open = () => true
const agent = (ua: string) => classify(ua) as Agent
const prefixes = (...texts: string[]) => texts.map((text) => parsePrefix(text) as Prefix)
const operators = (freshUntil = fresh) => [
  { operator: 'OpenAI', prefixes: prefixes('192.0.2.0/25', '2001:db8:1::/48'), freshUntil },
  { operator: 'Anthropic', prefixes: prefixes('198.51.100.0/24'), freshUntil },
  { operator: 'Google', prefixes: prefixes('192.0.2.0/24'), freshUntil },
]
const judge = (freshUntil?: number) => createVerifier(operators(freshUntil), open)

describe('verified', () => {
  test('is an address in the union of the operator, whichever list it stands in', () => {
    expect(judge().verdict(agent('GPTBot'), '192.0.2.1', now, now)).toBe('verified')
    expect(judge().verdict(agent('ChatGPT-User'), '2001:db8:1::5', now, now)).toBe('verified')
    expect(judge().verdict(agent('GPTBot'), '::ffff:192.0.2.1', now, now)).toBe('verified')
    expect(judge().verdict(agent('OAI-AdsBot'), '[2001:db8:1::5]:443', now, now)).toBe('verified')
  })
  test('stays verified when the lists are stale or the hit is old', () => {
    expect(judge(now - day).verdict(agent('GPTBot'), '192.0.2.1', now, now)).toBe('verified')
    expect(judge().verdict(agent('GPTBot'), '192.0.2.1', now - 400 * day, now)).toBe('verified')
  })
  test('does not follow from the ranges of another operator', () => {
    expect(judge().verdict(agent('GPTBot'), '192.0.2.200', now, now)).toBe('spoofed')
    expect(judge().verdict(agent('ClaudeBot'), '192.0.2.1', now, now)).toBe('spoofed')
  })
})

describe('spoofed', () => {
  test('is an outsider, while every list is fresh and the hit is young', () => {
    expect(judge().verdict(agent('GPTBot'), '203.0.113.1', now, now)).toBe('spoofed')
    expect(judge().verdict(agent('GPTBot'), '203.0.113.1', now - 14 * day, now)).toBe('spoofed')
    expect(judge(now).verdict(agent('GPTBot'), '203.0.113.1', now, now)).toBe('spoofed')
  })
})

describe('unchecked', () => {
  const cases: [string, string, string | null, number, number][] = [
    ['a stale list', 'GPTBot', '203.0.113.1', now, now - 1],
    ['a hit older than 14 days', 'GPTBot', '203.0.113.1', now - 14 * day - 1, fresh],
    ['an agent without a list of its own', 'Claude-Web', '203.0.113.1', now, fresh],
    ['an operator without lists', 'Bytespider', '203.0.113.1', now, fresh],
    ['a client', 'Claude-User (claude-code/2.1.86)', '203.0.113.1', now, fresh],
    ['no address', 'GPTBot', null, now, fresh],
    ['an empty address', 'GPTBot', '', now, fresh],
    ['an unreadable address', 'GPTBot', '010.1.1.1', now, fresh],
    ['a list of addresses', 'GPTBot', '203.0.113.1, 203.0.113.2', now, fresh],
  ]
  for (const [why, ua, ip, ts, freshUntil] of cases)
    test(why, () => expect(judge(freshUntil).verdict(agent(ua), ip, ts, now)).toBe('unchecked'))

  test('a private or reserved address, as a forwarder logs its own proxy', () => {
    const real = createVerifier(operators(), isPublic)
    for (const ip of ['10.0.0.1', '127.0.0.1', '::1', 'fd00::1', '192.0.2.1', '169.254.0.1'])
      expect(real.verdict(agent('GPTBot'), ip, now, now)).toBe('unchecked')
    expect(real.verdict(agent('GPTBot'), '1.1.1.1', now, now)).toBe('spoofed')
  })
})

test('an agent with several lists is unchecked if one of them does not exist', () => {
  const [, own = ''] = agent('GPTBot').lists.concat(agent('OAI-SearchBot').lists)
  const several = { ...agent('GPTBot'), lists: ['https://openai.com/a.json', own] }
  const verdictWith = (missing?: ReadonlySet<string>) =>
    createVerifier(
      [{ operator: 'OpenAI', prefixes: prefixes('192.0.2.0/25'), freshUntil: fresh, missing }],
      open,
    ).verdict(several, '203.0.113.1', now, now)
  expect(verdictWith(new Set([own]))).toBe('unchecked')
  expect(verdictWith(new Set(several.lists))).toBe('unchecked')
  expect(verdictWith(new Set(['https://openai.com/other.json']))).toBe('spoofed')
  expect(verdictWith(undefined)).toBe('spoofed')
})

test('each of 32 operators has ranges of its own, and no 33rd is taken', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      operator: n === count - 1 ? 'OpenAI' : n === count - 2 ? 'Anthropic' : `Operator ${n}`,
      prefixes: prefixes(`198.51.${n}.0/24`),
      freshUntil: fresh,
    }))
  for (const count of [2, 31, 32]) {
    const { verdict } = createVerifier(many(count), open)
    const of = (ua: string, n: number) => verdict(agent(ua), `198.51.${n}.1`, now, now)
    expect([count, of('GPTBot', count - 1), of('ClaudeBot', count - 2)]).toEqual([
      count,
      'verified',
      'verified',
    ])
    expect([count, of('GPTBot', count - 2), of('ClaudeBot', count - 1)]).toEqual([
      count,
      'spoofed',
      'spoofed',
    ])
    if (count > 2) expect(of('GPTBot', 0)).toBe('spoofed')
  }
  expect(() => createVerifier(many(33), open)).toThrow('32 operators')
})
