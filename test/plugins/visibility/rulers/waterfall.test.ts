import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { evaluate } from '../../../../plugins/visibility/rulers/evaluate'
import { publishedRulers } from '../../../../plugins/visibility/rulers/published'
import { plainRule, type Rule, type StoredAnswer } from '../../../../plugins/visibility/rulers/rule'
import { differenceOf, waterfall } from '../../../../plugins/visibility/rulers/waterfall'
import { rules, storedAnswers } from './arbitrary'

/** Whole millionths: sums of them are exact. */
const millionths = (value: number | null) => Math.round((value ?? 0) * 1e6)

function holds(from: Rule, to: Rule, answers: readonly StoredAnswer[]) {
  const first = evaluate(from, answers)
  const last = evaluate(to, answers)
  const steps = waterfall(from, to, answers)
  expect([steps[0]?.before ?? first, steps.at(-1)?.after ?? first]).toEqual([first, last])
  for (const [place, step] of steps.slice(1).entries())
    expect<unknown>(step.before).toEqual(steps[place]?.after)
  const whole = differenceOf(last.value, first.value)
  if (whole === null) return
  for (const { difference } of steps) expect(difference).not.toBeNull()
  const sum = steps.reduce((total, { difference }) => total + millionths(difference), 0)
  expect(sum).toBe(millionths(whole))
  expect(sum).toBe(millionths(last.value) - millionths(first.value))
}

describe('the steps from one rule to another', () => {
  test('add up exactly to the difference, for any two rules and any answers', () => {
    fc.assert(fc.property(rules, rules, storedAnswers, holds), { numRuns: 600 })
  })

  test('add up exactly for every pair of published definitions', () => {
    fc.assert(
      fc.property(storedAnswers, (answers) => {
        for (const from of publishedRulers)
          for (const to of publishedRulers) holds(from.rule, to.rule, answers)
      }),
      { numRuns: 8 },
    )
  })

  test('change each part once, name the answers that they touch, and show at most five of them', () => {
    fc.assert(
      fc.property(rules, rules, storedAnswers, (from, to, answers) => {
        const steps = waterfall(from, to, answers)
        const changed = (Object.keys(from) as (keyof Rule)[]).filter((part) => from[part] !== to[part])
        expect(steps.flatMap(({ parts }) => parts).sort()).toEqual(changed.sort())
        for (const step of steps) {
          expect(step.examples.length).toBe(Math.min(5, step.answers))
          // A value moves only if some answer is counted or weighted otherwise.
          if (step.answers === 0) expect(step.difference ?? 0).toBe(0)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('join where nothing is counted in between, so that no difference is lost', () => {
    const answers = [
      { ...blank, id: 'removed', is_removed: true },
      { ...blank, id: 'branded', is_branded: true, is_meant: false, is_named: false },
    ]
    const from: Rule = { ...plainRule, branded_prompts: 'left_out' }
    const to: Rule = { ...plainRule, removed_prompts: 'left_out' }
    expect(waterfall(from, to, answers)).toMatchObject([
      {
        kind: 'answers_left_out',
        parts: ['removed_prompts', 'branded_prompts'],
        difference: -1,
        before: { value: 1 },
        after: { value: 0 },
        answers: 2,
      },
    ])
  })
})

const blank: StoredAnswer = {
  id: 'a',
  prompt: 'p',
  cell: 'p chatgpt',
  at: '2026-03-10T00:00:00.000Z',
  day: '2026-03-10',
  series: 'chatgpt',
  is_answered: true,
  is_removed: false,
  is_branded: false,
  is_incident: false,
  is_meant: true,
  is_named: true,
  is_cited: false,
  rivals: [],
  times: 1,
  rivalTimes: 0,
  place: null,
}
