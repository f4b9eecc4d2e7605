import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { buildMatcher, type MatchedTracker } from '../../../../plugins/leads/keywords/matcher'
import { parseKeyword } from '../../../../plugins/leads/keywords/parse'
import { termsToAsk } from '../../../../plugins/leads/keywords/terms'
import { holds, type Query, spans, written } from './reference'

const words = [
  'acme',
  'Acmé',
  'ACME',
  'blue',
  'bottle',
  'Blue Bottle',
  'C++',
  '.NET',
  'AT&T',
  "Joe's",
  'Joe’s',
  'joes',
  '東京',
  '京都',
  'ガス',
  'ｶﾞｽ',
  'カス',
  'ไทย',
  '삼성',
  '삼성은',
  'zoo',
  'Coca-Cola',
  'Straße',
  'bo\u0301ttle',
  '11',
]
const word = fc.constantFrom(...words)
const gap = fc.constantFrom(
  ' ',
  ' ',
  ' ',
  ', ',
  '. ',
  '-',
  '',
  '\n',
  '\u200b',
  ' is a ',
  ' the very old ',
  '/',
)
const text = fc
  .array(fc.tuple(word, gap), { maxLength: 9 })
  .map((parts) => parts.map(([one, between]) => one + between).join(''))
const post = fc.record(
  {
    body: text,
    title: text,
    language: fc.constantFrom('en', 'en-GB', 'de'),
    source: fc.constantFrom('reddit', 'news'),
    author: fc.constantFrom('ann', 'bob'),
    url: fc.constantFrom('https://www.a.example/x', 'https://b.example/'),
  },
  { requiredKeys: ['body'] },
)
const field: fc.Arbitrary<Query> = fc.oneof(
  fc.record({ is: fc.constant('lang' as const), value: fc.constantFrom('en', 'de') }),
  fc.record({ is: fc.constant('source' as const), value: fc.constantFrom('reddit', 'news') }),
  fc.record({ is: fc.constant('author' as const), value: fc.constantFrom('ann', 'bob') }),
  fc.record({ is: fc.constant('site' as const), value: fc.constantFrom('a.example', 'b.example') }),
)
const phrase: fc.Arbitrary<Query> = fc.record({
  is: fc.constant('phrase' as const),
  text: word,
  isExact: fc.boolean(),
})
const { query } = fc.letrec<{ query: Query }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    phrase,
    fc.record({
      is: fc.constantFrom('and' as const, 'or' as const),
      of: fc.array(tie('query'), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({
      is: fc.constant('near' as const),
      distance: fc.integer({ min: 1, max: 4 }),
      left: word,
      right: fc.array(word, { minLength: 1, maxLength: 2 }),
    }),
    fc.record({
      is: fc.constant('in' as const),
      field: fc.constantFrom('title' as const, 'body' as const),
      of: word,
    }),
    fc.record({ is: fc.constant('not' as const), of: tie('query') }),
    field,
  ),
}))
/** A query with a phrase that every match contains. */
const demanding = fc.tuple(phrase, query).map(([one, rest]): Query => ({ is: 'and', of: [one, rest] }))

const tracker = (keyword: string, more: Partial<MatchedTracker> = {}): MatchedTracker => ({
  id: 'trk_1',
  keywords: [keyword],
  required_keywords: [],
  excluded_keywords: [],
  languages: [],
  ...more,
})
const isUsable = (keyword: string): boolean => {
  try {
    parseKeyword(keyword)
    return true
  } catch {
    return false
  }
}

