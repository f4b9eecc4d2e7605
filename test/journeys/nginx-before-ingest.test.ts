import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { senders } from '../../ingest/data/senders'
import { token } from '../ingest/support/ingest'
import { withOpenIngest } from '../ingest/support/open-ingest'
import { clfTime } from '../support/clf-time'
import { testWith } from '../support/needs'
import { freePort } from '../support/programs'
import { codeOf, type WebServer, webServers } from '../support/set-up-pages'

const certificates = join(import.meta.dir, '../fixtures/tls')
const docs = join(import.meta.dir, '../../docs')

const ca = await Bun.file(join(certificates, 'cert.pem')).text()
/** Lines of a thousand characters, which is more than most have. */
const lines = (count: number) =>
  Array.from(
    { length: count },
    (_, n) =>
      `192.0.2.7 - - [${clfTime(new Date())}] "GET /${n} HTTP/1.1" 200 5 "-" "GPTBot/1.3 ${'x'.repeat(900)}"\n`,
  ).join('')

function post(port: number, body: string) {
  const headers = { authorization: `Bearer ${token}` }
  return fetch(`https://127.0.0.1:${port}/v1/logs`, {
    method: 'POST',
    headers,
    body,
    tls: { ca, serverName: 'service.example' },
  })
}

/** The page's nginx before an ingest, with what stands in `over` otherwise. */
const withNginx = (
  over: Record<string, string>,
  work: (tested: { port: number; total(name: string): number }) => Promise<void>,
) =>
  withOpenIngest(async ({ folder, url, total }) => {
    const port = await freePort()
    // The page's other block is the log format of a web server.
    let code = /^server \{$.*?^\}$/ms.exec(await codeOf('operators/logs', 'nginx', {}))?.[0] ?? ''
    const places: Record<string, string> = {
      'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
      '/etc/ssl/ingest.example.com/fullchain.pem': join(certificates, 'cert.pem'),
      '/etc/ssl/ingest.example.com/privkey.pem': join(certificates, 'key.pem'),
      'http://127.0.0.1:3001': url,
      ...over,
    }
    for (const [from, to] of Object.entries(places)) {
      expect(code).toContain(from)
      code = code.replace(from, to)
    }
    const server: WebServer | undefined = await webServers.nginx?.(code, folder)
    try {
      await work({ port, total })
    } finally {
      await server?.stop()
    }
  })

testWith('nginx')('nginx as docs/operators/logs.md sets it up lets a large batch through', () =>
  withNginx({}, async ({ port, total }) => {
    const answer = await post(port, lines(5_000))
    expect(answer.status).toBe(200)
    await answer.json()
    expect(total('accepted')).toBe(5_000)
  }),
)

testWith('nginx')('nginx as it is refuses a large batch, and takes what the first example sends', () =>
  withNginx({ 'client_max_body_size 72m;': '' }, async ({ port, total }) => {
    expect((await post(port, lines(5_000))).status).toBe(413)
    const example = Number(
      /tail -n (\d+) access\.log/.exec(await Bun.file(join(docs, 'operators/logs.md')).text())?.[1],
    )
    const answer = await post(port, lines(example))
    expect(answer.status).toBe(200)
    await answer.json()
    expect(total('accepted')).toBe(example)
  }),
)

/** How each forwarder bounds a batch, in bytes before compression. */
const bounds = [/batch-bytes\((\d+)\)/g, /max_bytes: (\d+)/g, /head -c (\d+)/g]

test('every forwarder that is told how much to send stays below what nginx takes unless told otherwise', async () => {
  const found: Record<string, number[]> = {}
  for (const { page } of senders) {
    const text = await Bun.file(join(docs, `operators/senders/${page}.md`)).text()
    const sizes = bounds.flatMap((bound) => [...text.matchAll(bound)].map((match) => Number(match[1])))
    if (sizes.length > 0) found[page] = sizes
  }
  expect(Object.keys(found).sort()).toEqual([
    'apache',
    'caddy',
    'haproxy',
    'iis',
    'nginx',
    'rsyslog',
    'syslog-ng',
    'vector',
  ])
  // A line more may go in before a batch is full.
  for (const sizes of Object.values(found)) expect(Math.max(...sizes) + 65_536).toBeLessThan(2 ** 20)
})
