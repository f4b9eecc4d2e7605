import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { faultOf, readLlms } from '../../../../plugins/traffic/access/llms'
import { readFile } from '../../../../plugins/traffic/access/read-file'
import { rulesOf, sitemapsOf } from '../../../../plugins/traffic/access/robots-rules'
import { listedIn, readSitemaps, sitemapMax, storedPath } from '../../../../plugins/traffic/access/sitemap'
import { startWebsites } from '../../prospects/support/website'

const web = startWebsites()
afterAll(() => web.stop())
beforeEach(() => web.reset())

const bytes = (text: string) => new TextEncoder().encode(text)
const at = (path: string) => `https://service.example${path}`
const hosts = new Set(['service.example'])

describe('the rules of a robots.txt', () => {
  test('are its groups and sitemaps without comments, whatever the line ends', () => {
    const file =
      '\uFEFFUser-Agent: GPTBot # bot\r\nDisallow: /a\rCrawl-delay: 5\n# made at 12:00\nSitemap: https://a.example/s.xml'
    expect(rulesOf(bytes(file))).toEqual({
      rules: 'User-Agent: GPTBot\nDisallow: /a\nSitemap: https://a.example/s.xml',
      isCut: false,
    })
    expect(rulesOf(bytes(''))).toEqual({ rules: '', isCut: false })
  })
  test('are read up to 500 KiB', () => {
    const file = bytes(`User-agent: *\n${'Disallow: /a\n'.repeat(60_000)}Disallow: /last`)
    const read = rulesOf(file)
    expect(read).toMatchObject({ isCut: true })
    expect('rules' in read && read.rules).not.toContain('/last')
  })
  test('are a fault in a page of HTML and in UTF-16', () => {
    expect(rulesOf(bytes('  <!doctype html><p>Not found'))).toHaveProperty('fault')
    expect(rulesOf(new Uint8Array([0xff, 0xfe, 0x55, 0]))).toHaveProperty('fault')
    expect(rulesOf(new Uint8Array([0x55, 0, 0x73, 0]))).toHaveProperty('fault')
  })
  test('name at most as many sitemaps as asked, each once', () => {
    const rules = ['a', 'b', 'a', 'c', 'd'].map((name) => `sitemap : https://x.example/${name}`).join('\n')
    expect(sitemapsOf(rules, 3)).toEqual(['a', 'b', 'c'].map((name) => `https://x.example/${name}`))
  })
})

describe('a file of a site', () => {
  const state = async (status: number) => {
    web.text(at('/f'), 'x', status)
    return (await readFile(web.safeFetch, at('/f'), { maxBytes: 100, accept: '*/*' })).state
  }
  test('is absent only where the server says so, and a refusal leaves it open', async () => {
    expect(await state(200)).toBe('read')
    for (const status of [404, 410, 400]) expect(await state(status)).toBe('absent')
    for (const status of [401, 403, 408, 429, 500, 503]) expect(await state(status)).toBe('unreadable')
  })
  test('is unreadable where it is too large, not public, or the server is not there', async () => {
    web.text(at('/f'), 'x'.repeat(200))
    for (const url of [at('/f'), 'https://inside.example/f', 'https://closed.example/f']) {
      const file = await readFile(web.safeFetch, url, { maxBytes: 100, accept: '*/*' })
      expect(file.state).toBe('unreadable')
    }
  })
})

describe('an llms.txt', () => {
  const read = () => readLlms(web.safeFetch, at('/llms.txt'))
  test('is valid with a title and links, absent without an answer, and never a page of HTML', async () => {
    expect(await read()).toEqual({ state: 'absent' })
    web.text(at('/llms.txt'), '# Bakery\n\n> Bread\n\n- [Menu](https://service.example/menu)\n')
    expect(await read()).toEqual({ state: 'valid' })
    web.page(at('/llms.txt'), '<!doctype html><h1>Home</h1>')
    expect(await read()).toEqual({ state: 'absent' })
    web.text(at('/llms.txt'), 'x', 503)
    expect((await read()).state).toBe('unreadable')
  })
  test('is invalid without a title, without links, and if it is empty', () => {
    for (const text of ['', ' \n', 'Bakery [a](b)', '## Menu\n[a](b)', '# Bakery\nno links']) {
      expect(faultOf(text)).not.toBeNull()
    }
    expect(faultOf('\n# Bakery\n[a](b)')).toBeNull()
  })
})

