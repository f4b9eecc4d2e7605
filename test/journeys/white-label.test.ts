import { afterAll, beforeAll, describe, expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WhiteLabelDomain } from '../../core/tenancy/domains/WhiteLabelDomain'
import { inTemporaryFolder } from '../ingest/support/journal'
import { type Gate, startGate } from '../support/harness'
import { testWith } from '../support/needs'
import { freePort } from '../support/programs'
import { codeOf, webServers } from '../support/set-up-pages'

/** The name of the certificate that the tests have. */
const domain = 'service.example'
const certificates = join(import.meta.dir, '../fixtures/tls')
const ca = readFileSync(join(certificates, 'cert.pem'), 'utf8')

let gate: Gate
let port = 0
beforeAll(async () => {
  gate = await startGate({
    settings: { RENOWN_URL: 'https://app.example.com', TRUSTED_PROXIES: '127.0.0.1/32' },
  })
  const { agencyId } = gate.tenant
  await gate.put(WhiteLabelDomain, { agency_id: agencyId, domain, state: 'verified', token: 't' }, agencyId)
  port = gate.listen().port
})
afterAll(() => gate.stop())

/** What the issuer says it is, asked through a proxy; with a Host of somebody else in the forwarded header. */
async function issuerThrough(address: string, tls?: object) {
  const answer = await fetch(`${address}/.well-known/oauth-authorization-server`, {
    headers: { host: domain, 'x-forwarded-host': 'evil.example' },
    ...(tls ? { tls } : {}),
  })
  return [answer.status, ((await answer.json()) as { issuer?: string }).issuer]
}

describe('a white-label domain behind the proxies of docs/operators/domains.md', () => {
  testWith('nginx')(
    'nginx ends TLS and hands on the host',
    () =>
      inTemporaryFolder(async (folder) => {
        const open = await freePort()
        const code = await codeOf('operators/domains', 'nginx', {
          'listen 443 ssl': `listen 127.0.0.1:${open} ssl`,
          '/etc/ssl/reviews.example.com/fullchain.pem': join(certificates, 'cert.pem'),
          '/etc/ssl/reviews.example.com/privkey.pem': join(certificates, 'key.pem'),
          'reviews.example.com': domain,
          'http://127.0.0.1:3000': `http://127.0.0.1:${port}`,
        })
        const server = await webServers.nginx?.(code, folder)
        if (!server) throw new Error('nobody starts nginx')
        try {
          const found = await issuerThrough(`https://127.0.0.1:${open}`, { ca, serverName: domain })
          expect(found).toEqual([200, `https://${domain}`])
        } finally {
          await server.stop()
        }
      }),
    90_000,
  )

  testWith('caddy')(
    'Caddy hands on the host',
    () =>
      inTemporaryFolder(async (folder) => {
        const site = await codeOf('operators/domains', 'caddyfile', {
          '127.0.0.1:3000': `127.0.0.1:${port}`,
        })
        const inside = /^reviews\.example\.com \{\n(.*)\n\}\n$/s.exec(site)?.[1] ?? ''
        const server = await webServers.caddy?.(inside, folder)
        if (!server) throw new Error('nobody starts Caddy')
        try {
          expect(await issuerThrough(`http://127.0.0.1:${server.port}`)).toEqual([200, `https://${domain}`])
        } finally {
          await server.stop()
        }
      }),
    90_000,
  )
})
