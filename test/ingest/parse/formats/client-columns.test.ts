import { describe, expect, test } from 'bun:test'
import {
  clientBehind,
  clientIn,
  isAddressList,
  withoutPort,
} from '../../../../ingest/parse/formats/text/client'
import { one, read } from '../../support/read-hits'

const request = '[20/Nov/2026:16:42:52 +0000] "GET /a HTTP/1.1" 200 5 "-" "GPTBot/1.3"'
const clientOf = (columns: string) => {
  const { ip, host } = one(`${columns} ${request}`)
  return host === undefined ? ip : [ip, host]
}

test.each([
  [1_024, true],
  [1_025, false],
])('a forwarding header of %i characters is one: %p', (length, is) => {
  const first = '1.2.3.4,'
  expect(isAddressList(`${first}${'1.2.3.4'.padStart(length - first.length)}`)).toBe(is)
})

describe('the client of an access log line', () => {
  test.each([
    ['a syslog line without the colon after the program', 'Nov 20 16:42:52 web nginx 1.2.3.4 - -'],
    ['one without a host', 'Nov 20 16:42:52 nginx 1.2.3.4 - -'],
    ['one with a priority', '<190>Nov 20 16:42:52 web nginx 1.2.3.4 - -'],
    ['one with an ISO time', '2026-11-20T16:42:52+01:00 web nginx 1.2.3.4 - -'],
    ['one from a machine that is named by its address', 'Nov 20 16:42:52 10.0.0.5 nginx 1.2.3.4 - -'],
    ['a machine and a program', '10.0.0.5 nginx 1.2.3.4 - -'],
    ['a time in front, as kubectl writes it', '2026-11-20T16:42:52.123Z 1.2.3.4 - -'],
    ['a pod in front', '[pod/ingress/controller] 1.2.3.4 - -'],
    ['a service in front, as docker compose writes it', 'web-1  | 1.2.3.4 - -'],
    ['a user name with spaces', '1.2.3.4 - a b'],
    ['a user name that looks like a client', 'Nov 20 16:42:52 web nginx 1.2.3.4 - 20.1.1.1 - x'],
    ['a forwarding header with a proxy of its own', '1.2.3.4, 10.0.0.1 - -'],
    ['the same behind other words', 'Nov 20 16:42:52 web nginx 1.2.3.4, 10.0.0.1 - -'],
    ['an unknown hop', 'unknown, 1.2.3.4 - -'],
    ['words that end in a comma', 'Nov 20 16:42:52 web nginx, 1.2.3.4 - -'],
  ])('is found after %s', (_, columns) => expect(clientOf(columns)).toBe('1.2.3.4'))

  test('is found with IPv6, which has colons as a tag has', () => {
    for (const before of ['Nov 20 16:42:52 nginx', 'Nov 20 16:42:52 web nginx', '<1>Nov 20 16:42:52 nginx'])
      expect(clientOf(`${before} 2001:db8::7 - -`)).toBe('2001:db8::7')
  })

  test('is no word that cannot be an address', () => {
    expect(clientOf('Nov 20 16:42:52 web nginx - - -')).toBeNull()
    expect(clientOf('Nov 20 16:42:52 web nginx crawl.example - -')).toBeNull()
    // Apache can log the name of a client.
    expect(clientOf('crawl.example - -')).toBe('crawl.example')
  })

  test('is unknown if a forwarding header names several', () => {
    expect(clientOf('1.2.3.4, 5.6.7.8 - -')).toBeNull()
    expect(clientOf('Nov 20 16:42:52 web nginx 1.2.3.4, 5.6.7.8, 10.0.0.1 - -')).toBeNull()
  })

  test.each([
    ['shop.example:443 1.2.3.4 - -', 'shop.example'],
    ['9.9.9.9 1.2.3.4 - -', '9.9.9.9'],
    ['Nov 20 16:42:52 web shop.example:443 1.2.3.4 - -', 'shop.example'],
    ['1.2.3.4 shop.example -', 'shop.example'],
    ['1.2.3.4 shop.example:8080 bob', 'shop.example'],
    ['1.2.3.4 9.9.9.9 -', '9.9.9.9'],
    ['1.2.3.4 2001:db8::7 -', '2001:db8::7'],
    ['::7 1.2.3.4 - -', '::7'],
    ['[2001:db8::7]:443 1.2.3.4 - -', '[2001:db8::7]'],
    ['1.2.3.4 shop.example bob smith', 'shop.example'],
    ['Nov 20 16:42:52 web lighttpd 1.2.3.4 shop.example -', 'shop.example'],
    ['Nov 20 16:42:52 web lighttpd: 1.2.3.4 shop.example -', 'shop.example'],
  ])('%s has a virtual host', (columns, host) => expect(clientOf(columns)).toEqual(['1.2.3.4', host]))

  test('has no host that is a time, a number or a path', () => {
    for (const before of ['2026-11-20T16:42:52Z', '1795192972.123', '17', 'pod/x'])
      expect(clientOf(`${before} 1.2.3.4 - -`)).toBe('1.2.3.4')
  })
})

