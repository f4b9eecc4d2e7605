import { describe, expect, test } from 'bun:test'
import { callbackHostsMax, isAllowedCallback, readCallbackHosts } from '../../../core/events/callback-hosts'

describe('the callback hosts of an agency', () => {
  test('are read one a line, in lower case, sorted and each once', () => {
    expect(readCallbackHosts(' Hooks.Example.com\n*.b.example, hooks.example.com\n\n')).toEqual([
      '*.b.example',
      'hooks.example.com',
    ])
    expect(readCallbackHosts('')).toEqual([])
  })

  test.each(['com', '*.com', 'co.uk', '*.github.io', 'github.io'])(
    'are below a public suffix: %s is not',
    (host) => {
      expect(() => readCallbackHosts(host)).toThrow('hosts below a public suffix')
    },
  )

  test.each(['127.0.0.1', '*.10.0.0.1', 'https://hooks.example.com', 'a_b.example.com', '-a.example.com'])(
    'are names, and %s is none',
    (host) => {
      expect(() => readCallbackHosts(host)).toThrow('must be hosts such as hooks.example.com')
    },
  )

  test('have at most 253 characters, and 63 between two dots', () => {
    const label = (length: number) => 'a'.repeat(length)
    const long = (last: number) => `${[63, 63, 63, last].map(label).join('.')}.org`
    for (const host of [`${label(63)}.org`, long(57)]) expect(readCallbackHosts(host)).toEqual([host])
    for (const host of [`${label(64)}.org`, long(58)])
      expect(() => readCallbackHosts(host)).toThrow('must be hosts')
  })

  test('are at most 20', () => {
    const hosts = (count: number) => Array.from({ length: count }, (_, n) => `h${n}.example.com`).join('\n')
    expect(readCallbackHosts(hosts(callbackHostsMax))).toHaveLength(20)
    expect(() => readCallbackHosts(hosts(callbackHostsMax + 1))).toThrow('at most 20 hosts')
  })
})

test.each([
  ['https://hooks.example.com/a', true],
  ['https://hooks.example.com:8443/a', true],
  ['https://example.com/', false],
  ['https://a.hooks.example.com/', false],
  ['https://a.far.test/', true],
  ['https://a.b.far.test/', true],
  ['https://far.test/', false],
  ['https://evilfar.test/', false],
  ['http://hooks.example.com/a', false],
  ['hooks.example.com', false],
])('a callback to %s is allowed by hooks.example.com and *.far.test: %p', (url, is) => {
  expect(isAllowedCallback(url, ['hooks.example.com', '*.far.test'])).toBe(is)
})
