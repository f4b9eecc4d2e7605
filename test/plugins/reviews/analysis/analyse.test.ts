import { describe, expect, test } from 'bun:test'
import { analyse, priorityOf } from '../../../../plugins/reviews/analysis/analyse'
import { lexicons, topics } from '../../../../plugins/reviews/analysis/lexicon'
import { type Rows, wordsIn } from '../../../../plugins/reviews/analysis/word-rows'
import { languages } from '../../../../plugins/reviews/analysis/words'
import type { SourceReview } from '../../../../plugins/reviews/contract'
import { analysisExamples } from '../support/examples'

const judged = (star_rating: number | null, review_text?: string, more: Partial<SourceReview> = {}) =>
  analyse({ source_id: 'a', star_rating, ...(review_text === undefined ? {} : { review_text }), ...more })

describe('Without a language model, the feeling of a review', () => {
  test.each([
    [1, 'negative', -1, 'urgent'],
    [2, 'negative', -0.5, 'high'],
    [3, 'neutral', 0, 'medium'],
    [4, 'positive', 0.5, 'low'],
    [5, 'positive', 1, 'low'],
  ] as const)('is its stars where it has no text: %d', (stars, sentiment, sentiment_score, priority) => {
    const found = judged(stars)
    expect(found).toMatchObject({ sentiment, sentiment_score, priority, analysis_method: 'stars' })
    expect([found.emotion, found.key_topics, found.review_language]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test.each([
    [3, 'Great food but terrible service.'],
    [4, 'The food was delicious, however the waiter was rude'],
    [2, 'Das Essen war lecker, aber die Bedienung unfreundlich'],
    [4, 'Le repas était délicieux mais le serveur était désagréable'],
    [3, 'La comida muy rica, pero el camarero fue grosero'],
    [3, 'Cibo ottimo, ma il personale è scortese'],
    [4, 'Het eten was heerlijk, maar het personeel was onbeschoft'],
    [3, 'A comida é ótima, mas o atendimento foi péssimo'],
    [null, 'The room was lovely but the staff rude'],
  ])('is mixed where clauses clearly contradict: %p %s', (stars, text) => {
    expect(judged(stars, text).sentiment).toBe('mixed')
  })

  test.each([
    [5, 'Great, but a bit slow', 'positive'],
    [5, 'Not bad at all', 'positive'],
    [4, 'Good food, friendly staff, lovely place, only the coffee was late', 'positive'],
    [1, 'Not good. Never again', 'negative'],
    [1, 'The good reviews are a lie', 'negative'],
    [null, 'The room was dirty and the staff rude', 'negative'],
    [null, 'We were not happy with the service', 'negative'],
    [null, 'Sehr freundliches Team, wir sind begeistert', 'positive'],
  ] as const)('stays as the stars say, or as most words: %p %s', (stars, text, sentiment) => {
    expect(judged(stars, text).sentiment).toBe(sentiment)
  })

  test('is not made up where nothing tells it', () => {
    const { sentiment, sentiment_score, priority, analysis_method } = judged(null, 'ok')
    expect([sentiment, sentiment_score, priority, analysis_method]).toEqual(Array(4).fill(undefined))
    expect(judged(5, 'Wszystko było świetne, polecam').analysis_method).toBe('stars')
  })

  test('of a recommendation is its verdict', () => {
    expect(judged(null, undefined, { recommends: true })).toMatchObject({
      sentiment: 'positive',
      priority: 'low',
      analysis_method: 'recommendation',
    })
    expect(judged(null, 'The staff was rude', { recommends: false })).toMatchObject({
      sentiment: 'negative',
      priority: 'high',
      analysis_method: 'recommendation+lexicon',
    })
  })
})

describe('What a review speaks of', () => {
  test.each([
    [5, 'Great coffee and friendly staff, we love it!', 'joy', ['drinks', 'staff']],
    [1, 'Found a cockroach in the food, disgusting!', 'disgust', ['food']],
    [1, 'Rude waiter, what a scam', 'anger', ['staff']],
    [2, 'Très déçu par le plat, vraiment dommage', 'sadness', ['food']],
    [1, 'I was in hospital, food poisoning, dangerous place', 'fear', ['food']],
    [3, 'The appointment was on Monday', 'neutral', ['booking']],
  ] as const)('%d %s', (stars, text, emotion, key_topics) => {
    const found = judged(stars, text)
    expect([found.emotion, found.key_topics?.toSorted()]).toEqual([emotion, [...key_topics]])
  })

  test('is looked up in the language that the source tells', () => {
    expect(judged(5, 'Top!', { review_language: 'de-AT' })).toMatchObject({
      review_language: 'de-AT',
      analysis_method: 'stars+lexicon',
    })
  })
})

test('it waits for an answer until it has one', () => {
  expect(judged(5).needs_response).toBe(true)
  expect(judged(1, 'Bad', { reply: { text: 'Sorry' } }).needs_response).toBe(false)
})

describe('The lists of words', () => {
  for (const { language, text, sentiment, topics: read, missed } of analysisExamples)
    test(`say what a reader says, ${language}: ${text}`, () => {
      const found = judged(null, text)
      const told = topics.filter((topic) => found.key_topics?.includes(topic))
      const isRight =
        found.review_language === language && found.sentiment === sentiment && Bun.deepEquals(told, read)
      expect([isRight, found.sentiment, told]).toEqual([missed !== true, found.sentiment, told])
    })

  test('have examples in each of their languages', () => {
    const spoken = new Set(analysisExamples.map(({ language }) => language))
    expect(Object.keys(lexicons).filter((language) => !spoken.has(language))).toEqual([])
    expect(analysisExamples.filter(({ missed }) => missed).length).toBeLessThan(analysisExamples.length / 10)
  })

  test('name no word as praise and as complaint, and the same topics in every language', () => {
    for (const [language, { good, bad }] of Object.entries(lexicons)) {
      const words = languages.find((one) => one.language === language)
      const plain = (list: Rows) => wordsIn(list).map((word) => word.replace(/[*!]+$/, ''))
      expect([language, plain(good).filter((word) => plain(bad).includes(word))]).toEqual([language, []])
      for (const word of plain(bad)) expect([word, Math.sign(words?.weight(word) ?? 0)]).toEqual([word, -1])
      expect(words?.topics.map(([topic]) => topic).toSorted()).toEqual([...topics].toSorted())
    }
  })
})

test('how soon to answer follows from the stars, and without them from the sentiment', () => {
  const table = [
    [1, 'positive', 'urgent'],
    [2, null, 'high'],
    [3, 'positive', 'medium'],
    [4, 'mixed', 'medium'],
    [5, 'negative', 'low'],
    [4, null, 'low'],
    [null, 'negative', 'high'],
    [null, 'mixed', 'medium'],
    [null, 'positive', 'low'],
    [null, 'neutral', 'low'],
    [null, null, undefined],
  ] as const
  for (const [stars, sentiment, wanted] of table)
    expect([stars, sentiment, priorityOf(stars, sentiment)]).toEqual([stars, sentiment, wanted])
})

test('a review has at most five topics, those that it names most often', () => {
  const named =
    'The food and the food, the staff, the price, the drinks, the parking, the delivery and the booking were fine'
  const found = judged(5, named).key_topics ?? []
  expect([found.length, found[0]]).toEqual([5, 'food'])
})
