import { describe, expect, test } from 'bun:test'
import { searchFor } from './addresses'
import { randomSource } from './random-documents'

const search = searchFor(['203.0.113.77', '2001:db8::beef:1'])

describe('a known address is found however it is written', () => {
  test.each([
    'from 203.0.113.77 today',
    '"203.0.113.77:443"',
    '[::ffff:203.0.113.77]',
    '::ffff:cb00:714d',
    '0:0:0:0:0:ffff:cb00:714d',
    'ip=3405803853;',
    '0xcb00714d',
    'CB00714D',
    '2001:db8::beef:1',
    '2001:DB8:0:0:0:0:BEEF:1',
    '2001:0db8:0000:0000:0000:0000:beef:0001',
    '20010db80000000000000000beef0001',
    '42540766411282592856903984954857160705',
  ])('%s', (text) => expect(search.find(text)).not.toEqual([]))
})

describe('another address, and what only looks like one, is not', () => {
  test.each([
    '203.0.113.78',
    '1203.0.113.77',
    '203.0.113.771',
    '13405803853',
    'acb00714d',
    '2001:db8::beef:2',
    '12:30:45',
    'a::b::c',
  ])('%s', (text) => expect(search.find(text)).toEqual([]))
})

test('the search is one pass: 20,000 addresses in a megabyte', () => {
  const { below } = randomSource(7)
  const some = Array.from({ length: 20_000 }, () =>
    [64, 256, 256, 256].map((span, at) => below(span) + (at === 0 ? 110 : 0)).join('.'),
  )
  const text = `${'203.0.113.99 0xdeadbeef 2001:db8::1 lorem ipsum '.repeat(20_000)}${some[500]}`
  expect(searchFor(some).find(text)).toEqual([some[500] as string])
})
