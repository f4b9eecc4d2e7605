import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import type { Outbound } from '../../../../core/contracts/outbound'
import { readSettings } from '../../../../core/contracts/settings'
import { createSafeFetch } from '../../../../core/outbound/fetch/safe-fetch'
import { readSite } from '../../../../plugins/enrichment/website/read-site'
import { quietLog } from '../../../support/quiet-log'
import { type StandInResolver, standInResolver } from '../../../support/stand-in-resolver'
import { serveWebsite, type WebsiteStandIn } from '../../../support/stand-ins/website'

let website: WebsiteStandIn
let resolver: StandInResolver
beforeEach(() => {
  website = serveWebsite()
  resolver = standInResolver()
  resolver.setAddresses('acme.example', ['127.0.0.1'])
})
afterEach(() => website.stop())

const html = (body: ConstructorParameters<typeof Response>[0], type = 'text/html') =>
  new Response(body, { headers: { 'content-type': type } })
async function site(
  home: string = `http://acme.example:${website.port}/`,
  signal = new AbortController().signal,
) {
  const outbound = {
    safeFetch: createSafeFetch({ dns: resolver, log: quietLog, allowLoopback: true }),
  } as Outbound
  const now = () => new Date('2026-03-15T12:00:00.000Z')
  const ctx = { outbound, settings: readSettings({}), now, log: quietLog }
  try {
    return await readSite(ctx, home, { signal, pauseMs: 0 })
  } catch (error) {
    return error
  }
}
const said = async () => {
  const read = await site()
  return read instanceof Error
    ? read.message
    : (read as Awaited<ReturnType<typeof readSite>>).pages[0]?.blocks.join('|')
}

describe('A website that answers', () => {
  test.each([
    [
      'a bomb of gzip',
      () =>
        new Response(gzipSync(Buffer.alloc(50_000_000, 'x')), {
          headers: { 'content-encoding': 'gzip', 'content-type': 'text/html' },
        }),
      'too_large',
    ],
    ['ten megabytes', () => html(`<p title="${'x'.repeat(10_000_000)}">`), 'too_large'],
    [
      'without an end',
      () => html(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) })),
      'too_large',
    ],
    [
      'half of a gzip',
      () =>
        new Response(gzipSync('<p>x</p>'.repeat(500)).subarray(0, 30), {
          headers: { 'content-encoding': 'gzip', 'content-type': 'text/html' },
        }),
      'malformed',
    ],
    ['no type', () => new Response(new Uint8Array([60, 112, 62])), 'no_html'],
    ['an image', () => html('<p>x', 'image/svg+xml'), 'no_html'],
    ['a type that is markup', () => html('<p>x', 'text/<b>html'), 'no_html'],
    ['401', () => new Response('', { status: 401 }), '401'],
    ['600', () => new Response('', { status: 599 }), '599'],
  ] as const)('%s is told so', async (_, answer, code) => {
    website.pages.set('/', answer)
    const fault = await site()
    expect(fault).toMatchObject({ name: 'ServiceFault', code })
    expect(String(fault)).not.toMatch(/[<>]|127\.0/)
  })

  test.each([
    ['UTF-8', Buffer.from('<p>Grüße'), 'text/html; charset=utf-8'],
    ['UTF-8 unsaid', Buffer.from('<p>Grüße'), 'text/html'],
    ['Latin-1 by its header', Buffer.from('<p>Grüße', 'latin1'), 'text/html; Charset="ISO-8859-1"'],
    ['Latin-1 by its meta', Buffer.from('<meta charset=iso-8859-1><p>Grüße', 'latin1'), 'text/html'],
    [
      'Latin-1 by its older meta',
      Buffer.from(
        '<meta http-equiv=Content-Type content="text/html; charset=windows-1252"><p>Grüße',
        'latin1',
      ),
      'text/html',
    ],
    ['Latin-1 unsaid', Buffer.from('<p>Grüße', 'latin1'), 'text/html'],
    ['UTF-16 by its mark', Buffer.from('\uFEFF<p>Grüße', 'utf16le'), 'text/html; charset=utf-8'],
    ['UTF-8 that its meta takes for UTF-16', Buffer.from('<meta charset=utf-16><p>Grüße'), 'text/html'],
    ['UTF-8 under a name that is none', Buffer.from('<p>Grüße'), 'text/html; charset=../../etc/passwd'],
  ])('in %s is understood', async (_, body, type) => {
    website.pages.set('/', () => html(body as Uint8Array<ArrayBuffer>, type))
    expect(await said()).toBe('Grüße')
  })

  test('in another encoding than it says is read without harm', async () => {
    website.pages.set('/', () =>
      html(Buffer.from('<p>Gr\xfc\xdfe', 'latin1') as Uint8Array<ArrayBuffer>, 'text/html; charset=utf-8'),
    )
    expect(await said()).toMatch(/^Gr\uFFFD+e$/)
  })
})

