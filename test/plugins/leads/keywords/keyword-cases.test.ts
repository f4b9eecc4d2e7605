import { describe, expect, test } from 'bun:test'
import type { Post } from '../../../../plugins/leads/keywords/evaluate'
import { buildMatcher } from '../../../../plugins/leads/keywords/matcher'
import { KeywordFault } from '../../../../plugins/leads/keywords/node'
import { parseKeyword } from '../../../../plugins/leads/keywords/parse'
import { channels } from '../../../../plugins/leads/records/channels'
import cases from './keyword-cases.json'

const postOf = (post: string | Partial<Post>): Post =>
  typeof post === 'string' ? { body: post } : { body: '', ...post }

const matches = (keyword: string, post: string | Partial<Post>): boolean => {
  const lists = { keywords: [keyword], required_keywords: [], excluded_keywords: [] }
  const matcher = buildMatcher([{ id: 'trk_1', ...lists, languages: [] }])
  expect(matcher.unused).toEqual([])
  return matcher.match(postOf(post)).length > 0
}

test.each(cases.cases)('$keywords in $post: $expected', ({ keywords, post, expected }) => {
  expect(matches(keywords, post as string | Partial<Post>)).toBe(expected)
})

test('the marked part of a text with a sign is the name alone', () => {
  const lists = { keywords: ['acme'], required_keywords: [], excluded_keywords: [] }
  const matcher = buildMatcher([{ id: 'trk_1', ...lists, languages: [] }])
  const spansIn = (body: string) => matcher.match({ body })[0]?.spans
  for (const body of ['Acme™ Ltd', 'Acme¹ Ltd', 'Acme® Ltd'])
    expect(spansIn(body)).toEqual([{ field: 'body', start: 0, end: 4 }])
})

const faultOf = (keyword: string): KeywordFault => {
  try {
    parseKeyword(keyword)
  } catch (error) {
    if (error instanceof KeywordFault) return error
    throw error
  }
  throw new Error(`${keyword} was accepted`)
}

describe('a sign of another query language is refused with what to write', () => {
  test.each<[keyword: string, marked: string, message: RegExp]>([
    ['acme source:twitter', 'source:twitter', /Write source:x$/],
    ['acme source:Twitter.com', 'source:Twitter.com', /Write source:x$/],
    ['acme source:www.reddit.com', 'source:www.reddit.com', /Write source:reddit$/],
    ['acme -source:forums', 'source:forums', /Write source:forum$/],
    ['acme source:hn', 'source:hn', /Write source:hackernews$/],
    ['acme source:constructor', 'source:constructor', /Write one of reddit, /],
    ['acme source:myspace', 'source:myspace', /Write one of reddit, /],
    ['blue near/5 bottle', 'near/5', /Write NEAR\/5 in capital/],
    ['blue Near/99 bottle', 'Near/99', /Write NEAR\/50 in capital/],
    ['blue near~3 bottle', 'near~3', /Write NEAR\/3/],
    ['blue w/4 bottle', 'w/4', /Write NEAR\/4/],
    ['blue ONEAR/4 bottle', 'ONEAR/4', /Write NEAR\/4/],
    ['acm?', 'acm?', /The \? is not supported/],
    ['a?me', 'a?me', /The \? is not supported/],
    ['who repairs boilers?', 'boilers?', /quotation marks/],
    ['acme~2', 'acme~2', /Write acme without/],
    ['acme~', 'acme~', /Write acme without/],
    ['acme~0.8', 'acme~0.8', /Write acme without/],
    ['acme^3', 'acme^3', /Write acme without/],
    ['"blue bottle"~5', '~5', /NEAR/],
    ['~acme', '~acme', /Write acme without ~/],
    ['/x/', '/x/', /Regular expressions/],
    ['/acm[ei]/i', '/acm[ei]/i', /Regular expressions/],
    ['/acme.+/', '/acme.+/', /Regular expressions/],
    ['*acme', '*acme', /The \* is not supported/],
    ['24*', '24*', /The \* is not supported/],
    ['!acme', '!acme', /Write NOT acme/],
    ['acme|zoo', 'acme|zoo', /Write OR/],
    ['acme&&zoo', 'acme&&zoo', /Write AND/],
  ])('%s', (keyword, marked, message) => {
    const fault = faultOf(keyword)
    expect(fault.message).toMatch(message)
    expect(keyword.slice(fault.at, fault.at + fault.length)).toBe(marked)
  })

  test.each([
    '"acm?"',
    '"/x/"',
    'Yahoo!',
    'AT&T',
    'and/or',
    'plumber near me',
    '/r/leeds',
    'C++',
    '"acme~2"',
    '24/7',
    'TCP/IP',
  ])('%s is no such sign', (keyword) => {
    expect(() => parseKeyword(keyword)).not.toThrow()
  })

  test('every channel can be written', () => {
    for (const channel of channels) expect(() => parseKeyword(`acme source:${channel}`)).not.toThrow()
  })
})
