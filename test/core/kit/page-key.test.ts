import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { cleanPageAddress, pageIdentity, pageKey } from '../../../core/kit/page-key'

const page = 'https://acme.example/prices'

describe('one page is counted once, however it is written:', () => {
  test.each([
    'http://acme.example/prices',
    'https://www.acme.example/prices',
    'https://ACME.example./prices/',
    'https://acme.example:443/prices//',
    'https://acme.example/prices?',
    'https://acme.example/prices#',
    'https://acme.example/prices#from-ten',
    'https://acme.example/prices#:~:text=From%20ten',
    'https://acme.example/prices#from-ten:~:text=ten',
    'https://acme.example/%70rices',
    ...[
      'utm_source=openai&utm_medium=chat&utm_whatever=x',
      'UTM_Source=openai',
      'srsltid=abc',
      'gclid=1&gbraid=2&gad_source=1&gad_campaignid=7&dclid=3',
      'fbclid=1&mibextid=2&igsh=3&share_id=4',
      'msclkid=1&ttclid=2&twclid=3&li_fat_id=4&ysclid=5&epik=6&rdt_cid=7&ScCid=8',
      'mc_cid=1&mc_eid=2&_hsenc=3&_hsmi=4&mkt_tok=5',
      'hsa_acc=1&pk_campaign=2&mtm_source=3',
    ].map((query) => `${page}?${query}`),
  ])('%s', (address) => expect(pageKey(address)).toBe(page))

  test.each([
    ['https://a.example/?b=2&a=1', 'https://a.example/?a=1&b=2'],
    ['https://a.example/?q=a%20b', 'https://a.example/?q=a+b&utm_medium=x'],
    ['https://a.example/größe', 'http://www.a.example/gr%c3%b6%C3%9Fe/'],
    ['https://a.example/a%2fb', 'https://a.example/a%2Fb'],
    ['https://a.example/#/x', 'https://a.example/#/x?utm_source=y'],
    ['https://a.example/#/x?id=1', 'https://a.example/#/x?id=1&gclid=2:~:text=z'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example'],
  ])('%s and %s', (one, other) => expect(pageKey(one)).toBe(pageKey(other)))
})

test.each([
  ['https://a.example/x?id=1', 'https://a.example/x?id=2'],
  ['https://a.example/x?id=1&id=2', 'https://a.example/x?id=2&id=1'],
  ['https://a.example/x?ref=1', 'https://a.example/x?ref=2'],
  ['https://a.example/#/x', 'https://a.example/'],
  ['https://a.example/X', 'https://a.example/x'],
  ['https://a.example/a%2Fb', 'https://a.example/a/b'],
  ['https://a.example/a%252Fb', 'https://a.example/a%2Fb'],
  ['https://a.example:8080/', 'https://a.example/'],
  ['https://shop.a.example/', 'https://a.example/'],
  ['https://www.example/', 'https://example/'],
])('%s is another page than %s', (one, other) => expect(pageKey(one)).not.toBe(pageKey(other)))

test('a clean address still leads to the page', () => {
  expect(cleanPageAddress('http://www.acme.example/a/?utm_source=x&id=1#part')).toBe(
    'http://www.acme.example/a/?id=1',
  )
  expect(cleanPageAddress('no address')).toBe('no address')
  expect(pageKey('mailto:a@b.example')).toBe('mailto:a@b.example')
})

const part = fc.array(fc.constantFrom(...'aZ0-~./%ä', '%2f', '%C3', '?', '&', '=', '#', ':~:'), {
  maxLength: 6,
})
const url = fc
  .tuple(fc.constantFrom('http://', 'https://www.'), part, part, part)
  .map(([start, ...parts]) => {
    const [path, query, hash] = parts.map((one) => one.join(''))
    return `${start}a.example/${path}?x=${query}#${hash}`
  })

test('the key of a page is the key of its key and of its clean address, and tracking never changes it', () => {
  fc.assert(
    fc.property(url, fc.constantFrom('utm_id', 'GCLID', 'srsltid', 'hsa_x'), (given, name) => {
      const key = pageKey(given)
      const marked = new URL(given)
      marked.searchParams.append(name, 'x y')
      expect([pageKey(key), pageKey(cleanPageAddress(given)), pageKey(marked.href)]).toEqual([key, key, key])
    }),
    { numRuns: 200 },
  )
})

test.each([
  ['/größe/', '/gr%C3%B6%C3%9Fe'],
  ['/%7euser', '/~user'],
  ['/', '/'],
  ['//', '/'],
])('the path %s is compared as %s', (given, path) => {
  expect(pageIdentity(new URL(`https://www.acme.example${given}`))).toEqual({ host: 'acme.example', path })
})
