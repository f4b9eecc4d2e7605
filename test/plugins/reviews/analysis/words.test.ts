import { describe, expect, test } from 'bun:test'
import { languageOf, wordsOf } from '../../../../plugins/reviews/analysis/words'
import { languageExamples } from '../support/examples'

describe('the language of a text', () => {
  for (const [language, text] of languageExamples)
    test(`${language}: ${text}`, () => {
      expect(languageOf(text).language).toBe(language)
    })

  test('that is told by its writing has no similar list of words', () => {
    expect(languageOf('정말 맛있어요').near).toBeNull()
  })

  test('is split into words with their inner marks, in small letters', () => {
    expect(wordsOf('Don’t STOP—a well-known Café, 24h!')).toEqual([
      "don't",
      'stop',
      'a',
      'well-known',
      'café',
      'h',
    ])
    expect(wordsOf('Cafe\u0301')).toEqual(['café'])
    expect(wordsOf('1 2 3')).toEqual([])
  })
})
