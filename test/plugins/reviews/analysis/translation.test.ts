import { describe, expect, test } from 'bun:test'
import { originalOf, splitText } from '../../../../plugins/reviews/analysis/translation'

describe('A text with Google’s translation', () => {
  test.each([
    ['(Translated by Google) Great!\n\n(Original)\nSuper!', 'Super!', 'Great!'],
    ['(Translated by Google) One.\n\nTwo.\n\n(Original)\nEins.\n\nZwei.', 'Eins.\n\nZwei.', 'One.\n\nTwo.'],
    ['Super!\n\n(Translated by Google)\nGreat!', 'Super!', 'Great!'],
    ['  (Übersetzt von Google) Toll!\n\n(Original)\nGreat!', 'Great!', 'Toll!'],
    ['(Traduit par Google) Bien\n\n(Avis d’origine)\nGood', 'Good', 'Bien'],
    ['(Translated by Google)\n\n(Original)\n素晴らしい', '素晴らしい', undefined],
  ])('%j is told apart', (text, original, translation) => {
    expect(splitText(text)).toEqual({ original, ...(translation === undefined ? {} : { translation }) })
  })

  test.each([
    '',
    'Great!',
    '(Original) recipe, loved it',
    '(Translated by Google) cut off before the rest',
    '(Translated by Google) nothing behind it\n\n(Original)\n',
    'The menu (Translated by Google) made us laugh',
    'Found them (on Google) and stayed\n\n(Original) idea',
  ])('%j is its writer’s own', (text) => {
    expect(splitText(text)).toEqual({ original: text })
  })

  test('is nothing where there is none', () => {
    expect(originalOf(undefined)).toBe('')
  })
})
