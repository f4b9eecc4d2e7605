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

  test('may have eight spaces on either side of its colon', () => {
    const spaced = (before: number, after: number) =>
      page(`"prefixes"${' '.repeat(before)}:${' '.repeat(after)}["192.0.2.1"]`)
    expect(read(spaced(8, 8))).toEqual(['192.0.2.1/32'])
    expect(read(spaced(0, 0))).toEqual(['192.0.2.1/32'])
    for (const [before, after] of [
      [9, 0],
      [0, 9],
    ] as const)
      expect(() => read(spaced(before, after))).toThrow('the page has no list')
  })

  test('may be escaped with numbers, and its networks be below other keys', () => {
    const inside = '&#34;prefixes&#34;:{&#34;prefixes&#34;:[{&#34;cidr&#34;:&quot;192.0.2.1&quot;}]}'
    expect(read(page(inside))).toEqual(['192.0.2.1/32'])
  })

  test('a page is no list where JSON is expected', () => {
    expect(() => readRangeList(page(json(['192.0.2.1'])), 'json', () => true)).toThrow('is a web page')
  })
})

describe('a list in JSON', () => {
  const readJson = (value: unknown) => readRangeList(JSON.stringify(value), 'json', () => true)

  test.each([
    'ipv4Prefix',
    'ipv6Prefix',
    'ip_prefix',
    'ipv6_prefix',
    'ip_address',
    'ipAddress',
    'cidr',
    'prefix',
  ])('names a network as %s', (key) => {
    expect(
      readJson({ made: '198.51.100.1', deep: [{ [key]: '192.0.2.1/32', region: '198.51.100.2' }] }),
    ).toEqual(['192.0.2.1/32'])
  })

  test.each([
    'prefixes',
    'ipv6_prefixes',
    'ips',
    'ip_addresses',
    'addresses',
    'ranges',
    'cidrs',
    'ipv4',
    'ipv6',
  ])('holds bare networks under %s', (key) => {
    expect(readJson({ data: { [key]: ['192.0.2.1', '192.0.2.9/32'] }, regions: ['198.51.100.1'] })).toEqual([
      '192.0.2.1/32',
      '192.0.2.9/32',
    ])
  })

  test('may be nothing but networks', () => {
    expect(readJson(['192.0.2.1', { cidr: '192.0.2.9' }])).toEqual(['192.0.2.1/32', '192.0.2.9/32'])
    expect(readJson({ prefixes: [['192.0.2.1'], null, 5, { cidr: '192.0.2.9/32' }] })).toEqual([
      '192.0.2.9/32',
    ])
  })
})

test.each([' ', '\n\t', '\u200b \ufeff'])('%j is an empty list', (body) => {
  for (const format of ['json', 'csv', 'page'] as const)
    expect(() => readRangeList(body, format, () => true)).toThrow(new Error('the list is empty'))
})

test('a network may have spaces and invisible characters around it', () => {
  for (const around of [' ', '\t', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff'])
    expect(readRangeList(JSON.stringify([`${around}192.0.2.1${around}`]), 'json', () => true)).toEqual([
      '192.0.2.1/32',
    ])
})

test.each([
  ['8.0.0.0/12', ['8.0.0.0/12']],
  ['8.0.0.0/11', '8.0.0.0/11 is too wide'],
  ['2600::/24', ['2600:0:0:0:0:0:0:0/24']],
  ['2600::/23', '2600:0:0:0:0:0:0:0/23 is too wide'],
  ['10.0.0.0/24', '10.0.0.0/24 is private or reserved'],
  ['fd00::/48', 'fd00:0:0:0:0:0:0:0/48 is private or reserved'],
])('%s is read or refused by its width and its purpose', (network, result) => {
  const read = () => readRangeList(network, 'csv')
  if (typeof result === 'string') expect(read).toThrow(result)
  else expect(read()).toEqual(result)
})

test('a list in JSON without a network is refused', () => {
  for (const body of ['{}', '[]', '5', 'null', '"192.0.2.1"', '{"prefixes":"192.0.2.1"}'])
    expect(() => readRangeList(body, 'json', () => true)).toThrow('the list has no networks')
})

test('a list of values separated by commas is its first column, without comments and empty lines', () => {
  const body = '# networks\n 192.0.2.1/32 , a\r\n\n  # more\n192.0.2.9,b,c\n'
  expect(readRangeList(body, 'csv', () => true)).toEqual(['192.0.2.1/32', '192.0.2.9/32'])
})

test('an entry that is no network is named by its first 60 characters', () => {
  const entry = `soon${'x'.repeat(100)}`
  expect(() => read(page(json([{ ip_prefix: entry }])))).toThrow(
    new Error(`an entry of the list is not a network: "${entry.slice(0, 60)}"`),
  )
})
