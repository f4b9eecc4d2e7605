import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  isLoopback,
  matchesRedirect,
  redirectFault,
  redirectHost,
  withAnswer,
} from '../../../../../core/auth/oauth/clients/redirect-uri'

const own = (scheme: string) => `${scheme}://callback`

describe('an address that may be registered', () => {
  test.each([
    'https://claude.ai/api/mcp/auth_callback',
    'https://claude.com/api/mcp/auth_callback',
    'https://vscode.dev/redirect',
    'https://app.example:8443/cb?tenant=a',
    'http://127.0.0.1/',
    'http://127.0.0.1:33418/',
    'http://localhost:8080/callback',
    'http://[::1]:9/cb',
    'http://localhost',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'com.example.app:/oauth',
    'claude://callback',
    ...['cursor', 'vscode', 'vscode-insiders', 'vscodium', 'windsurf', 'zed', 'kiro', 'trae', 'void'].map(
      own,
    ),
    ...['positron', 'claude', 'chatgpt', 'codex', 'raycast', 'warp', 'goose', 'cherrystudio', 'msty'].map(
      own,
    ),
    ...['boltai', 'jan'].map(own),
  ])('%s', (uri) => {
    expect(redirectFault(uri)).toBeUndefined()
    expect(matchesRedirect([uri], uri)).toBe(true)
  })
})

const evil = [
  'javascript:alert(1)',
  'javascript://app.example/%0aalert(1)',
  'JavaScript:/alert(1)',
  'java\tscript:/alert(1)',
  'data:text/html,x',
  'data:/text/html,x',
  'file:///etc/passwd',
  'blob:https://app.example/x',
  'about:/blank',
  'vbscript:/x',
  'view-source:/x',
  'ms-appinstaller:/?source=x',
  'intent://scan/#Intent;end',
  'mailto:/a@b.example',
  'urn:ietf:wg:oauth:2.0:oob',
  'http://app.example/cb',
  'http://localhost.evil.example/cb',
  'http://127.0.0.1.evil.example/cb',
  'http://127.0.0.1@evil.example/cb',
  'http://127.1/cb',
  'http://2130706433/cb',
  'http://0x7f.0.0.1/cb',
  'http://0.0.0.0/cb',
  'http://localhost:99999/cb',
  'http://localhost:/cb',
  'http:/localhost/cb',
  'HTTP://localhost/cb',
  'https:/app.example/cb',
  'https:app.example/cb',
  'https:///app.example/cb',
  'https://user@app.example/cb',
  'https://user:secret@app.example/cb',
  'https://app.example/cb#fragment',
  'https://app.example/cb#',
  'https://app.example\\@evil.example/cb',
  'https://app.example/cb\r\nset-cookie: a=b',
  'https://app.example/cb x',
  'https://app.example/"><script>',
  'https://%65vil.example/cb',
  'https://аpp.example/cb',
  'https://0x7f000001/cb',
  'https://app.example:99999/cb',
  '//app.example/cb',
  '/cb',
  'app.example/cb',
  '',
  `https://app.example/${'a'.repeat(2_048)}`,
]

test.each(evil)('%j can be neither registered nor named', (uri) => {
  expect(redirectFault(uri)).toBeString()
  expect(matchesRedirect([uri], uri)).toBe(false)
})

