import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { evaluate } from '../../../../plugins/visibility/rulers/evaluate'
import { plainRule, type Rule, type StoredAnswer } from '../../../../plugins/visibility/rulers/rule'
import { rules, storedAnswers } from './arbitrary'

let n = 0
const answer = (more: Partial<StoredAnswer> = {}): StoredAnswer => ({
  id: `r${n++}`,
  prompt: 'p1',
  cell: 'p1 chatgpt',
  at: '2026-03-10T00:00:00.000Z',
  day: '2026-03-10',
  series: 'chatgpt',
  is_answered: true,
  is_removed: false,
  is_branded: false,
  is_incident: false,
  is_meant: false,
  is_named: false,
  is_cited: false,
  rivals: [],
  times: 1,
  rivalTimes: 0,
  place: null,
  ...more,
})
const named = { is_meant: true, is_named: true }
const counted = (rule: Partial<Rule>, answers: readonly StoredAnswer[]) => {
  const { k, n: of, value } = evaluate({ ...plainRule, ...rule }, answers)
  return [k, of, value]
}

describe('a rule counts by hand', () => {
  const answers = [
    answer({ ...named, rivals: ['Beta'], times: 3, rivalTimes: 2, place: 2 }),
    answer({ ...named, prompt: 'p2', cell: 'p2 chatgpt', is_branded: true, place: 1 }),
    answer({ is_named: true, rivals: ['Beta', 'Gamma'], rivalTimes: 2, is_cited: true }),
    answer({ prompt: 'p3', cell: 'p3 claude', is_removed: true }),
    answer({ is_answered: false }),
  ]

  test.each([
    ['every answer', {}, [2, 4, 0.5]],
    ['runs without an answer as a no', { unanswered: 'counted_as_no' }, [2, 5, 0.4]],
    ['no branded prompts', { branded_prompts: 'left_out' }, [1, 3, 0.333333]],
    ['no removed prompts', { removed_prompts: 'left_out' }, [2, 3, 0.666667]],
    ['every occurrence of the name', { mention: 'named' }, [3, 4, 0.75]],
    ['citations', { counts: 'citations' }, [1, 4, 0.25]],
    ['places', { counts: 'places' }, [3, 2, 1.5]],
    ['mentions among all mentions', { share_of: 'namings' }, [2, 5, 0.4]],
    ['each time that a name stands', { share_of: 'namings', repeats: 'each_time' }, [4, 8, 0.5]],
    ['cells with the same weight', { weight: 'cell' }, [2, 4, 0.5]],
    ['prompts with any mention', { weight: 'prompt' }, [2, 3, 0.666667]],
  ] as [string, Partial<Rule>, (number | null)[]][])('%s', (_, rule, wanted) => {
    expect(counted(rule, answers)).toEqual(wanted)
  })

  test('a value without answers is null, never 0', () => {
    for (const weight of ['answer', 'cell', 'prompt'] as const)
      expect(evaluate({ ...plainRule, weight }, [answer({ is_answered: false })])).toEqual({
        k: 0,
        n: 0,
        value: null,
        ci95: null,
        interval_basis: 'none',
      })
  })
})

test('a value depends on nothing but the answers: not on their order, and not on a second call', () => {
  fc.assert(
    fc.property(rules, storedAnswers, (rule, answers) => {
      const value = evaluate(rule, answers)
      expect(evaluate(rule, answers)).toEqual(value)
      const turned = evaluate(rule, [...answers].reverse())
      expect([turned.k, turned.n, turned.interval_basis]).toEqual([value.k, value.n, value.interval_basis])
      expect(turned.value ?? -1).toBeCloseTo(value.value ?? -1, 5)
    }),
    { numRuns: 300 },
  )
})

test('a share is between 0 and 1 and inside its interval', () => {
  fc.assert(
    fc.property(rules, storedAnswers, (rule, answers) => {
      const { value, ci95, k, n: of } = evaluate(rule, answers)
      if (rule.counts === 'places' || value === null) return
      expect(value >= 0 && value <= 1 && k <= of).toBe(true)
      if (ci95) expect(ci95[0] <= value + 1e-6 && value - 1e-6 <= ci95[1]).toBe(true)
    }),
    { numRuns: 300 },
  )
})
