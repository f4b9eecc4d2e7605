import { describe, expect } from 'bun:test'
import { site, withIngest } from '../ingest/support/ingest'
import { inTemporaryFolder, readJournal } from '../ingest/support/journal'
import { testWith } from '../support/needs'
import { codeOf, webServers } from '../support/set-up-pages'

const servers = [
  {
    program: 'nginx',
    language: 'nginx',
    start: (code: string, folder: string) => webServers.nginx?.('', folder, { inServer: code }),
  },
  {
    program: 'caddy',
    language: 'caddyfile',
    start: (code: string, folder: string) => webServers.caddy?.(code, folder),
  },
] as const

describe('the beacon from the site’s own address, as docs/owners/traffic.md sets it up', () => {
  for (const { program, language, start } of servers) {
    testWith(program)(
      `passes through ${program} with what counts, and without cookies`,
      () =>
        inTemporaryFolder((folder) =>
          withIngest(async ({ ingest, directory }) => {
            const cookies: (string | null)[] = []
            const upstream = Bun.serve({
              hostname: '127.0.0.1',
              port: 0,
              fetch(request) {
                cookies.push(request.headers.get('cookie') || null)
                return ingest.fetch(request, () => null)
              },
            })
            const code = await codeOf('owners/traffic', language, {
              'https://ingest.example.com': `http://127.0.0.1:${upstream.port}`,
            })
            const server = await start(code, folder)
            if (!server) throw new Error(`nobody starts ${program}`)
            try {
              const at = `http://127.0.0.1:${server.port}/s/${site.site_key}`
              const headers = {
                cookie: 'session=secret',
                origin: 'https://example.com',
                referer: 'https://example.com/',
              }
              const script = await fetch(`${at}.js`, { headers })
              expect([script.status, script.headers.get('content-type')]).toEqual([
                200,
                'text/javascript; charset=utf-8',
              ])
              expect(await script.text()).toContain('currentScript')
              const body = ',https://chatgpt.com/,/pricing'
              const posted = await fetch(at, { method: 'POST', headers, body })
              expect([posted.status, posted.headers.get('x-counted')]).toEqual([204, '1'])
              expect((await ingest.signals(site.site_id)).script_found_at).not.toBeNull()
              expect(cookies).toEqual([null, null])
              await ingest.flush()
              expect((await readJournal(directory)).hits).toMatchObject([
                { agent: 'chatgpt.com', path: '/pricing' },
              ])
            } finally {
              await server.stop()
              await upstream.stop(true)
            }
          }),
        ),
      90_000,
    )
  }
})
