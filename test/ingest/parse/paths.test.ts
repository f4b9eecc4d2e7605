import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { assetPath, otherPath } from 'renown/contracts'
import { createPathBound } from '../../../ingest/parse/path-bound'
import { hostOf, normalPath, pathBytesMax, pathOf } from '../../../ingest/parse/paths'

describe('a path', () => {
  test.each([
    ['/', '/'],
    ['', '/'],
    ['pricing', '/pricing'],
    ['/pricing?utm_source=x#top', '/pricing'],
    ['/größe%20x/%c3%a4ö%', '/gr%C3%B6%C3%9Fe%20x/%C3%A4%C3%B6%25'],
    ['/a#b?c', '/a'],
    ['http://example.com/a?b', '/a'],
    ['HTTPS://example.com', '/'],
    ['https://example.com?x', '/'],
    ['//double//slash', '//double//slash'],
    ['/%7euser/%41%2f%2F', '/~user/A%2F%2F'],
    ['/a/./b/../c', '/a/c'],
    ['/a/%2e%2E/b', '/b'],
    ['/..', '/'],
    ['/a/..', '/'],
    ['/a/.', '/a/'],
    ['/a/b/..', '/a/'],
    ['/a/b/.', '/a/b/'],
    ['/a/b/../c', '/a/c'],
    ['/../../x', '/x'],
    ['/.well-known/x', '/.well-known/x'],
    ['/é', '/%C3%A9'],
    ['/a b"<>', '/a%20b%22%3C%3E'],
    ['/100%', '/100%25'],
    ['/%zz%4', '/%25zz%254'],
    ['/a\tb\nc\u0000\u007f', '/a%09b%0Ac%00%7F'],
    ['/\ud800', '/%EF%BF%BD'],
  ])('%j is counted as %j', (target, path) => {
    expect(normalPath(target)).toBe(path)
  })

  test('is read as far as escapes can shrink into what is kept', () => {
    expect(normalPath(`/${'%41'.repeat(600)}`)).toBe(`/${'A'.repeat(pathBytesMax - 1)}`)
  })

  test('is ASCII without controls, bounded, begins with a slash, and normalising again changes nothing', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom('/', '.', '..', '%2e', '%e2%82%ac', '€', '%', '%2', 'a'.repeat(200)),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const path = normalPath(`/${pieces.join('')}`)
        expect(path).toMatch(/^\/[!-~]*$/)
        expect(path.length).toBeLessThanOrEqual(pathBytesMax)
        expect(path).not.toMatch(/%(?![0-9A-F]{2})/)
        expect(normalPath(path)).toBe(path)
      }),
      { numRuns: 3000 },
    )
  })

  test.each(['.', '..'])('is cut before a segment of which only %j would be left', (dots) => {
    const base = `/${'a'.repeat(pathBytesMax - dots.length - 2)}`
    const path = normalPath(`${base}/${dots}€€`)
    expect([path, normalPath(path)]).toEqual([`${base}/`, `${base}/`])
  })

  test('is cut before a character that would be split, not inside it', () => {
    for (let lead = 500; lead < 516; lead++) {
      for (const char of ['é', '€', '😀', ' ']) {
        const path = normalPath(`/${'a'.repeat(lead)}${char.repeat(5)}`)
        expect(path.length).toBeLessThanOrEqual(pathBytesMax)
        expect(path.length).toBeGreaterThan(pathBytesMax - 12)
        expect(decodeURIComponent(path)).toMatch(/^\/a+[é€😀 ]*$/u)
      }
    }
  })

  test('of an asset is one bucket, of what crawlers read is not', () => {
    for (const asset of ['/a.css', '/x/y.JS?v=1', '/f.woff2', 'https://e.com/i.png']) {
      expect(pathOf(asset)).toBe(assetPath)
    }
    for (const page of [
      '/robots.txt',
      '/llms.txt',
      '/sitemap.xml',
      '/a.pdf',
      '/v1.js/page',
      '/.js/',
      '/data.json',
    ]) {
      expect(pathOf(page)).toBe(page)
    }
  })

  test('in absolute form names its host', () => {
    expect(hostOf('http://Example.com:80/x')).toBe('example.com:80')
    expect(hostOf('/x')).toBeNull()
  })
})

