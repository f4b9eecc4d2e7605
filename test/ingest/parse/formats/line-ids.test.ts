import { expect, test } from 'bun:test'
import { readLines } from '../../support/read-hits'

const idsOf = (text: string) => readLines(text, 0).map((one) => ('hit' in one ? one.hit.id : one))
const combined = '192.0.2.7 - - [20/Nov/2026:16:42:52 +0000] "GET /a HTTP/1.1" 200 5 "-" "GPTBot/1.3"'

test('a line of the combined format that ends in an id has that id, with and without a host in front', () => {
  for (const line of [combined, `shop.example:443 ${combined}`]) {
    expect(idsOf(`${line} id=arxB8A4gRNbXuRJmwCx1DgAAAAI`)).toEqual(['arxB8A4gRNbXuRJmwCx1DgAAAAI'])
    expect(idsOf(`${line} id=arxB8A4gRNbXuRJmwCx1DgAAAAI\r\n${line}\r\n`)).toEqual([
      'arxB8A4gRNbXuRJmwCx1DgAAAAI',
      undefined,
    ])
  }
})

test('what is no id of a request is none', () => {
  for (const end of [
    ' id=-',
    ' id=',
    ' id=short',
    ' id=one two three four',
    ` id=${'x'.repeat(129)}`,
    ' rid=0123456789',
    ' 0.003',
  ])
    expect(idsOf(`${combined}${end}`)).toEqual([undefined])
})

test('an id has 8 to 128 characters', () => {
  const found = (length: number) => idsOf(`${combined} id=${'x'.repeat(length)}`)[0] !== undefined
  expect([7, 8, 128, 129].map(found)).toEqual([false, true, true, false])
})

const caddy = {
  level: 'info',
  ts: 1795358930.6483014,
  msg: 'handled request',
  status: 200,
  duration: 0.000017,
  request: {
    remote_ip: '192.0.2.7',
    remote_port: '40112',
    method: 'GET',
    host: 'shop.example',
    uri: '/a',
    headers: { 'User-Agent': ['GPTBot/1.3'] },
  },
}

test('a line of Caddy is known again by its clock, port and duration', () => {
  const [first] = idsOf(JSON.stringify(caddy))
  expect(first).toBeString()
  expect(idsOf(JSON.stringify(caddy))).toEqual([first])
  const others = [
    { ...caddy, ts: 1795358930.6483016 },
    { ...caddy, duration: 0.000018 },
    { ...caddy, request: { ...caddy.request, remote_port: '40113' } },
  ]
  const ids = others.flatMap((other) => idsOf(JSON.stringify(other)))
  expect(new Set([first, ...ids]).size).toBe(4)
})

test('a line of Caddy has no id where a part is missing or the clock is coarse', () => {
  const { remote_port: _, ...request } = caddy.request
  const { duration: __, ...rest } = caddy
  for (const line of [{ ...caddy, request }, rest, { ...caddy, ts: 1795358930 }])
    expect(idsOf(JSON.stringify(line))).toEqual([undefined])
})
