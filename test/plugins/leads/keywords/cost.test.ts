import { expect, test } from 'bun:test'
import {
  evaluate,
  nearSpans,
  type ScannedPost,
  wordStarts,
} from '../../../../plugins/leads/keywords/evaluate'
import { fold } from '../../../../plugins/leads/keywords/fold'
import { buildMatcher } from '../../../../plugins/leads/keywords/matcher'
import type { NearNode } from '../../../../plugins/leads/keywords/node'
import { parseKeyword } from '../../../../plugins/leads/keywords/parse'

/** A post whose reads of occurrences, words and texts are counted. */
function counted(body: string) {
  const texts = { title: fold(''), body: fold(body) }
  const reads = { occurrences: 0, words: 0, text: 0 }
  const post = {
    get body() {
      reads.text++
      return body
    },
  }
  const scanned: ScannedPost = {
    texts,
    ways: new Map(),
    written: new Map(),
    post,
    occurrences(folded) {
      reads.occurrences++
      return [...body.toLowerCase().matchAll(new RegExp(`\\b${folded}\\b`, 'g'))].map(({ index }) => ({
        field: 'body',
        start: index,
        end: index + folded.length,
      }))
    },
    wordStarts(field) {
      reads.words++
      return wordStarts(texts[field])
    },
  }
  return { reads, scanned }
}
const near = (distance: number) => parseKeyword(`aa NEAR/${distance} bb`, 'keywords')

test('a pair of phrases is measured once per post, however many distances are asked', () => {
  const { reads, scanned } = counted(`${'bb '.repeat(20)}${'cc '.repeat(60)}${'aa '.repeat(20)}`)
  expect(evaluate(near(1), scanned)).toBe(false)
  const once = { ...reads }
  for (let distance = 2; distance <= 50; distance++) expect(evaluate(near(distance), scanned)).toBe(false)
  expect(reads).toEqual(once)
})

test('the case of an occurrence is read once per post, however many cases are asked', () => {
  const { reads, scanned } = counted('Aa aA AA '.repeat(20))
  expect(evaluate(parseKeyword('="aa"', 'keywords'), scanned)).toBe(false)
  const once = reads.text
  expect(once).toBeGreaterThan(0)
  for (const written of ['aA', 'Aa', 'AA'])
    expect(evaluate(parseKeyword(`="${written}"`, 'keywords'), scanned)).toBe(true)
  expect(reads.text).toBe(once)
})

test('a pair gives as many spans as are shown, not as many as there are', () => {
  const { scanned } = counted('aa bb '.repeat(2_000))
  expect(nearSpans(near(1) as NearNode, scanned, 50)).toHaveLength(100)
})

test('the first spans are the same with and without many repeated words', () => {
  const keywords = ['aa NEAR/1 bb', 'aa', 'zz OR bb']
  const matcher = buildMatcher([
    { id: 'one', keywords, required_keywords: [], excluded_keywords: [], languages: [] },
  ])
  const [short] = matcher.match({ title: 'bb', body: 'aa bb '.repeat(40) })
  const [long] = matcher.match({ title: 'bb', body: 'aa bb '.repeat(1_000) })
  expect(short?.spans).toHaveLength(50)
  expect(long).toEqual(short)
  expect(long?.spans.slice(0, 3)).toEqual([
    { field: 'title', start: 0, end: 2 },
    { field: 'body', start: 0, end: 2 },
    { field: 'body', start: 0, end: 5 },
  ])
  const [bare] = matcher.match({ title: 'bb', body: 'aa bb' }, { places: false })
  expect(bare).toEqual({ tracker_id: 'one', keywords, spans: [] })
})
