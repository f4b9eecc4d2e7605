import { describe, expect, test } from 'bun:test'
import { canonicalUrl, formerUrl, namesPost } from '../../../../plugins/leads/finding/canonical-url'
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
    ['https://example.com/a#comments', 'example.com/a'],
    ['https://example.com/a#:~:text=acme', 'example.com/a'],
    ['https://example.com/a?gclid=1&igsh=2&at_medium=RSS', 'example.com/a'],
    ['https://example.com/a?srsltid=1&UTM_medium=x&share_id=2&mibextid=3', 'example.com/a'],
    ['https://example.com/a#comment-7:~:text=acme', 'example.com/a#comment-7'],
    ['https://example.com/a#top:~:text=acme', 'example.com/a'],
    ['https://example.com./gr%c3%b6%C3%9Fe/', 'example.com/gr%C3%B6%C3%9Fe'],
  ])('%s is %s', (given, expected) => {
    expect(canonicalUrl(given)).toBe(expected)
  })

  test.each([
    ['https://github.com/o/r/issues/1#issuecomment-1', 'https://github.com/o/r/issues/1#issuecomment-2'],
    ['https://blog.example/post/#comment-7', 'https://blog.example/post/#comment-8'],
    ['https://forum.example/t/1?ref=1001', 'https://forum.example/t/1?ref=1002'],
    ['https://forum.example/view?source=12', 'https://forum.example/view?source=13'],
    ['https://forum.example/view?si=12', 'https://forum.example/view?si=13'],
    ['https://forum.example/view?cmpid=12', 'https://forum.example/view?cmpid=13'],
    ['https://news.ycombinator.com/item?id=1', 'https://news.ycombinator.com/item?id=2'],
    ['https://www.reddit.com/r/x/comments/1abc/t/', 'https://www.reddit.com/r/x/comments/1abc/t/k1/'],
    ['https://www.youtube.com/watch?v=a', 'https://www.youtube.com/watch?v=a&lc=Ugx'],
    ['https://stackoverflow.com/questions/1/t', 'https://stackoverflow.com/questions/1/t/2#2'],
    ['https://stackoverflow.com/q/1', 'https://superuser.com/q/1'],
    ['https://forum.example/?p=1&p=2', 'https://forum.example/?p=2&p=1'],
    ['https://x.com/ann', 'https://x.com/ann/status/1'],
  ])('%s is another post than %s', (one, other) => {
    expect(canonicalUrl(one)).not.toBe(canonicalUrl(other))
  })

  test.each([
    ['https://old.reddit.com/r/x/comments/1abc/title/?utm_name=y', 'https://redd.it/1abc'],
    ['https://www.reddit.com/r/x/comments/1abc/', 'https://reddit.com/comments/1abc'],
    ['https://youtu.be/dQw4w9WgXcQ?si=abc', 'https://m.youtube.com/watch?v=dQw4w9WgXcQ&t=4s'],
    ['https://www.youtube.com/shorts/dQw4w9WgXcQ', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'],
    ['https://twitter.com/ann/status/12?s=20&t=x', 'https://x.com/ANN/status/12'],
    ['https://news.ycombinator.com/item?id=1#2', 'https://news.ycombinator.com/item?id=2'],
    ['https://stackoverflow.com/a/2/77', 'https://stackoverflow.com/questions/1/title/2#2'],
    ['https://stackoverflow.com/q/1/77', 'https://stackoverflow.com/questions/1/title'],
    ['https://dba.stackexchange.com/a/2', 'https://dba.stackexchange.com/questions/1/t/2#2'],
  ])('%s is the same post as %s', (one, other) => {
    expect(canonicalUrl(one)).toBe(canonicalUrl(other))
    expect(namesPost(one) && namesPost(other)).toBe(true)
  })

  test('keeps the form by which earlier versions stored mentions', () => {
    expect(formerUrl('https://www.forum.example/1/?utm_source=x&ref=2#c3')).toBe('forum.example/1')
    expect(formerUrl('https://youtu.be/a?si=b')).toBe('youtu.be/a')
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
