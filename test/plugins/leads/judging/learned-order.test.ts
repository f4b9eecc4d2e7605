import { describe, expect, test } from 'bun:test'
import { learnedReasons, learnFrom, suggestedWords } from '../../../../plugins/leads/judging/learned-words'
import { part } from '../../../support/part'

type Tracker = Parameters<typeof suggestedWords>[0]
const tracker = (more: Partial<Tracker> = {}) =>
  part<Tracker>({ keywords: ['bakery'], required_keywords: [], excluded_keywords: [], ...more })
const times = (count: number, body: string, isDismissed: boolean) =>
  Array.from({ length: count }, () => part<Parameters<typeof learnFrom>[0][number]>({ body, isDismissed }))

describe('words that mostly occur in dismissed mentions', () => {
  const words = (...given: Parameters<typeof suggestedWords>) =>
    suggestedWords(...given).map(({ word, dismissed, kept }) => `${word} ${dismissed} ${kept}`)

  test('are suggested by how often, then by how seldom they were kept, then by name', () => {
    const learned = learnFrom([
      ...times(6, 'zebra apple', true),
      ...times(7, 'crash', true),
      ...times(1, 'crash', false),
      ...times(7, 'melon', true),
      ...times(40, 'fresh bread', false),
    ])
    expect(words(tracker(), learned)).toEqual(['melon 7 0', 'crash 7 1', 'apple 6 0', 'zebra 6 0'])
  })

  test('are four at least, none of the tracker and none that is ignored', () => {
    const learned = learnFrom([
      ...times(3, 'three', true),
      ...times(4, 'four bakery ignored', true),
      ...times(40, 'fresh bread', false),
    ])
    expect(words(tracker({ ignored_words: ['ignored'] }), learned)).toEqual(['four 4 0'])
  })

  test('are twenty at most', () => {
    const many = Array.from({ length: 25 }, (_, at) => `word${String.fromCharCode(97 + at)}`)
    const learned = learnFrom([...times(5, many.join(' '), true), ...times(40, 'fresh bread', false)])
    expect(suggestedWords(tracker(), learned).map(({ word }) => word)).toEqual(many.slice(0, 20))
  })

  test('say how often', () => {
    const learned = learnFrom([
      ...times(5, 'apple', true),
      ...times(1, 'apple', false),
      ...times(40, 'x bread', false),
    ])
    expect(suggestedWords(tracker(), learned)[0]?.sentence).toBe(
      'You dismissed 5 of 6 mentions with “apple”.',
    )
  })
})

test('reasons of earlier decisions are five at most, the weightiest first and equal ones by name', () => {
  const words = ['golf', 'echo', 'delta', 'alpha', 'bravo', 'charlie', 'foxtrot']
  const learned = learnFrom([...times(8, words.join(' '), true), ...times(30, 'fresh bread', false)])
  const reasons = (body: string) =>
    learnedReasons(part<Parameters<typeof learnedReasons>[0]>({ body }), tracker(), learned)
  expect(reasons(words.join(' ')).map(({ sentence }) => /“(.+)”/.exec(sentence)?.[1])).toEqual(
    words.toSorted().slice(0, 5),
  )
  const sum = reasons(words.join(' ')).reduce((total, { points }) => total + points, 0)
  expect([sum <= -38, sum >= -42]).toEqual([true, true])
  expect(reasons('fresh')[0]).toMatchObject({
    kind: 'learned_for',
    sentence: 'You kept 30 of 30 mentions with “fresh”.',
  })
  const few = learnFrom([...times(1, 'alpha', true), ...times(1, 'alpha', true)])
  expect(learnedReasons(part({ body: 'alpha' }), tracker(), few)).toEqual([])
})