describe('a sitemap', () => {
  const xml = (paths: string[], tag = 'urlset') =>
    `<?xml version="1.0"?><${tag}>${paths.map((path) => `<url><loc> ${path} </loc><image:loc>https://x.example/i.png</image:loc></url>`).join('')}</${tag}>`
  const asked = { safeFetch: web.safeFetch, hosts, mayFetch: () => true }

  test('gives the paths of its pages, also from an index, gzip and text', async () => {
    web.text(
      at('/sitemap.xml'),
      xml([at('/a.xml'), at('/b.xml.gz'), at('/c.txt'), 'https://other.example/d.xml'], 'sitemapindex'),
    )
    web.text(
      at('/a.xml'),
      xml([at('/menu?x=1&amp;y=2'), '<![CDATA[https://service.example/about]]>', 'https://other.example/no']),
    )
    web.answers.set(at('/b.xml.gz'), () => new Response(gzipSync(xml([at('/caf%c3%a9')]))))
    web.text(at('/c.txt'), `${at('/text')}\n\n${at('/menu')}\n`)
    expect(await readSitemaps(asked, [at('/sitemap.xml'), at('/sitemap.xml')])).toEqual({
      state: 'read',
      paths: ['/about', '/caf%C3%A9', '/menu', '/text'],
    })
    expect(web.asked).not.toContain('https://other.example/d.xml')
  })
  test('is absent, unreadable or partial, and says why', async () => {
    expect(await readSitemaps(asked, [at('/sitemap.xml')])).toEqual({ state: 'absent', paths: [] })
    web.page(at('/sitemap.xml'), '<html>')
    expect(await readSitemaps(asked, [at('/sitemap.xml')])).toMatchObject({ state: 'unreadable' })
    web.text(at('/s2.xml'), xml([at('/a')]))
    expect(await readSitemaps(asked, [at('/sitemap.xml'), at('/s2.xml')])).toMatchObject({
      state: 'partial',
      paths: ['/a'],
    })
    const barred = await readSitemaps({ ...asked, mayFetch: () => false }, [at('/s2.xml')])
    expect(barred.state).toBe('unreadable')
  })
  test('that never ends is read within bounds', async () => {
    const many = Array.from({ length: 40 }, (_, n) => at(`/s${n}.xml`))
    for (const [n, url] of many.entries()) web.text(url, xml([at(`/p${n}`), url], 'sitemapindex'))
    await readSitemaps(asked, many)
    expect(web.asked.length).toBeLessThanOrEqual(sitemapMax.files)
    web.reset()
    web.text(at('/big.xml'), xml(Array.from({ length: 6_000 }, (_, n) => at(`/p${n}`))))
    const big = await readSitemaps(asked, [at('/big.xml')])
    expect([big.state, big.paths.length]).toEqual(['partial', sitemapMax.pages])
    web.answers.set(at('/bomb.xml'), () => new Response(gzipSync(Buffer.alloc(30_000_000, 97))))
    expect((await readSitemaps(asked, [at('/bomb.xml')])).state).toBe('unreadable')
  })
  test('is read up to where it is broken', () => {
    expect(listedIn('<urlset><loc>https://a.example/</loc><loc>https://a.exa').pages).toEqual([
      'https://a.example/',
    ])
    expect(listedIn('<urlset><loc')).toEqual({ pages: [], sitemaps: [] })
  })
  test('has paths in the form in which hits are stored', () => {
    expect(storedPath(at('/%7euser/a%2fb?q#h'), hosts)).toBe('/~user/a%2Fb')
    expect(storedPath(at('/a|b c/é'), hosts)).toBe('/a%7Cb%20c/%C3%A9')
    expect(storedPath(at(`/${'x'.repeat(600)}`), hosts)).toBeNull()
    expect(storedPath('ftp://service.example/a', hosts)).toBeNull()
    expect(storedPath('nonsense', hosts)).toBeNull()
  })
})

test('a file of openings without ends is read once', () => {
  const openings = Math.floor((sitemapMax.bytes - 100) / 5)
  for (const opening of ['<loc>', '<loc '])
    for (const end of ['', '></loc>']) {
      const before = process.cpuUsage().user
      expect(listedIn(`${opening.repeat(openings)}${end}`).pages.length).toBeLessThan(2)
      // Read again from each opening, this takes hours.
      expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(2_000)
    }
  const good = '<loc>https://a.example/</loc>'
  expect(listedIn(`<urlset><loc>${'x'.repeat(5_000)}</loc>${good}`).pages).toEqual(['https://a.example/'])
})

test('long paths are compared as far as one question can hold them', async () => {
  const urls = Array.from({ length: 2_000 }, (_, n) => `<loc>${at(`/${'x'.repeat(490)}${n}`)}</loc>`)
  web.text(at('/map.xml'), `<urlset>${urls.join('')}</urlset>`)
  const asked = { safeFetch: web.safeFetch, hosts, mayFetch: () => true }
  const { state, paths } = await readSitemaps(asked, [at('/map.xml')])
  expect(state).toBe('partial')
  expect(paths.join('').length).toBeWithin(sitemapMax.characters - 600, sitemapMax.characters + 1)
})