describe('nginx’s format `main`, which ends in the forwarding header', () => {
  const ipOf = (connection: string, forwarded: string) =>
    one(`${connection} - - ${request} "${forwarded}"`).ip
  test.each([
    ['10.0.0.1', '1.2.3.4', '1.2.3.4'],
    ['10.0.0.1', '1.2.3.4, 10.0.0.2', '1.2.3.4'],
    ['10.0.0.1', '2a02:26f0::7', '2a02:26f0::7'],
    ['10.0.0.1', '1.2.3.4, 5.6.7.8', null],
    ['10.0.0.1', '-', '10.0.0.1'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.1', 'unknown', '10.0.0.1'],
    ['10.0.0.1', 'shop.example', '10.0.0.1'],
    ['10.0.0.1', '1.2.3.4 x', '10.0.0.1'],
    ['5.6.7.8', '1.2.3.4', '5.6.7.8'],
  ])('connected from %p with %p has the client %p', (connection, forwarded, client) =>
    expect(ipOf(connection, forwarded)).toBe(client),
  )
})

test('other messages are found without a colon after the program', () => {
  const record = { ts: '2026-11-20T16:42:52Z', ip: '1.2.3.4', path: '/a', ua: 'GPTBot' }
  for (const before of [
    'Nov 20 16:42:52 web nginx',
    '<190>Nov 20 16:42:52 nginx',
    '2026-11-20 16:42:52 web nginx',
  ])
    expect(one(`${before} ${JSON.stringify(record)}`)).toMatchObject({ ip: '1.2.3.4', target: '/a' })
  const haproxy =
    '1.2.3.4:41587 [20/Nov/2026:16:42:52.864] fe be/srv 0/0/0/0/0 200 5 - - ---- 1/1/0/0/0 0/0 {u|r|h} "GET /a HTTP/1.1"'
  for (const before of ['<134>Nov 20 16:42:52 lb haproxy', 'Nov 20 16:42:52 haproxy'])
    expect(one(`${before} ${haproxy}`)).toMatchObject({ ip: '1.2.3.4', host: 'h' })
  expect(read(`<134>Nov 20 16:42:52 web cron session opened`)).toEqual([{ rejected: 'No known log format' }])
})

describe('a client behind proxies', () => {
  test.each([
    ['1.2.3.4', undefined, '1.2.3.4'],
    ['1.2.3.4', '5.6.7.8', '1.2.3.4'],
    ['10.0.0.1', '1.2.3.4', '1.2.3.4'],
    ['10.0.0.1', '1.2.3.4, 10.0.0.2', '1.2.3.4'],
    ['10.0.0.1', '1.2.3.4,1.2.3.4', '1.2.3.4'],
    ['10.0.0.1', '1.2.3.4, 5.6.7.8', null],
    ['10.0.0.1', 'unknown', '10.0.0.1'],
    ['10.0.0.1', undefined, '10.0.0.1'],
    [undefined, '10.0.0.3', '10.0.0.3'],
    [undefined, undefined, null],
    ['10.0.0.1', Array(40).fill('1.2.3.4').join(), null],
  ])('connected from %p with %p is %p', (connection, forwarded, client) =>
    expect(clientBehind(connection, forwarded)).toBe(client),
  )

  test('has an address without a port', () => {
    for (const [text, address] of [
      ['1.2.3.4:5', '1.2.3.4'],
      ['1.2.3.4', '1.2.3.4'],
      ['[2001:db8::7]:443', '2001:db8::7'],
      ['[2001:db8::7]', '2001:db8::7'],
      ['2001:db8::7:41000', '2001:db8::7'],
    ] as const)
      expect([text, withoutPort(text)]).toEqual([text, address])
    expect(clientIn('1.2.3.4:5, 10.0.0.1:6')).toBe('1.2.3.4:5')
  })
})

test.each(['0.1.2.3', '9.1.2.3', '::1', '[2001:db8::7]', 'a::1', 'f::1', 'A::1', 'F::1'])(
  'an address begins with a digit, a colon, a bracket or one of six letters: %s',
  (address) => {
    const [, host] = clientOf(`${address} shop.example -`) as readonly string[]
    expect(host).toBe('shop.example')
  },
)

describe('a number between quotes after the request', () => {
  const answered = (rest: string) => {
    const { status, ua, referer } = one(
      `192.0.2.7 - - [20/Nov/2026:16:42:52 +0000] "GET /a HTTP/1.1" ${rest}`,
    )
    return [status, referer, ua]
  }

  test.each(['5', '-', '9'.repeat(15)])('is the size %s, also as the last', (size) => {
    expect(answered(`"200" "${size}" "https://r.example/" "GPTBot/1.3"`)).toEqual([
      200,
      'https://r.example/',
      'GPTBot/1.3',
    ])
    expect(answered(`"200" "${size}"`)).toEqual([200, undefined, ''])
  })
})
