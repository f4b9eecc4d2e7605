import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compare } from 'renown/statistics'
import { countedMore, countedOtherwise, differenceRange, differenceWords, pointsOf } from 'renown/web'

const cells = (k: number, n: number) => ({
  cells: Array.from({ length: 20 }, (_, at) => ({ key: String(at), series: 'one', k, n })),
  shift: null,
})
const none = { cells: [], shift: null }

describe('A difference', () => {
  test.each([
    ['up', cells(8, 10), cells(2, 10), 'up 60 points', 'good'],
    ['down', cells(2, 10), cells(8, 10), 'down 60 points', 'bad'],
    ['no change shown', cells(5, 10), cells(5, 10), 'no change shown', 'plain'],
    ['not comparable', cells(5, 10), none, 'not comparable', 'plain'],
    ['not comparable', none, none, 'not comparable', 'plain'],
  ] as const)('of shares in words: %s', (word, now, before, text, tone) => {
    expect(differenceWords(compare(now, before))).toEqual({ word, text, tone })
  })

  test('has no size where chance can make it, or where nobody can judge it', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -5, max: 5, noNaN: true }),
        fc.constantFrom(false, null),
        fc.constantFrom('share', 'stars', 'count'),
        (difference, change_significant, unit) => {
          const { text, tone } = differenceWords({ difference, change_significant }, unit)
          expect(text).not.toMatch(/\d|up|down/)
          expect(tone).toBe('plain')
        },
      ),
    )
  })

  test('says the size in its unit, and why it is not comparable', () => {
    const clear = (difference: number) => ({ difference, change_significant: true })
    expect(differenceWords(clear(0.3), 'stars').text).toBe('up 0.30 stars')
    expect(differenceWords(clear(-1_200), 'count').text).toBe('down 1,200')
    const unknown = { difference: null, change_significant: null }
    expect(differenceWords(unknown, 'share', 'the model changed').text).toBe(
      'not comparable: the model changed',
    )
  })

  test('has points without a fraction, and a small one is not 0', () => {
    expect([0.001, 0.012, -0.05].map(pointsOf)).toEqual(['less than 1 point', '1 point', '5 points'])
  })

  test('has an interval with signs', () => {
    expect(differenceRange([-0.03, 0.09])).toBe('between −3 points and +9 points')
  })
})

test('what is counted in two ways has a sign, and is 0 only where it is exactly 0', () => {
  expect([0, 0.004, -0.004, 0.06, -0.01].map(countedOtherwise)).toEqual([
    '0 points',
    'less than 1 point',
    'less than 1 point',
    '+6 points',
    '−1 point',
  ])
  expect([0, 3, -1_200].map(countedMore)).toEqual(['0', '+3', '−1,200'])
})
