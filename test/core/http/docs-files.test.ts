import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { builtin } from '../../../plugins/index'
import { type Gate, startGate } from '../../support/harness'

const folder = join(import.meta.dir, '../../../docs')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.md'),
)

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: builtin })
})
afterAll(() => gate.stop())

const ask = (path: string, accept = '*/*', more: Readonly<Record<string, unknown>> = {}) => {
  const headers = { accept, ...((more.headers ?? {}) as Record<string, string>) }
  return gate.ask(path, { key: null, ...more, headers })
}
const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'

test('every document is served as it is, and as a page whose links lead somewhere', async () => {
  const pages = new Map<string, string>()
  for (const file of [...files, 'guides.md']) {
    const text = await ask(`/docs/${file}`)
    expect([file, text.status, text.headers.get('content-type')]).toEqual([
      file,
      200,
      'text/markdown; charset=utf-8',
    ])
    const own = file === 'guides.md' ? '' : await Bun.file(join(folder, file)).text()
    if (own !== '' && !own.includes('conformance/README')) expect(await text.text()).toBe(own)
    const page = await ask(`/docs/${file.slice(0, -3)}`, browser)
    expect([file, page.status, page.headers.get('content-type')]).toEqual([
      file,
      200,
      'text/html; charset=utf-8',
    ])
    pages.set(`/docs/${file.slice(0, -3)}`, await page.text())
  }
  const known = new Set(['/docs', '/docs.md', ...files.map((file) => `/docs/${file}`), '/docs/guides.md'])
  const broken = [...pages].flatMap(([path, html]) =>
    [...html.matchAll(/href="([^"]*)"/g)].flatMap(([, href = '']) => {
      const url = new URL(href.replaceAll('&amp;', '&'), `http://here${path}`)
      if (url.host !== 'here' || (known.has(url.pathname) && !pages.has(url.pathname))) return []
      const target = pages.get(url.pathname)
      const isThere =
        target !== undefined && (url.hash === '' || target.includes(`id="${url.hash.slice(1)}"`))
      return isThere ? [] : [`${path}: ${href}`]
    }),
  )
  expect(broken).toEqual([])
})

test('the Accept header chooses between the page and the Markdown, and caches are told so', async () => {
  const types = async (path: string) =>
    Promise.all(
      ['text/markdown', browser, '*/*', 'text/html;q=0.4, text/markdown'].map(async (accept) => {
        const { headers } = await ask(path, accept)
        return [headers.get('content-type')?.split(';')[0], headers.get('vary')]
      }),
    )
  const text = 'text/markdown'
  const html = 'text/html'
  const varies = (type: string | undefined) => [type, expect.stringContaining('Accept')]
  expect(await types('/docs/agents/api')).toEqual([varies(text), varies(html), varies(text), varies(text)])
  const [first, , , last] = await types('/docs')
  expect([first, last]).toEqual([varies(text), varies(text)])
  expect((await ask('/docs.md', browser)).headers.get('content-type')).toStartWith(text)
})

test('the reference as Markdown names every record, operation and error of this installation', async () => {
  const text = await (await ask('/docs.md')).text()
  for (const name of [...gate.registry.entities.keys(), ...gate.registry.operations.keys()]) {
    const isShown = text.includes(`\n### ${name}\n`)
    expect([name, isShown]).toEqual([name, gate.registry.operations.has(name) || isShown])
  }
  expect(text).toContain('`invalid_field` (422)')
  expect(text).not.toContain('undefined')
})

test('a document has an ETag and answers HEAD, and the folder has no way out', async () => {
  for (const path of ['/docs/agents/clients/claude', '/docs/agents/skills.md', '/docs/guides', '/docs.md']) {
    const first = await ask(path)
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await ask(path, '*/*', { headers })).status).toBe(304)
    const head = await ask(path, '*/*', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  }
  for (const path of [
    '/docs/nothing',
    '/docs/agents/README.md',
    '/docs/agents/clients/',
    '/docs/agents/api.md.md',
    '/docs/constructor',
  ])
    expect([path, (await ask(path)).status]).toEqual([path, 404])
})

test('llms.txt has one line for each document and skill, and nothing of a tenant', async () => {
  const answer = await ask('/llms.txt')
  const text = await answer.text()
  for (const file of files) expect(text.split(`/docs/${file})`).length).toBe(2)
  expect(Buffer.byteLength(text)).toBeLessThan(28_000)
  expect(text).not.toMatch(/(?:agc|wsp|usr)_[0-9A-Z]{10}/)
  expect(text).not.toContain(gate.tenant.key)
  expect(text.split('\n').filter((line) => line.length > 400)).toEqual([])
})

test('a client that guesses the address of MCP is told the right one', async () => {
  expect(await (await ask('/mcp')).json()).toMatchObject({ status: 404, hint: 'MCP is at /api/mcp.' })
})
