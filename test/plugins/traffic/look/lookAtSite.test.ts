import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createSafeFetch } from '../../../../core/outbound/fetch/safe-fetch'
import { lookAtSite } from '../../../../plugins/traffic/look/lookAtSite'
import type { Finding } from '../../../../plugins/traffic/look/site-findings'
import { quietLog } from '../../../support/quiet-log'
import { standInResolver } from '../../../support/stand-in-resolver'

const html = { 'content-type': 'text/html; charset=utf-8' }
const tag = (more = '', key = 'rnw_site_key1') => `<script defer ${more} src="/s/${key}.js"></script>`
let server: Bun.Server<undefined>
let answer: (request: Request) => Response = () => new Response('')
let script: () => Response = () => new Response('… renown_check …')
beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => (new URL(request.url).pathname.startsWith('/s/') ? script() : answer(request)),
  })
})
afterAll(() => server.stop(true))

const resolver = standInResolver()
for (const name of ['shop.example', 'www.shop.example', 'evil.example'])
  resolver.setAddresses(name, ['127.0.0.1'])
const reaching = createSafeFetch({ dns: resolver, log: quietLog, allowLoopback: true })
const own = { domain: 'shop.example', site_key: 'rnw_site_key1', is_active: true }

const look = (page = '', { site = own, safeFetch = reaching, ingestUrl = origin() } = {}) =>
  lookAtSite({ safeFetch, ingestUrl, site, page: page || `${origin()}/` })
const origin = (host = 'shop.example') => `http://${host}:${server.port}`
const codes = (found: readonly Finding[]): string[] => found.map(({ code }) => code)

/** What is found on a page of this body and these headers. */
async function found(body: string, headers: Record<string, string> = {}) {
  answer = () => new Response(body, { headers: { ...html, ...headers } })
  return look()
}
const fine = ['page_found', 'tag_found', 'script_served']

describe('a page that has the tag', () => {
  test('is fine, in whatever way the tag is written', async () => {
    for (const body of [
      tag(),
      `<html><head>${tag('type="text/javascript"')}</head>`,
      `<SCRIPT SRC='/s/rnw_site_key1.js'></SCRIPT>`,
      `<base href="${origin()}/deep/"><script src=../s/rnw_site_key1.js></script>`,
      `${'<p>'.repeat(10_000)}${tag()}`,
      `${tag('', 'rnw_site_other')}${tag()}`,
    ])
      expect(codes(await found(body))).toEqual(fine)
  })
  test('may be reached by a redirect within the domain', async () => {
    answer = ({ headers }) =>
      headers.get('host')?.startsWith('www.')
        ? new Response(tag(), { headers: html })
        : Response.redirect(`${origin('www.shop.example')}/home`, 301)
    expect(await look()).toContainEqual({ code: 'page_found', detail: `${origin('www.shop.example')}/home` })
  })
  test('does not work as a module, or held back by a consent manager', async () => {
    expect(codes(await found(tag('type="module"')))).toContain('tag_module')
    expect(await found(tag('type="text/plain"'))).toContainEqual({
      code: 'tag_held_back',
      detail: 'text/plain',
    })
  })
  test('is told where its script is not served', async () => {
    script = () => new Response('not here', { status: 404 })
    const all = await found(tag())
    script = () => new Response('<h1>renown</h1>')
    const other = await found(tag())
    script = () => new Response('… renown_check …')
    expect(all).toContainEqual({
      code: 'script_not_served',
      detail: 'It answers 404.',
      wanted: `${origin()}/s/rnw_site_key1.js`,
    })
    expect(codes(other)).toContain('script_not_served')
  })
  test('is told that it loads from elsewhere', async () => {
    answer = () =>
      new Response(`<script src="${origin('evil.example')}/s/rnw_site_key1.js"></script>`, { headers: html })
    expect(codes(await look())).toContain('tag_other_host')
  })
})