describe('The matcher', () => {
  test('finds what a slow evaluation without an index finds', () => {
    let matched = 0
    let unmatched = 0
    fc.assert(
      fc.property(
        fc.oneof(demanding, query),
        fc.array(post, { minLength: 1, maxLength: 6 }),
        (drawn, posts) => {
          const keyword = written(drawn)
          if (!isUsable(keyword)) return
          const matcher = buildMatcher([tracker(keyword)])
          for (const one of posts) {
            const isMatch = matcher.match(one).length > 0
            expect([keyword, one, isMatch]).toEqual([keyword, one, holds(drawn, one) !== false])
            if (isMatch) matched++
            else unmatched++
          }
        },
      ),
      { numRuns: 400 },
    )
    expect(matched).toBeGreaterThan(20)
    expect(unmatched).toBeGreaterThan(20)
  })

  test('finds with many trackers at once what it finds with each alone', () => {
    const keywords = fc.array(demanding, { minLength: 2, maxLength: 12 })
    fc.assert(
      fc.property(keywords, post, (drawn, one) => {
        const trackers = drawn
          .map(written)
          .filter(isUsable)
          .map((keyword, at) => tracker(keyword, { id: `trk_${at}` }))
        const alone = trackers.flatMap((each) => buildMatcher([each]).match(one))
        expect(buildMatcher(trackers).match(one)).toEqual(alone)
      }),
      { numRuns: 150 },
    )
  })

  test('asks sources for a phrase that every matching post contains', () => {
    let matched = 0
    fc.assert(
      fc.property(fc.array(demanding, { minLength: 1, maxLength: 3 }), post, (drawn, one) => {
        const keywords = drawn.map(written).filter(isUsable)
        if (keywords.length === 0) return
        const lists = { keywords, required_keywords: [], excluded_keywords: [] }
        const terms = termsToAsk(lists)
        if (buildMatcher([tracker('', { keywords })]).match(one).length === 0) return
        matched++
        const isAsked = (term: string) =>
          spans(one.title, term, false).length > 0 || spans(one.body, term, false).length > 0
        expect([keywords, one, terms.some(isAsked)]).toEqual([keywords, one, true])
      }),
      { numRuns: 400 },
    )
    expect(matched).toBeGreaterThan(5)
  })

  test('applies required and excluded keywords and languages', () => {
    const made = buildMatcher([
      tracker('acme', {
        required_keywords: ['blue'],
        excluded_keywords: ['zoo', 'site:spam.example'],
        languages: ['en'],
      }),
    ])
    const matches = (one: Parameters<typeof made.match>[0]) => made.match(one).length
    expect(matches({ body: 'acme blue' })).toBe(1)
    expect(matches({ body: 'acme' })).toBe(0)
    expect(matches({ body: 'acme blue zoo' })).toBe(0)
    expect(matches({ body: 'acme blue', url: 'https://www.spam.example/1' })).toBe(0)
    expect(matches({ body: 'acme blue', language: 'en-GB' })).toBe(1)
    expect(matches({ body: 'acme blue', language: 'de' })).toBe(0)
    expect(made.isExcluded({ body: 'nothing of it' }, 'trk_1')).toBe(false)
    expect(made.isExcluded({ body: 'a zoo' }, 'trk_1')).toBe(true)
    expect(made.isExcluded({ body: 'nothing of it' }, 'trk_2')).toBe(true)
  })

  test('reports invalid keywords and matches nothing for their tracker', () => {
    const made = buildMatcher([
      tracker('acme', { excluded_keywords: ['"zoo'] }),
      tracker('acme', { id: 'trk_2' }),
    ])
    expect(made.unused).toMatchObject([{ tracker_id: 'trk_1', field: 'excluded_keywords', index: 0 }])
    expect(made.unused[0]?.fault.message).toBe('Close the quotation mark')
    expect(made.match({ body: 'acme' }).map(({ tracker_id }) => tracker_id)).toEqual(['trk_2'])
  })

  test('returns the positions in the unchanged text', () => {
    const body = 'Die Stra\u00dfe, bo\u0301ttle\u200bs, JOE\u2019S und \uff76\uff9e\uff7d'
    const cut = (keyword: string) =>
      buildMatcher([tracker(keyword)])
        .match({ body, title: 'Strasse' })
        .flatMap((match) =>
          match.spans.map(
            ({ field, start, end }) =>
              `${field}: ${(field === 'title' ? 'Strasse' : body).slice(start, end)}`,
          ),
        )
    expect(cut('strasse')).toEqual(['title: Strasse', 'body: Stra\u00dfe'])
    expect(cut('bottles')).toEqual(['body: bo\u0301ttle\u200bs'])
    expect(cut('joe')).toEqual(['body: JOE'])
    expect(cut('"joe\'s"')).toEqual(['body: JOE\u2019S'])
    expect(cut('ガス')).toEqual(['body: \uff76\uff9e\uff7d'])
    expect(cut('joe NEAR/2 ガス')).toEqual(['body: JOE\u2019S und \uff76\uff9e\uff7d'])
  })
})
