import { describe, expect, test } from 'bun:test'
import { canonicalUrl } from '../../../../plugins/leads/finding/canonical-url'
import { excerptOf } from '../../../../plugins/leads/finding/excerpt'
import { bitsBetween, hashBits, textHash } from '../../../../plugins/leads/finding/text-hash'

describe('canonicalUrl', () => {
  test.each([
    ['https://www.example.com/a/', 'example.com/a'],
    ['http://m.example.com/a#top', 'example.com/a'],
    ['https://amp.example.com/a/amp/', 'example.com/a'],
    ['https://example.com/a?utm_source=x&id=7&fbclid=y', 'example.com/a?id=7'],
    ['https://example.com/a?b=2&a=1', 'example.com/a?a=1&b=2'],
    ['https://EXAMPLE.com:8080/A', 'example.com:8080/A'],
    ['https://example.com/', 'example.com'],
    ['no address', 'no address'],
  ])('%s is %s', (given, expected) => {
    expect(canonicalUrl(given)).toBe(expected)
  })
})

describe('excerptOf', () => {
  const words = Array.from({ length: 200 }, (_, place) => `word${place}`).join(' ')
  test('keeps a short text, in one line', () => {
    expect(excerptOf('one\n\n  two\tthree ', 0)).toBe('one two three')
  })
  test('keeps the place that matters, cut at spaces', () => {
    const excerpt = excerptOf(words, words.indexOf('word150'))
    expect(excerpt).toContain('word150')
    expect(excerpt).toMatch(/^…word\d+ .* word\d+…$/)
    expect(excerpt.length).toBeLessThanOrEqual(302)
  })
  test('marks no missing text at an end', () => {
    expect(excerptOf(words, 0)).toMatch(/^word0 .*…$/)
    expect(excerptOf(words, words.length - 1)).toMatch(/^….* word199$/)
  })
  test('leaves no half of a surrogate pair', () => {
    expect(excerptOf('😀'.repeat(400), 333).isWellFormed()).toBe(true)
  })
})

const between = (a: string, b: string) => bitsBetween(hashBits(a), hashBits(b))

describe('textHash', () => {
  const text =
    'The people of Acme Plumbing in Leeds came on a Sunday and mended our boiler within one hour of the call'
  test('is the same for the same words', () => {
    expect(textHash(text)).toBe(textHash(`  ${text.toUpperCase()}!!! `) as string)
  })
  test('is near for a longer text with one other word, and far for another text', () => {
    const long = Array.from({ length: 12 }, (_, place) => `${text} ${place}`).join('. ')
    const hash = textHash(long) as string
    expect(between(hash, textHash(long.replace('Sunday', 'Monday')) as string)).toBeLessThanOrEqual(3)
    const other =
      'Our favourite bakery opens a second shop next to the station, with bread from seven in the morning'
    expect(between(hash, textHash(other) as string)).toBeGreaterThan(10)
  })
  test('does not exist for a few words', () => {
    expect(textHash('Acme is great, really great')).toBeNull()
  })
  test('bits are counted', () => {
    expect(between('0000000000000000', 'ffffffffffffffff')).toBe(64)
    expect(between('0000000000000001', '0000000000000002')).toBe(2)
    expect(between('8000000000000000', '0000000080000001')).toBe(3)
  })
})
