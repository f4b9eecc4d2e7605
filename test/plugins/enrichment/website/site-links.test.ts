import { describe, expect, test } from 'bun:test'
import { isHidden, isSilent } from '../../../../plugins/enrichment/website/hidden'
import { furtherPages, siteOf } from '../../../../plugins/enrichment/website/site-links'

const home = 'https://www.bakery.example/'
const pages = (most: number, ...links: (string | [path: string, words: string])[]) =>
  furtherPages(
    {
      url: home,
      links: links.map((link) => {
        const [path, words] = typeof link === 'string' ? [link, ''] : link
        return { url: new URL(path, home).href, words }
      }),
    },
    most,
  ).map((href) => href.replace(home, '/'))

describe('further pages of a site', () => {
  test('are one for each purpose, in the order of what they say', () => {
    expect(pages(9, '/impressum', '/hours', '/kontakt', '/menu', '/about', '/blog')).toEqual([
      '/about',
      '/menu',
      '/kontakt',
      '/hours',
      '/impressum',
    ])
    expect(pages(2, '/impressum', '/hours', '/kontakt', '/menu', '/about')).toEqual(['/about', '/menu'])
    expect(pages(0, '/about')).toEqual([])
  })

  test('are the shortest address of a purpose, of equal ones the first, and none twice', () => {
    expect(pages(9, '/en/company/about', '/about', '/uber-uns')).toEqual(['/about'])
    expect(pages(9, '/about-a', '/about-b')).toEqual(['/about-a'])
    expect(pages(9, ['/about', 'Contact us'], '/x/contact')).toEqual(['/about', '/x/contact'])
    expect(pages(9, '/about#a', '/about#b')).toEqual(['/about'])
  })

  test('are known by the end of their path or the words of their link, as whole words', () => {
    expect(pages(9, ['/p/7', 'Our Story'], '/over_ons')).toEqual(['/p/7'])
    expect(pages(9, '/%C3%BCber-uns/')).toEqual(['/%C3%BCber-uns/'])
    expect(pages(9, '/aboutness', '/about/news', ['/p', 'whereabouts'])).toEqual([])
  })

  test('are of the same site, without a query, a file or a name of a person, and not the page itself', () => {
    expect(siteOf(new URL('https://shop.bakery.co.uk/'))).toBe('bakery.co.uk')
    expect(siteOf(new URL('http://localhost:3000/'))).toBe('localhost')
    const others = [
      'https://other.example/about',
      '/about?x=1',
      '/about.pdf',
      'https://a@www.bakery.example/about',
      '/',
    ]
    expect(pages(9, ...others)).toEqual([])
    expect(pages(9, ['/', 'About'])).toEqual([])
    expect(pages(9, 'https://shop.bakery.example/about')).toEqual(['https://shop.bakery.example/about'])
    const long = (length: number) => `/${'x'.repeat(length - home.length - 6)}/about`
    expect(pages(9, long(300))).toHaveLength(1)
    expect(pages(9, long(301))).toEqual([])
  })
})

describe('an element that nobody sees', () => {
  test.each([
    [{ hidden: '' }, true],
    [{ 'aria-hidden': ' TRUE ' }, true],
    [{ 'aria-hidden': 'false' }, false],
    [{ style: 'color: red; DISPLAY: none !important' }, true],
    [{ style: 'display:block' }, false],
    [{ style: 'visibility: hidden' }, true],
    [{ style: 'visibility: collapse' }, true],
    [{ style: 'visibility: visible' }, false],
    [{ style: 'opacity: 0.049' }, true],
    [{ style: 'opacity: 0.05' }, false],
    [{ style: 'font-size: 2.9px' }, true],
    [{ style: 'font-size: 3px' }, false],
    [{ style: 'text-indent: -500px' }, true],
    [{ style: 'text-indent: -499px' }, false],
    [{ style: 'left: -9999px' }, true],
    [{ style: 'top: -500px' }, true],
    [{ style: 'right: -9999px' }, false],
    [{ style: 'constructor: none' }, false],
    [{ style: 'none' }, false],
    [{ style: `${' '.repeat(990)}top:-999` }, true],
    [{ style: `${' '.repeat(1_000)}top:-999` }, false],
    [{}, false],
  ])('%j: %p', (attributes, hidden) => {
    expect(isHidden(attributes)).toBe(hidden)
  })

  test('is one whose text is no text of the page', () => {
    for (const name of 'script style template nav footer form button map'.split(' '))
      expect(isSilent(name)).toBe(true)
    for (const name of ['p', 'main', 'header', '', 'SCRIPT']) expect(isSilent(name)).toBe(false)
  })
})
