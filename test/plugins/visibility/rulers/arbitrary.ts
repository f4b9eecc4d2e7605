import fc from 'fast-check'
import { type Rule, ruleParts, type StoredAnswer } from '../../../../plugins/visibility/rulers/rule'

const rivals = fc.subarray(['Beta', 'Gamma', 'Delta'])

/** Answers to a few prompts by a few engines, as the loader makes them. */
export const storedAnswers: fc.Arbitrary<StoredAnswer[]> = fc
  .array(
    fc.record({
      prompt: fc.constantFrom('p1', 'p2', 'p3'),
      engine: fc.constantFrom('chatgpt', 'claude'),
      day: fc.integer({ min: 10, max: 28 }),
      is_answered: fc.constantFrom(true, true, true, false),
      is_incident: fc.constantFrom(false, false, true),
      stance: fc.constantFrom('meant', 'not meant', 'absent'),
      is_cited: fc.boolean(),
      rivals,
      times: fc.integer({ min: 1, max: 6 }),
      more: fc.integer({ min: 0, max: 4 }),
      place: fc.option(fc.integer({ min: 1, max: 4 })),
    }),
    { maxLength: 40, size: 'max' },
  )
  .map((rows) =>
    rows.map(({ prompt, engine, day, stance, place, more, ...row }, n): StoredAnswer => {
      const isMeant = row.is_answered && stance === 'meant'
      return {
        ...row,
        id: `r${n}`,
        prompt,
        cell: `${prompt} ${engine}`,
        at: `2026-03-${day}T12:00:00.000Z`,
        day: `2026-03-${day}`,
        series: engine,
        is_branded: prompt === 'p2',
        is_removed: prompt === 'p3',
        is_meant: isMeant,
        is_named: row.is_answered && stance !== 'absent',
        is_cited: row.is_answered && row.is_cited,
        rivals: row.is_answered ? row.rivals : [],
        rivalTimes: row.is_answered && row.rivals.length > 0 ? row.rivals.length + more : 0,
        place: isMeant ? place : null,
      }
    }),
  )

/** Any rule, with each value of each part. */
export const rules: fc.Arbitrary<Rule> = fc.record(
  Object.fromEntries(Object.entries(ruleParts).map(([part, values]) => [part, fc.constantFrom(...values)])),
) as unknown as fc.Arbitrary<Rule>
