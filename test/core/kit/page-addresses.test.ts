import { describe, expect, test } from 'bun:test'
import { addressIn, baseOf, htmlIn, pageUrl, splitAddress, textIn } from '../../../core/kit/page-addresses'

const base = baseOf('wsp_1')

describe('the address of a page in a workspace', () => {
  test.each([
    ['/app', '/app/w/wsp_1'],
    ['/app?days=7', '/app/w/wsp_1?days=7'],
    ['/app#top', '/app/w/wsp_1#top'],
    ['/app/', '/app/w/wsp_1/'],
    ['/app/reviews', '/app/w/wsp_1/reviews'],
    ['/app/reviews?needs=1#rev', '/app/w/wsp_1/reviews?needs=1#rev'],
    ['/app/data/reviews.csv', '/app/w/wsp_1/data/reviews.csv'],
    ['/app/workspace', '/app/w/wsp_1/workspace'],
    ['/app/assetsmap', '/app/w/wsp_1/assetsmap'],
  ])('of %s is %s', (path, address) => {
    expect(addressIn(base, path)).toBe(address)
    expect(addressIn(base, address)).toBe(address)
    const [own = ''] = address.split(/[?#]/)
    expect(splitAddress(own)).toEqual({ path: path.split(/[?#]/)[0] ?? '', workspaceId: 'wsp_1' })
  })

  test.each([
    '/app/w/wsp_2/reviews',
    '/app/assets/a.css',
    '/apps',
    '/docs',
    '?days=7',
    '#top',
    'https://example.com/app',
    '//example.com/app',
    '',
  ])('is %s itself', (address) => expect(addressIn(base, address)).toBe(address))

  test.each([
    '/app/w',
    '/app/w/',
    '/app/w//reviews',
    `/app/w/${'a'.repeat(61)}`,
    '/app/w/a.b',
    '/app/w/a%2Fb/c',
  ])('is no %s', (address) => expect(splitAddress(address)).toEqual({ path: address, workspaceId: null }))

  test('without a workspace is the path', () => expect(addressIn('', '/app/reviews')).toBe('/app/reviews'))
})

test('a whole address names the workspace, once', () => {
  expect(pageUrl('https://a.example', 'wsp_1', '/app/reviews?review=rev_1')).toBe(
    'https://a.example/app/w/wsp_1/reviews?review=rev_1',
  )
  expect(pageUrl('https://a.example', 'wsp_1', '/app')).toBe('https://a.example/app/w/wsp_1')
  expect(pageUrl('https://a.example', 'wsp_1', '/app/w/wsp_2/x')).toBe('https://a.example/app/w/wsp_2/x')
})

test('a sentence names its pages in the workspace', () => {
  expect(
    textIn(base, 'Check /app/sites. Then see (/app/posts/targets), or /application and https://a/app/x.'),
  ).toBe(`Check ${base}/sites. Then see (${base}/posts/targets), or /application and https://a/app/x.`)
  expect(textIn(base, textIn(base, 'In /app/sites.'))).toBe(`In ${base}/sites.`)
  expect(textIn('', 'In /app/sites.')).toBe('In /app/sites.')
})

test('links, forms and buttons of a page lead to the workspace, and texts and files stay', () => {
  const html =
    '<a class="x" href="/app?a=1&amp;b=2">/app href=&quot;/app&quot;</a><form action="/app/reviews/save"><button formaction="/app/x"></button></form><link href="/app/assets/a.css"/><a href="/docs"></a><i data-href="/app"></i><script type="application/json">{"a":" href=\\"/app\\""}</script>'
  expect(htmlIn(base, html)).toBe(
    html
      .replace('href="/app?a', `href="${base}?a`)
      .replace('/app/reviews/save', `${base}/reviews/save`)
      .replace('formaction="/app/x', `formaction="${base}/x`),
  )
  expect(htmlIn('', html)).toBe(html)
})
