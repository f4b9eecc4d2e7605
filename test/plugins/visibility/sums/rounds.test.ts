import { expect, test } from 'bun:test'
import { type TrackedRound, withoutRounds } from '../../../../plugins/visibility/sums/rounds'

const roundOf = (day: string, more: Partial<TrackedRound> = {}): TrackedRound => ({
  series: 'vtr_1 chatgpt US',
  tracker_id: 'vtr_1',
  engine: 'chatgpt',
  country: 'US',
  day,
  k: 0,
  n: 0,
  recommended: 0,
  judged: 0,
  cited: 0,
  ...more,
})
/** The counts of a round, by name: a count that is added later is among them. */
const countsOf = (round: TrackedRound) =>
  Object.entries(round).filter((entry): entry is [string, number] => typeof entry[1] === 'number')

test('rounds without closed prompts have lost every one of their counts, and those that are then empty', () => {
  const whole = roundOf('2026-03-14', { k: 10, n: 20, recommended: 9, judged: 18, cited: 7 })
  const closed = roundOf('2026-03-14', { k: 1, n: 2, recommended: 3, judged: 4, cited: 5 })
  const empty = roundOf('2026-03-15', { k: 2, n: 4, recommended: 1, judged: 4, cited: 1 })
  const other = roundOf('2026-03-16', { k: 1, n: 1, recommended: 1, judged: 1, cited: 1 })
  expect(countsOf(whole).length).toBeGreaterThan(4)
  const left = withoutRounds([whole, empty, other], [closed, empty])
  expect(left.map(({ day }) => day)).toEqual(['2026-03-14', '2026-03-16'])
  const [first] = left
  const taken = new Map(countsOf(closed))
  expect(first && countsOf(first)).toEqual(
    countsOf(whole).map(([name, count]) => [name, count - (taken.get(name) ?? 0)]),
  )
  expect(left.at(1)).toEqual(other)
})
