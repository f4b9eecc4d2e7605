import { describe, expect, test } from 'bun:test'
import { languageOf, wordsOf } from '../../../../plugins/reviews/analysis/words'

describe('the language of a text', () => {
  test('is told by its writing where only one language uses it', () => {
    for (const [text, language] of [
      ['とても美味しい', 'ja'],
      ['寿司が美味', null],
      ['寿司は最高の味です', 'ja'],
      ['정말 맛있어요', 'ko'],
      ['Πολύ καλό φαγητό', 'el'],
      ['אוכל מצוין', 'he'],
      ['อาหารอร่อยมาก', 'th'],
      ['א', null],
      ['Ελ Restaurant Athens', null],
    ] as const)
      expect([text, languageOf(text).language]).toEqual([text, language])
    expect(languageOf('정말 맛있어요').near).toBeNull()
  })

  test('is told by its frequent words where there are enough of one language', () => {
    for (const [text, language] of [
      ['The food was very good and the staff were friendly', 'en'],
      ['Das Essen war sehr gut und die Bedienung freundlich', 'de'],
      ['Det är mycket bra mat och trevlig personal här', 'sv'],
      ['Jedzenie było bardzo dobre i miła obsługa, polecam', 'pl'],
      ['Yemekler çok güzel ve personel iyi, tavsiye ederim', 'tr'],
      ['Good', null],
      ['', null],
      ['Pizza Margherita Napoli', null],
    ] as const)
      expect([text, languageOf(text).language]).toEqual([text, language])
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
