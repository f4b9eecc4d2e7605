import { expect, test } from 'bun:test'
import { sentenceOf } from '../../../../plugins/reviews/cards/rules-sentence'

const rules = {
  is_enabled: true,
  ratings: [5, 4],
  include_unrated: false,
  tone: 'friendly' as const,
  allow_templates: false,
  delay_min_minutes: 60,
  delay_max_minutes: 1_440,
  newest_days: 7,
}

test.each([
  [{}, 'A review of 4 or 5 stars is answered, 1 hour to 24 hours after it is seen, in a friendly tone.'],
  [{ ratings: [1] }, 'A review of 1 star is answered,'],
  [{ ratings: [3, 1, 5] }, 'A review of 1, 3 or 5 stars is answered,'],
  [{ include_unrated: true }, 'A review of 4 or 5 stars, or without stars, is answered,'],
  [{ ratings: [], include_unrated: true }, 'A review without stars is answered,'],
  [{ ratings: [] }, 'No review is answered,'],
  [{ delay_min_minutes: 0, delay_max_minutes: 4_320 }, '0 minutes to 3 days after'],
  [{ delay_min_minutes: 90, delay_max_minutes: 90 }, ' 90 minutes after it is seen'],
  [{ newest_days: 1 }, 'A review written more than a day before gets no reply.'],
  [{ allow_templates: true }, 'Without a language model, a template is sent.'],
] as const)('the rules in a sentence: %j', (change, words) => {
  expect(sentenceOf({ ...rules, ...change })).toContain(words)
})
