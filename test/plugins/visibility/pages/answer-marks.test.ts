import { describe, expect, test } from 'bun:test'
import { excerptOf, markFinder } from '../../../../plugins/visibility/pages/answer-marks'

const find = markFinder({
  brand_name: 'Acme',
  brand_aliases: ['Acme & Sons'],
  competitors: [{ name: 'Acme Drains' }, { name: 'Beta' }],
})
const marked = (text: string) => find(text).map(({ start, end, who }) => [text.slice(start, end), who])

describe('the marks of an answer', () => {
  test('are the names as they stand there, the longest first', () => {
    expect(marked('ACME and Sons, Acme Drains, **Beta** and acme.example')).toEqual([
      ['ACME and Sons', 'brand'],
      ['Acme Drains', 'competitor'],
      ['Beta', 'competitor'],
    ])
  })

  test('fit the text also after characters of two units', () => {
    expect(marked('👩‍🍳🥖 Beta 🥖 Acme')).toEqual([
      ['Beta', 'competitor'],
      ['Acme', 'brand'],
    ])
  })
})

describe('an excerpt', () => {
  test('is around the brand, and its marks still fit', () => {
    const text = `${'🥖'.repeat(300)} Beta ${'x '.repeat(200)} Acme ${'y '.repeat(400)}`
    const { text: part, marks, isCut } = excerptOf(text, find(text), 200)
    expect(isCut).toBe(true)
    expect(part.length).toBeLessThanOrEqual(201)
    expect(marks.map(({ start, end, who }) => [part.slice(start, end), who])).toEqual([['Acme', 'brand']])
  })

  test.each([100, 101, 102])('never cuts a character in two: %d', (length) => {
    expect(excerptOf('🥖'.repeat(300), [], length).text.isWellFormed()).toBe(true)
  })

  test('of a short text is the text', () => {
    expect(excerptOf('Acme', find('Acme'), 200)).toEqual({
      text: 'Acme',
      isCut: false,
      marks: [{ start: 0, end: 4, who: 'brand' }],
    })
  })
})