describe('distinct paths', () => {
  test("past a day's bound are counted as other, and known ones go on under their name", () => {
    const bound = createPathBound(1000, 2 ** 20)
    const admitted = [...Array(3000).keys()].map((n) => bound.admit('site_1', '2026-11-20', `/${n}`))
    expect(admitted.filter((path) => path !== otherPath)).toHaveLength(1000)
    expect(bound.admit('site_1', '2026-11-20', '/5')).toBe('/5')
    expect(bound.admit('site_1', '2026-11-20', '/5000')).toBe(otherPath)
    expect(bound.admit('site_1', '2026-11-21', '/5000')).toBe('/5000')
    expect(bound.admit('site_2', '2026-11-20', '/5000')).toBe('/5000')
    expect(bound.admit('site_1', '2026-11-20', assetPath)).toBe(assetPath)
  })

  test('are remembered in bounded memory over any number of sites and days', () => {
    const bound = createPathBound(50_000, 2 ** 20)
    const before = process.memoryUsage().arrayBuffers
    for (let site = 0; site < 500; site++) {
      for (let n = 0; n < 2_000; n++) bound.admit(`site_${site}`, '2026-11-20', `/${n}`)
    }
    Bun.gc(true)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 2 ** 20)
  })
})

test('the days of all sites take 32 MiB unless told otherwise', () => {
  const bound = createPathBound(33)
  const fill = (site: string, paths: number) => {
    for (let n = 0; n < paths; n++) bound.admit(site, '2026-11-20', `/${n}`)
  }
  const isFull = () => bound.admit('first', '2026-11-20', '/more') === otherPath
  // A day takes 256 bytes, and as many again from its 33rd path on.
  fill('first', 33)
  for (let n = 0; n < 131_068; n++) fill(`site_${n}`, 1)
  fill('full', 33)
  expect(isFull()).toBe(true)
  // It was used just now: the next that are forgotten are those before it.
  for (let n = 0; n < 131_068; n++) fill(`site_${n}`, 1)
  fill('full', 33)
  fill('one more', 33)
  expect(isFull()).toBe(false)
})

test('the memory of a day is counted from its first path on', () => {
  // 33 paths take 512 bytes: 256 from the first path on, and as many again from the 33rd.
  const bound = createPathBound(33, 1_100)
  const fill = (site: string) => {
    for (let n = 0; n < 33; n++) expect(bound.admit(site, '2026-11-20', `/${n}`)).toBe(`/${n}`)
  }
  fill('sit_1')
  fill('sit_2')
  expect(bound.admit('sit_1', '2026-11-20', '/more')).toBe(otherPath)
  fill('sit_3')
  // Three days do not fit: the one that was used the longest ago is forgotten, and no other.
  expect(bound.admit('sit_1', '2026-11-20', '/more')).toBe(otherPath)
  expect(bound.admit('sit_2', '2026-11-20', '/more')).toBe('/more')
})

test('the day in use is kept, also when it alone takes more than the memory', () => {
  const bound = createPathBound(33, 1)
  for (let n = 0; n < 33; n++) expect(bound.admit('sit_1', '2026-11-20', `/${n}`)).toBe(`/${n}`)
  expect(bound.admit('sit_2', '2026-11-20', '/')).toBe('/')
  expect(bound.admit('sit_1', '2026-11-20', '/more')).toBe(otherPath)
})

test('a cut path has at most 512 bytes, and loses at most the three last bytes of a broken character', () => {
  const lengthOf = (plain: number) => pathOf(`/${'a'.repeat(plain)}${'%80'.repeat(3_000)}`).length
  expect([0, 1, 2].map(lengthOf)).toEqual([502, 503, 501])
  expect(pathOf(`/${'a'.repeat(600)}`)).toHaveLength(512)
})
