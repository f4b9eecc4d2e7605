import { describe, expect, test } from 'bun:test'
import { firstName, starsOf } from '../../../../plugins/reviews/writing/reply-parties'
import {
  businessMark,
  sentencesOf,
  strangeCharacters,
  tokensOf,
  withoutPictures,
} from '../../../../plugins/reviews/writing/reply-tokens'

const wordsOf = (text: string, language = 'en') => tokensOf(text, language).map(({ word }) => word)

describe('the words of a text', () => {
  test('are in lower case, in the language, as they were written too', () => {
    expect(tokensOf('Thank YOU', 'en')).toEqual([
      { raw: 'Thank', word: 'thank', isLast: false },
      { raw: 'YOU', word: 'you', isLast: true },
    ])
    expect([wordsOf('ISI', 'tr'), wordsOf('ISI', 'de')]).toEqual([['ısı'], ['isi']])
    expect(wordsOf('e\u0301te\u0301 2026 5 %')).toEqual(['été', '2026', '5'])
    expect(wordsOf(`At ${businessMark} today`)).toEqual(['at', businessMark, 'today'])
    expect(wordsOf(' ,.! ')).toEqual([])
  })

  test('are joined by apostrophes, and separated by hyphens', () => {
    expect(wordsOf("don’t well-made guests' o'clock-ish x-")).toEqual([
      "don't",
      'well',
      'made',
      'guests',
      "o'clock",
      'ish',
      'x',
    ])
    for (const language of ['fr', 'it'])
      expect(wordsOf("L'été d’abord peut-être", language)).toEqual([
        "l'",
        'été',
        "d'",
        'abord',
        'peut',
        'être',
      ])
  })

  test('say whether the sentence or a part of it ends after them', () => {
    const last = (text: string) =>
      tokensOf(text, 'en')
        .filter(({ isLast }) => isLast)
        .map(({ word }) => word)
    expect(last('a, b; c: d. e! f? g) h… i j')).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'j'])
    expect(last('a , b - c (d) e-f, g')).toEqual(['a', 'd', 'f', 'g'])
  })
})

test('the sentences of a text end with their signs or their lines', () => {
  expect(sentencesOf('Dear Ann:\nThank you! Was it… good? Yes; come 9:30. !!')).toEqual([
    'Dear Ann',
    'Thank you',
    'Was it',
    'good',
    'Yes',
    'come 9:30',
  ])
  expect(sentencesOf(`${businessMark}. 5. -`)).toEqual([businessMark, '5'])
  expect(sentencesOf('')).toEqual([])
})

describe('the characters of a text', () => {
  test.each([
    'Merci beaucoup, à bientôt ! «Ça va» (oui)… – — ’"„“”;:?¿¡',
    `Thanks 😊🙂😃😄🙏🤗🌟✨⭐💛🧡💚💙💜🥰👍☺️☺❤️❤♥️♥ from ${businessMark}`,
    'Line\nanother\r\n\tline 2026',
    'At 9. And a, b',
    '',
  ])('may be %j', (text) => expect(strangeCharacters(text, 'en')).toBeNull())

  test.each([
    ['a\u200bb', 'it contains invisible characters'],
    ['a\u0007', 'it contains invisible characters'],
    ['Спасибо', 'it contains characters other than letters of one script and plain punctuation'],
    ['a @ b', 'it contains characters other than letters of one script and plain punctuation'],
    ['a 😡', 'it contains characters other than letters of one script and plain punctuation'],
    ['a/b', 'it contains characters other than letters of one script and plain punctuation'],
    ['example.com', 'it contains something like a link'],
    ['a:b', 'it contains something like a link'],
    ['1,5', 'it contains something like a link'],
    [`${businessMark}.a`, 'it contains something like a link'],
  ])('may not be %j', (text, why) => expect(strangeCharacters(text, 'en')).toBe(why))

  test('are those of the script of the language', () => {
    expect(strangeCharacters('Спасибо за №1!', 'ru')).toBeNull()
    expect(strangeCharacters('شكراً، أهلاً بكم؟', 'ar')).toBeNull()
    for (const language of ['ru', 'ar']) expect(strangeCharacters('Thanks', language)).toContain('one script')
  })

  test('without pictures have a space for each', () => {
    expect(withoutPictures('a😊b❤️c😡')).toBe('a b c😡')
  })
})

test('a review without stars counts by its sentiment', () => {
  expect(starsOf({ star_rating: 2, sentiment: 'positive' })).toBe(2)
  const unrated = (['positive', 'negative', 'neutral', 'mixed', undefined] as const).map((sentiment) =>
    starsOf(sentiment === undefined ? {} : { sentiment }),
  )
  expect(unrated).toEqual([5, 1, 3, 3, 3])
})

test.each([
  ['Ann Lee', 'Ann'],
  ['  Jean-Luc\tPicard', 'Jean-Luc'],
  ['O’Neill', 'O’Neill'],
  ["D'Arcy x", "D'Arcy"],
  [`A${'n'.repeat(59)}`, `A${'n'.repeat(59)}`],
  [`A${'n'.repeat(60)}`, undefined],
  ['Ölçer', 'Ölçer'],
  ['ANN', undefined],
  ['ann', undefined],
  ['A', undefined],
  ['Ann99', undefined],
  ['Ann_x', undefined],
  ['xAnn', undefined],
  ['Ann.', undefined],
  ['', undefined],
  [undefined, undefined],
])('the first name of %j is %j', (name, first) => expect(firstName(name)).toBe(first))
