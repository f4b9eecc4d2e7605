import { describe, expect, test } from 'bun:test'
import { judgedLanguages, judgeSensitive } from '../../../../plugins/reviews/analysis/judgeSensitive'
import weights from '../../../../plugins/reviews/analysis/sensitive-weights.json'
import { halfOf, readCorpus } from '../../../support/judges/corpora'
import { trainSensitive } from '../../../support/judges/train-sensitive'

const verdictOf = (review_text: string, star_rating: number | null = null) =>
  judgeSensitive({ review_text, star_rating }).verdict

describe('The judge of sensitive reviews', () => {
  test.each([
    ['The waiter called my husband a slur'],
    ['A ceiling tile fell on my head'],
    ['Das geht an meinen Rechtsschutz'],
    ['Le vigile m’a frappé'],
    ['Voy a denunciarles'],
    ['Sono finita al pronto soccorso'],
    ['Ik doe aangifte'],
    ['Sprawa trafi do sądu'],
    ['Güvenlik bana vurdu'],
  ])('finds %j', (text) => {
    expect(verdictOf(text)).toBe('sensitive')
  })

  test.each([
    ['Garson çok nazikti, teşekkürler'],
    ['A killer burger, to die for'],
    ['Richtig gutes Gericht, gerne wieder'],
    ['Avocat et saumon parfaits'],
    ['Sądząc po kolejce, warto'],
  ])('leaves %j', (text) => {
    expect(verdictOf(text)).toBe('ordinary')
  })

  test('does not judge a language in which it is not measured, and a text without words is ordinary', () => {
    expect(verdictOf('とても美味しかったです')).toBe('not_judged')
    expect(judgeSensitive({ review_text: 'Muito bom', review_language: 'pt' }).verdict).toBe('not_judged')
    expect(verdictOf('👍👍')).toBe('ordinary')
    expect(verdictOf('')).toBe('ordinary')
  })

  test('quotes words of the review', () => {
    expect(judgeSensitive({ review_text: 'Found a cockroach in my salad' })).toMatchObject({
      verdict: 'sensitive',
      topics: ['injury', 'illness'],
    })
  })

  test('knows the ten languages of the corpus, and misses at most one of twenty on the half it was built on', () => {
    expect(judgedLanguages.toSorted()).toEqual('ar de en es fr it nl pl ru tr'.split(' '))
    const built = readCorpus('sensitive').filter((line) => halfOf(line) === 'build')
    const rate = (label: string) => {
      const own = built.filter((line) => line.label === label)
      return own.filter(({ text, stars }) => verdictOf(text, stars) === 'sensitive').length / own.length
    }
    expect(rate('sensitive')).toBeGreaterThanOrEqual(0.95)
    // It rather alarms too often than misses one. The lists know these texts, but the weights do not rely on it.
    // Words that name an illness or an injury plainly decide alone, which costs one alarm in fifty ordinary reviews.
    expect(rate('ordinary')).toBeLessThanOrEqual(0.21)
  })
})

test('Training again gives the same weights', () => {
  expect<unknown>(trainSensitive()).toEqual(weights)
})
