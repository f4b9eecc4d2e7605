import { describe, expect, test } from 'bun:test'
import { type AggregateFunction, computed, functions, groupsOf, sizeOf } from '../../../core/http/aggregated'

const row = (keys: readonly (string | null)[], value: number | null, count: number) => ({
  keys,
  value,
  count,
})
type Counted = readonly (readonly [value: number | null, count: number])[]
const groupOf = (...values: Counted) => {
  const [group] = groupsOf(values.map(([value, count]) => row(['a'], value, count))).values()
  return group ?? { keys: [], count: 0, values: new Map() }
}
const all = (...values: Counted) =>
  Object.fromEntries(functions.map((name: AggregateFunction) => [name, computed(name, groupOf(...values))]))

test('rows with the same keys are one group, in the order in which they come', () => {
  const groups = [
    ...groupsOf([
      row(['b', null], 5, 2),
      row(['a', 'x'], null, 1),
      row(['b', null], 5, 3),
      row(['b', null], 1, 4),
    ]).values(),
  ]
  expect(groups.map(({ keys, count, values }) => [keys, count, [...values]])).toEqual([
    [
      ['b', null],
      9,
      [
        [5, 5],
        [1, 4],
      ],
    ],
    [['a', 'x'], 1, []],
  ])
  expect(groups.map(sizeOf)).toEqual([9, 0])
})

describe('a function of the values', () => {
  test('counts each value as often as it occurs, in whatever order', () => {
    expect(all([10, 1], [-2, 2], [3, 1])).toEqual({
      sum: 9,
      avg: 2.25,
      min: -2,
      max: 10,
      median: 0.5,
      p90: 7.9,
    })
    expect(all([7, 1])).toEqual({ sum: 7, avg: 7, min: 7, max: 7, median: 7, p90: 7 })
    expect(all([1, 3], [2, 1], [9, 1])).toEqual({ sum: 14, avg: 2.8, min: 1, max: 9, median: 1, p90: 6.2 })
    expect(all([1, 1], [2, 1])).toMatchObject({ median: 1.5, p90: 1.9 })
    expect(all([100, 1], [9, 1])).toMatchObject({ min: 9, max: 100, median: 54.5 })
  })

  test('is none where no row has a value', () => {
    const none = { sum: null, avg: null, min: null, max: null, median: null, p90: null }
    expect(all([null, 4])).toEqual(none)
    expect(all()).toEqual(none)
    expect(all([null, 4], [0, 1])).toEqual({ sum: 0, avg: 0, min: 0, max: 0, median: 0, p90: 0 })
  })

  test('has twelve digits', () => {
    expect(all([0.1, 1], [0.2, 1])).toMatchObject({ sum: 0.3, avg: 0.15 })
    expect(all([1, 1], [0, 2]).avg).toBe(0.333333333333)
  })
})
