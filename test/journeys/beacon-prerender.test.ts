import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { site, withIngest } from '../ingest/support/ingest'
import { readJournal } from '../ingest/support/journal'
import { describeWith } from '../support/needs'
import { findProgram } from '../support/programs'
import { waitFor } from '../support/wait-for'

const chromium = findProgram('chromium')

const landing = '/landing?utm_source=chatgpt.com'
const rules = {
  prerender: [{ source: 'list', urls: [landing], eagerness: 'immediate', referrer_policy: 'no-referrer' }],
}
/** Announces the landing page, and goes there once it is told to. */
const start = `<!doctype html><script type="speculationrules">${JSON.stringify(rules)}</script>
<a id="go" href="${landing}" referrerpolicy="no-referrer">go</a>
<script>fetch('/told').then(() => document.getElementById('go').click())</script>`
const landed = `<!doctype html><script defer src="/s/${site.site_key}.js"></script>
<script>addEventListener('pageshow', (event) => fetch('/shown?' + event.persisted).then(() => fetch('/later?' + event.persisted)))
addEventListener('load', () => fetch('/loaded'))
const go = () => fetch('/told').then(() => location.assign('/other'))
document.prerendering ? document.addEventListener('prerenderingchange', go) : go()</script>`
const other = `<!doctype html><script>fetch('/told').then(() => history.back())</script>`

/** A browser that nobody drives, on a site whose pages move by themselves: what drives one switches these features off. */
async function withBrowser(
  work: (tested: {
    seen: string[]
    posts: string[]
    hits(): Promise<readonly { agent: string; path: string }[]>
    /** Lets the page that waits go on. */
    goOn(): Promise<void>
  }) => Promise<void>,
) {
  const profile = mkdtempSync(join(tmpdir(), 'renown-chromium-'))
  await withIngest(
    async ({ ingest, directory }) => {
      const seen: string[] = []
      const posts: string[] = []
      const waiting: (() => void)[] = []
      const pages: Record<string, string> = { '/start': start, '/landing': landed, '/other': other }
      const server = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        idleTimeout: 60,
        async fetch(request) {
          const { pathname, search } = new URL(request.url)
          if (pathname === '/told') {
            await new Promise<void>((resolve) => waiting.push(resolve))
            return new Response()
          }
          const ahead = request.headers.get('sec-purpose')?.includes('prerender') ? ' ahead' : ''
          seen.push(`${pathname}${/^\/(shown|later)$/.test(pathname) ? search : ''}${ahead}`)
          if (request.method === 'POST') posts.push(await request.clone().text())
          if (pathname.startsWith('/s/')) return ingest.fetch(request, () => null)
          return new Response(pages[pathname] ?? '', { headers: { 'content-type': 'text/html' } })
        },
      })
      const browser = Bun.spawn(
        [
          chromium ?? '',
          '--headless=new',
          '--no-sandbox',
          '--disable-gpu',
          '--disable-dev-shm-usage',
          '--no-first-run',
          '--disable-blink-features=AutomationControlled',
          '--remote-debugging-port=0',
          `--user-data-dir=${profile}`,
          `http://localhost:${server.port}/start`,
        ],
        { stdout: 'ignore', stderr: 'ignore' },
      )
      try {
        await work({
          seen,
          posts,
          async hits() {
            await ingest.flush()
            return (await readJournal(directory)).hits
          },
          async goOn() {
            const before = waiting.length
            await waitFor(() => waiting.length > 0, {
              what: `a page that waits (${before})`,
              timeoutMs: 20_000,
            })
            for (const tell of waiting.splice(0)) tell()
          },
        })
      } finally {
        browser.kill()
        await browser.exited
        await server.stop(true)
        await waitFor(() => isRemoved(profile), { what: 'the last of the browser to end' })
      }
    },
    { sites: { sites: [{ ...site, domain: 'localhost' }] } },
  )
}

/** Its processes end one after the other, and write until they do. */
function isRemoved(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true })
    return true
  } catch {
    return false
  }
}

describeWith('chromium')('in a Chromium that nobody drives', () => {
  test(
    'a page rendered ahead is counted when it is looked at, and not again when it is brought back',
    () =>
      withBrowser(async ({ seen, posts, hits, goOn }) => {
        const has = (what: string) => waitFor(() => seen.includes(what), { what, timeoutMs: 20_000 })
        await has(`/landing ahead`)
        await has(`/s/${site.site_key}.js ahead`)
        // The beacon has run by then: its script is deferred, and the page is loaded.
        await has('/loaded ahead')
        expect(posts).toEqual([])
        await goOn()
        await waitFor(() => posts.length > 0, { what: 'the visit' })
        await goOn()
        await has('/other')
        await goOn()
        await has('/shown?true')
        await has('/later?true')
        expect(posts).toEqual([',//chatgpt.com/,/landing'])
        expect(await hits()).toMatchObject([{ agent: 'chatgpt.com', path: '/landing' }])
      }),
    90_000,
  )
})