describe('a content security policy', () => {
  const strict = "default-src 'none'; script-src https://cdn.example; connect-src 'self'"
  test('that forbids the script is named, with what to add', async () => {
    expect(await found(tag(), { 'content-security-policy': strict })).toContainEqual({
      code: 'csp_script',
      detail: 'script-src https://cdn.example',
      wanted: origin(),
    })
  })
  test('may stand in the page, and forbid only what the script sends', async () => {
    const meta = `<meta http-equiv="Content-Security-Policy" content="script-src 'self'; connect-src 'none'">`
    const all = await found(`${meta}${tag()}`)
    expect(codes(all)).not.toContain('csp_script')
    expect(all).toContainEqual({ code: 'csp_connect', detail: "connect-src 'none'", wanted: origin() })
  })
  test('that lets it through is not spoken of, nor one that only reports', async () => {
    expect(codes(await found(tag(), { 'content-security-policy': "default-src 'self'" }))).toEqual(fine)
    expect(codes(await found(tag(), { 'content-security-policy-report-only': strict }))).toEqual(fine)
    const nonce = { 'content-security-policy': "script-src 'nonce-n1' 'strict-dynamic'" }
    expect(codes(await found(tag('nonce="n1"'), nonce))).toEqual(fine)
  })
  test('is judged before the tag is there', async () => {
    const all = codes(await found('<h1>Shop</h1>', { 'content-security-policy': strict }))
    expect(all).toEqual(['page_found', 'tag_missing', 'csp_script'])
  })
})

describe('a page without the tag', () => {
  test('is told apart from one with another site’s, and one where it is only text', async () => {
    expect(codes(await found('<h1>Shop</h1>'))).toEqual(['page_found', 'tag_missing'])
    expect(await found(tag('', 'rnw_site_other'))).toContainEqual({
      code: 'tag_other_key',
      detail: 'rnw_site_other',
      wanted: 'rnw_site_key1',
    })
    for (const body of [
      `<!-- ${tag()} -->`,
      tag().replace('<', '&lt;'),
      `<textarea>${tag()}</textarea>`,
      `<noscript>rnw_site_key1</noscript>`,
    ])
      expect(codes(await found(body))).toContain('tag_as_text')
  })
  test('may come from a cache', async () => {
    expect(await found('', { age: '3600' })).toContainEqual({ code: 'from_cache', detail: 'age: 3600' })
    expect(codes(await found('', { 'x-cache': 'Hit from cloudfront' }))).toContain('from_cache')
    expect(codes(await found('', { 'cf-cache-status': 'MISS', age: '0' }))).not.toContain('from_cache')
  })
})

describe('a page that is none', () => {
  test('leads elsewhere, and what stands there is not looked at', async () => {
    answer = ({ headers }) =>
      headers.get('host')?.startsWith('evil.')
        ? new Response(tag(), { headers: html })
        : Response.redirect(origin('evil.example'), 302)
    expect(await look()).toEqual([
      { code: 'page_elsewhere', detail: `evil.example:${server.port}`, wanted: 'shop.example' },
    ])
  })
  test('answers with an error, or with something else', async () => {
    answer = () => new Response('no', { status: 403, headers: html })
    expect(await look()).toEqual([{ code: 'page_status', detail: '403' }])
    answer = () => Response.json({})
    expect(codes(await look())).toEqual(['page_no_html'])
    answer = () => Response.redirect('/again', 302)
    expect(codes(await look())).toEqual(['page_redirect'])
    answer = () => new Response('x'.repeat(5_000_000), { headers: html })
    expect(codes(await look())).toEqual(['page_too_large'])
  })
  test('cannot be found, or reached', async () => {
    expect(codes(await look('https://nowhere.example/'))).toContain('page_unresolvable')
    expect(codes(await look('http://shop.example:1/'))).toEqual(['page_unreachable'])
  })
  test('is never looked at inside the network of the product', async () => {
    const strict = createSafeFetch({ dns: resolver, log: quietLog })
    for (const page of [`${origin()}/`, 'http://shop.example/', 'http://169.254.169.254/', 'http://[::1]/'])
      expect(
        codes(await look(page, { safeFetch: strict })).filter((code) => code !== 'mixed_content'),
      ).toEqual(['page_refused'])
  })
})

describe('the counter', () => {
  test('at an address that visitors do not reach, or without TLS, is told', async () => {
    answer = () => new Response(tag(), { headers: html })
    expect(codes(await look('', { ingestUrl: 'http://localhost:3001' }))).toContain('ingest_local')
    const plain = await look('https://nowhere.example/', { ingestUrl: 'http://hits.example' })
    expect(codes(plain)).toContain('mixed_content')
  })
  test('serves no script for a site that is switched off', async () => {
    answer = () => new Response(tag(), { headers: html })
    expect(codes(await look('', { site: { ...own, is_active: false } }))).toEqual(['site_off', ...fine])
  })
})

test('the words of strangers are cut short', async () => {
  const [first] = (await found(tag(`type="${'x'.repeat(5_000)}\n"`))).filter(
    ({ code }) => code === 'tag_held_back',
  )
  expect(first?.detail).toHaveLength(201)
})
