import { describe, expect, test } from 'bun:test'
import { readRangeList } from '../../../ingest/judge/range-list'

/** Addresses for documentation stand in for public ones here. */
const read = (body: string) => readRangeList(body, 'page', () => true)
const page = (inside: string) =>
  `<!doctype html><html><head><title>IP addresses</title></head><body><h1>"prefixes"</h1>${inside}</body></html>`
const json = (entries: unknown[]) =>
  JSON.stringify({ creationTime: '2026-08-11T00:00:00.000000', prefixes: entries }, null, 2)

describe('a list that stands in a web page', () => {
  const written: readonly [string, string][] = [
    ['as text', json([{ ip_prefix: '192.0.2.1/32' }, { ip_prefix: '192.0.2.9' }])],
    [
      'as escaped HTML',
      json([{ ipv4Prefix: '192.0.2.1/32' }, { ipv4Prefix: '192.0.2.9/32' }]).replaceAll('"', '&quot;'),
    ],
    ['in a text of a script', JSON.stringify(json([{ ip_prefix: '192.0.2.1' }, { ip_prefix: '192.0.2.9' }]))],
    ['as bare addresses', json(['192.0.2.1', '192.0.2.9/32'])],
    ['in two parts', `${json([{ ip_prefix: '192.0.2.9/32' }])} and ${json([{ ip_prefix: '192.0.2.1/32' }])}`],
  ]
  test.each(written)('is read %s', (_, inside) => {
    expect(read(page(`<pre>${inside}</pre>`))).toEqual(['192.0.2.1/32', '192.0.2.9/32'])
  })

  const bad: readonly [string, string, RegExp][] = [
    ['a page without a list', page('<p>Access denied</p>'), /the page has no list/],
    ['an empty list', page(json([])), /the page has no list/],
    ['a list that is cut off', page('"prefixes": [{"ip_prefix": "192.0.2.1/32"}, '), /the page has no list/],
    ['a list that is broken', page('"prefixes": [{"ip_prefix": "192.0.2.1/32",]'), /the list is not JSON/],
    ['an entry that is no network', page(json([{ ip_prefix: 'soon' }])), /is not a network/],
  ]
  test.each(bad)('%s is refused', (_, body, message) => {
    expect(() => read(body)).toThrow(message)
  })

  test('a page is no list where JSON is expected', () => {
    expect(() => readRangeList(page(json(['192.0.2.1'])), 'json', () => true)).toThrow('is a web page')
  })
})

test('a list of values separated by commas is its first column, without comments and empty lines', () => {
  const body = '# networks\n 192.0.2.1/32 , a\r\n\n  # more\n192.0.2.9,b,c\n'
  expect(readRangeList(body, 'csv', () => true)).toEqual(['192.0.2.1/32', '192.0.2.9/32'])
})
