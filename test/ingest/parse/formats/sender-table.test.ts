import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type SenderField, senders } from '../../../../ingest/data/senders'
import { token, withIngest } from '../../support/ingest'
import { readLines } from '../../support/read-hits'

const root = join(import.meta.dir, '../../../..')
/** What the real programs wrote; what is not here was written after the documents. */
const recorded: Record<string, string[]> = {
  wordpress: ['wordpress'],
  nginx: ['nginx-json', 'nginx-combined', 'nginx-vhost'],
  apache: ['apache-combined', 'apache-vhost', 'apache-id'],
  caddy: ['caddy'],
  haproxy: ['haproxy-json'],
  lighttpd: ['lighttpd'],
  varnish: ['varnish', 'varnish-json'],
  'ingress-nginx': ['ingress-nginx', 'ingress-nginx-json'],
  loki: ['clients/winston-loki'],
  opentelemetry: ['clients/opentelemetry'],
  'splunk-hec': ['clients/splunk-logging'],
  // Its script sends lines as nginx wrote them.
  rsyslog: ['nginx-json'],
  'syslog-ng': ['syslog-ng-plain', 'syslog-ng-wrapped'],
  ...Object.fromEntries(
    ['nextjs', 'express', 'fastify', 'hono', 'django', 'rails', 'laravel'].map((name) => [
      name,
      [`apps/${name}`],
    ]),
  ),
}
const documented: Record<string, string[]> = {
  envoy: ['envoy', 'istio', 'envoy-json', 'envoy-own'],
  'aws-files': ['aws-load-balancer', 's3', 'cloudfront'],
  'aws-load-balancer': ['aws-load-balancer', 'aws-classic-load-balancer'],
  'google-cloud': ['google-cloud', 'google-cloud-pushed'],
  azure: ['azure', 'azure-gateway'],
  cloudfront: ['cloudfront', 'cloudfront-real-time', 'firehose'],
}

async function fieldsRead(files: readonly string[]): Promise<SenderField[]> {
  const fields = new Set<string>()
  for (const file of files)
    for (const one of readLines(await Bun.file(join(import.meta.dir, 'fixtures', `${file}.txt`)).text(), 1)) {
      if (!('hit' in one)) continue
      const { undated, ...hit } = one.hit
      for (const [name, value] of Object.entries(hit))
        if (value !== undefined && value !== null && !(name === 'ts' && undated)) fields.add(name)
    }
  return [...fields].sort() as SenderField[]
}

describe.each(senders.map((sender) => [sender.page, sender] as const))('the sender %s', (page, sender) => {
  test('gives the fields that the table says, from what stands beside the tests', async () => {
    const files = recorded[page] ?? (documented[page] ?? [page]).map((file) => `documented/${file}`)
    expect(await fieldsRead(files)).toEqual([...sender.checked, ...sender.documented].sort())
  })
  test('was checked with a real program or with documents, and says which', () => {
    expect([sender.program !== undefined, sender.checked.length > 0]).toEqual(
      page in recorded ? [true, true] : [false, false],
    )
  })
  test('has a set-up page that names its address and the placeholders for the token and the ingest', async () => {
    const path = join(root, 'docs/operators/senders', `${page}.md`)
    expect(existsSync(path)).toBe(true)
    const text = await Bun.file(path).text()
    expect(text).toContain(sender.path)
    expect(text).toContain('<forwarder token>')
    expect(text).toContain('ingest.example.com')
    expect(text).toContain('## What goes wrong')
  })
  test('has a door', () =>
    withIngest(async ({ send }) => {
      // Firehose keeps what is refused, so that a body that is no delivery is.
      const taken = sender.path.endsWith('/firehose') ? 400 : sender.path.startsWith('/loki') ? 204 : 200
      expect((await send(sender.path, '')).status).toBe(taken)
      expect((await send(`${sender.path}?token=${token}`, '', { authorization: '' })).status).toBe(taken)
    }))
})

test('every page of a sender stands in the table', () => {
  const pages = [...new Bun.Glob('*.md').scanSync(join(root, 'docs/operators/senders'))].filter(
    (name) => name !== 'README.md',
  )
  expect(pages.sort()).toEqual(senders.map(({ page }) => `${page}.md`).sort())
})