describe('an address that an app names', () => {
  test('is one of those registered, letter for letter', () => {
    const registered = ['https://app.example/cb', 'cursor://anysphere.cursor-mcp/oauth/callback']
    for (const uri of [
      'https://app.example/cb/',
      'https://app.example/cb?x=1',
      'https://app.example/CB',
      'https://app.example/cb/../other',
      'https://app.example/./cb',
      'https://app.example/%63b',
      'https://app.example:443/cb',
      'https://app.example:8443/cb',
      'https://x.app.example/cb',
      'https://app.example.evil.example/cb',
      'https://app.example./cb',
      'http://app.example/cb',
      'cursor://anysphere.cursor-mcp/oauth/callback/',
      'cursor://evil/oauth/callback',
      'cursorx://anysphere.cursor-mcp/oauth/callback',
    ]) {
      expect(matchesRedirect(registered, uri)).toBe(false)
    }
  })

  test('may differ in the port on loopback, and in nothing else', () => {
    const registered = ['http://127.0.0.1:33418/cb?a=1', 'http://localhost/']
    expect(matchesRedirect(registered, 'http://127.0.0.1:5/cb?a=1')).toBe(true)
    expect(matchesRedirect(registered, 'http://127.0.0.1/cb?a=1')).toBe(true)
    expect(matchesRedirect(registered, 'http://localhost:61234')).toBe(true)
    for (const uri of [
      'http://127.0.0.1:5/cb',
      'http://127.0.0.1:5/cb?a=2',
      'http://127.0.0.1:5/cb/?a=1',
      'http://localhost:5/cb?a=1',
      'http://[::1]:5/cb?a=1',
      'https://127.0.0.1:5/cb?a=1',
      'http://localhost:5/other',
      'http://localhost:5/../',
    ]) {
      expect(matchesRedirect(registered, uri)).toBe(false)
    }
  })

  test('never leads to another host than a registered one, whatever it is made of', () => {
    const piece = fc.constantFrom(
      'http',
      'https',
      ':',
      '/',
      '//',
      '@',
      '\\',
      '#',
      '?',
      '%2f',
      '..',
      '.',
      'localhost',
      '127.0.0.1',
      'app.example',
      'evil.example',
      '8080',
      'cb',
      '[::1]',
      ' ',
      '\t',
      'é',
      'x',
    )
    const registered = ['https://app.example/cb', 'http://localhost/cb', 'http://127.0.0.1:1/cb']
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const uri = pieces.join('')
        if (!matchesRedirect(registered, uri)) return
        const { hostname, pathname, username, hash } = new URL(uri)
        expect(['app.example', 'localhost', '127.0.0.1']).toContain(hostname)
        expect([pathname, username, hash]).toEqual(['/cb', '', ''])
      }),
      { numRuns: 5_000 },
    )
  })

  test('matches on loopback for every port, and for no changed path', () => {
    const host = fc.constantFrom('localhost', '127.0.0.1', '[::1]')
    const path = fc.webPath().filter((text) => !text.includes('?'))
    const port = fc.integer({ min: 1, max: 65_535 })
    fc.assert(
      fc.property(host, path, port, port, (name, at, one, other) => {
        const first = `http://${name}:${one}${at}`
        const second = `http://${name}:${other}${at}`
        if (redirectFault(first) !== undefined) return
        expect(matchesRedirect([first], second)).toBe(true)
        expect(matchesRedirect([first], `${second}x`)).toBe(false)
      }),
    )
  })
})

describe('an answer', () => {
  test('is added to what the address has, and the state goes back as it came', () => {
    const answer = { code: 'c d', iss: 'https://app.example' }
    const query = 'code=c+d&iss=https%3A%2F%2Fapp.example'
    expect(withAnswer('https://a.example/cb', answer, undefined)).toBe(`https://a.example/cb?${query}`)
    expect(withAnswer('https://a.example/cb?x=1', answer, '')).toBe(
      `https://a.example/cb?x=1&${query}&state=`,
    )
    expect(withAnswer('app:/cb?', answer, 'a%2Fb+c%20d')).toBe(`app:/cb?${query}&state=a%2Fb+c%20d`)
  })

  test('is shown to people by the host that it goes to', () => {
    expect(redirectHost('https://claude.ai/cb')).toBe('claude.ai')
    expect(redirectHost('http://127.0.0.1:5/cb')).toBe('127.0.0.1:5')
    expect(redirectHost('cursor://anysphere.cursor-mcp/cb')).toBe('cursor:')
    expect([isLoopback('http://[::1]/'), isLoopback('https://localhost/'), isLoopback('app:/x')]).toEqual([
      true,
      false,
      false,
    ])
  })
})

test.each(['http://localhost/a#b', 'http://localhost/"b', 'http://localhost/a b'])(
  '%s is no address on loopback',
  (uri) => expect(isLoopback(uri)).toBe(false),
)

test.each([
  ['example.com/cb', 'must be https, http on loopback, or an app scheme such as myapp:/callback'],
  ['myapp:', 'must be https, http on loopback, or an app scheme such as myapp:/callback'],
  ['myapp:/cb', 'has the scheme myapp. Use a reversed domain name, such as com.example.app:/callback'],
])('%s %s', (uri, fault) => expect(redirectFault(uri)).toBe(fault))

test('an address has 2,048 characters at most', () => {
  const address = (length: number) => `https://app.example/${'x'.repeat(length - 20)}`
  expect(address(2_048)).toHaveLength(2_048)
  expect(redirectFault(address(2_048))).toBeUndefined()
  expect(redirectFault(address(2_049))).toBe('has no length of 1 to 2,048')
  expect(redirectFault('')).toBe('has no length of 1 to 2,048')
})

test.each([
  ['com.example.app:/callback', undefined],
  ['com.example+app:/callback', 'has the scheme com.example+app'],
  ['com..example:/callback', 'has the scheme com..example'],
  ['com.:/callback', 'has the scheme com.'],
  ['app+com.example:/callback', 'has the scheme app+com.example'],
  ['com.example.app:callback', 'must be https'],
  ['com.example.app:/', 'must be https'],
  ['Com.example.app:/callback', 'must be https'],
  ['https:///callback', 'has a host'],
  ['https://[::/callback', 'is not an address'],
  ['https://user@app.example/', 'contains a user name'],
  ['https://app.example:443/', undefined],
  ['https://app.example:8443/', undefined],
  ['https://app.example:4430/', undefined],
])('the fault of %s is %p', (uri, why) => {
  const fault = redirectFault(uri)
  if (why === undefined) expect(fault).toBeUndefined()
  else expect(fault).toStartWith(why)
})