describe('A website that leads', () => {
  test.each([
    ['to this machine by number', 'http://127.0.0.1:1/'],
    ['to this machine by name', 'http://localhost/'],
    ['to the metadata of a cloud', 'http://169.254.169.254/latest/meta-data/'],
    ['to a network of IPv6', 'http://[fd00::1]/'],
    ['to a file', 'file:///etc/passwd'],
    ['to somebody else of the same registry', 'http://other.example/'],
    ['to a name that ends alike', 'http://notacme.example/'],
    ['to a name that begins alike', 'http://acme.example.evil.test/'],
    ['to its own name at a service that hosts many', 'http://acme.github.io/'],
  ])('%s is not followed', async (_, address) => {
    website.pages.set('/', () => new Response(null, { status: 302, headers: { location: address } }))
    expect(await site()).toMatchObject({ name: 'ServiceFault', kind: 'permanent' })
    expect(resolver.asked.every((name) => name === 'acme.example')).toBe(true)
    expect(website.asked.map(({ path }) => path)).toEqual(['/robots.txt', '/'])
  })

  test('to a name of its own that stands in a private network is not asked', async () => {
    resolver.setAddresses('intern.acme.example', ['10.0.0.5'])
    website.pages.set('/', () => Response.redirect('http://intern.acme.example/', 302))
    expect(await site()).toMatchObject({ code: 'refused' })
  })

  test('to itself through robots.txt is asked once a page', async () => {
    website.pages.set('/robots.txt', () => Response.redirect('/robots.txt', 301))
    website.pages.set('/', '<p>Hi <a href="/about">about</a>')
    website.pages.set('/about', '<p>Us')
    expect(await site()).toMatchObject({ pages: [{}, {}] })
  })
})

describe('robots.txt', () => {
  test.each([500, 503, 429])('that answers %d keeps us out until it works', async (status) => {
    website.pages.set('/robots.txt', () => new Response('', { status }))
    website.pages.set('/', '<p>Hi')
    expect(await site()).toMatchObject({ kind: 'transient' })
    expect(website.asked).toHaveLength(1)
  })

  test.each([401, 403, 404])('that answers %d forbids nothing', async (status) => {
    website.pages.set('/robots.txt', () => new Response('Disallow: /', { status }))
    website.pages.set('/', '<p>Hi')
    expect(await said()).toBe('Hi')
  })

  test('is heeded behind a redirect too', async () => {
    website.pages.set('/robots.txt', () => new Response('User-agent: *\nDisallow: /private'))
    website.pages.set('/', () => Response.redirect('/private/home', 302))
    website.pages.set('/private/home', '<p>Hi')
    expect(await site()).toMatchObject({ code: 'robots' })
    expect(website.asked.map(({ path }) => path)).toEqual(['/robots.txt', '/'])
  })
})

test('of a large site at most four further pages are read, one for each purpose', async () => {
  const links = [
    'about',
    'about-our-dogs',
    'services',
    'services/boilers',
    'contact',
    'hours',
    'impressum',
    'blog',
    'a.pdf',
    'about?x=1',
  ]
  website.pages.set('/', links.map((path) => `<a href="/${path}">${path}</a>`).join(' '))
  for (const path of links) website.pages.set(`/${path}`, `<p>${path}`)
  website.pages.set('/contact', () => new Response('', { status: 500 }))
  await site()
  expect(website.asked.map(({ path }) => path)).toEqual([
    '/robots.txt',
    '/',
    '/about',
    '/services',
    '/contact',
    '/hours',
  ])
})

test('a reading that is called off does not wait for a website that is silent', async () => {
  const stop = new AbortController()
  website.pages.set('/', () => {
    stop.abort(new Error('The product is stopping'))
    return new Promise<Response>(() => {})
  })
  expect(await site(undefined, stop.signal)).toMatchObject({ message: 'The product is stopping' })
})

test('a reading that is called off stops between two pages', async () => {
  const stop = new AbortController()
  website.pages.set('/', () => {
    stop.abort(new Error('The product is stopping'))
    return html('<a href="/about">about</a>')
  })
  expect(await site(undefined, stop.signal)).toMatchObject({ message: 'The product is stopping' })
  expect(website.asked).toHaveLength(2)
})
