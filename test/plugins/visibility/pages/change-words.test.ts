import { expect, test } from 'bun:test'
import { compare } from 'renown/statistics'
import {
  changeWords,
  intervalWords,
  percent,
  pointsOf,
  signedPoints,
} from '../../../../plugins/visibility/pages/change-words'

const cells = (k: number, n: number) => Array.from({ length: 20 }, (_, at) => ({ key: String(at), series: 'one', k, n }))

test.each([
  ['up', cells(8, 10), cells(2, 10), 'up 60 points', 'good'],
  ['down', cells(2, 10), cells(8, 10), 'down 60 points', 'bad'],
  ['no change shown', cells(5, 10), cells(5, 10), 'no change shown', 'plain'],
  ['not comparable', cells(5, 10), [], 'not comparable', 'plain'],
  ['not comparable', [], [], 'not comparable', 'plain'],
] as const)('a change in a word: %s', (word, now, before, text, tone) => {
  expect(changeWords(compare({ cells: now, shift: null }, { cells: before, shift: null }))).toEqual({ word, text, tone })
})

test('a share that rounds to nothing or to all says that it does not reach it', () => {
  expect([0, 0.002, 0.42, 0.998, 1].map(percent)).toEqual(
    ['0', '<1', '42', '>99', '100'].map((text) => `${text}\u00a0%`),
  )
})

test('an interval is rounded outwards, so that it never looks narrower than it is', () => {
  expect(intervalWords([0.374, 0.471])).toBe('37 to 48\u00a0%')
})

test('points have no fraction, and a small difference is not 0', () => {
  expect([0.001, 0.012, -0.05].map(pointsOf)).toEqual(['less than 1 point', '1 point', '5 points'])
})

test('a signed difference is 0 only where it is exactly 0, and has no sign where it rounds to 0', () => {
  expect([0, 0.004, -0.004, 0.06, -0.01].map(signedPoints)).toEqual([
    '0 points',
    'less than 1 point',
    'less than 1 point',
    '+6 points',
    '−1 point',
  ])
})

test('an interval is as wide as its numbers, and not wider by an error of binary fractions', () => {
  expect(intervalWords([0.29, 0.57]).replace('\u00a0', ' ')).toBe('29 to 57 %')
  expect(intervalWords([0.07, 0.07]).replace('\u00a0', ' ')).toBe('7 to 7 %')
  expect(intervalWords([0.295, 0.565]).replace('\u00a0', ' ')).toBe('29 to 57 %')
})
