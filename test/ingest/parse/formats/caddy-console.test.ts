import { expect, test } from 'bun:test'
import { readCaddyConsole } from '../../../../ingest/parse/formats/senders/caddy-console'

const object = JSON.stringify({
  request: {
    remote_ip: '192.0.2.7',
    client_ip: '192.0.2.7',
    proto: 'HTTP/1.1',
    method: 'GET',
    host: 'shop.example',
    uri: '/menu',
    headers: { 'User-Agent': ['GPTBot/1.3'] },
  },
  duration: 0.5,
  status: 200,
})
const lineAt = (time: string) => `${time}\tinfo\thttp.log.access\thandled request\t${object}`

test.each([
  ['2026/11/20 12:22:55.973', '2026-11-20T12:22:55.973Z'],
  ['2026-11-20T12:22:55.973Z', '2026-11-20T12:22:55.973Z'],
  ['1795177375.973', '2026-11-20T12:22:55.973Z'],
])('a line of the console that begins with %s is read at its time', (time, instant) => {
  const read = readCaddyConsole(lineAt(time))
  expect(read).toMatchObject({ ts: Date.parse(instant), target: '/menu', status: 200 })
})

test.each(['3026/11/20 12:22:55.973', 'x026/11/20 12:22:55.973'])(
  'a line that begins with %s is another format',
  (time) => {
    expect(readCaddyConsole(lineAt(time))).toBeNull()
  },
)
