import { expect, test } from 'bun:test'
import { whySkipped, whySkippedUnseen } from '../../../../plugins/reviews/due/whySkipped'

const at = '2026-03-15T12:00:00.000Z'
const plain = { star_rating: 5, review_text: 'Lovely scones', review_language: 'en', review_created_at: at }
const context = {
  location: { is_active: true, auto_response_enabled: true },
  rules: { is_enabled: true, ratings: [1, 5], include_unrated: true, newest_days: 7 },
  source: {},
}
type Deciding = Parameters<typeof whySkipped>[2]
const deciding = (more: object = {}) => ({ ...context, ...more }) as unknown as Deciding
const rowOf = (more: object) => ({ ...plain, is_flagged: false, created_date: at, ...more }) as never

test.each<[string | null, object, object?]>([
  [null, {}],
  ['removed', { removed_at_source_at: at, reply_text: 'x', is_flagged: true }],
  ['answered', { reply_text: '', is_flagged: true }],
  ['flagged', { is_flagged: true }, { rules: null }],
  ['replies_off', {}, { rules: null, location: {} }],
  ['replies_off', {}, { rules: { is_enabled: false } }],
  ['location_off', {}, { location: { is_active: false, auto_response_enabled: true } }],
  ['location_off', {}, { location: { is_active: true, auto_response_enabled: false } }],
])('%p: what is stored of a due reply is %j, and of its location %j', (reason, row, more = {}) => {
  expect<unknown>(whySkippedUnseen(rowOf(row), deciding(more))).toBe(reason)
})

const model = { analysis_method: 'llm:x', priority: 'urgent', star_rating: 4 }
const urgentFlag = {
  is_flagged: true,
  flag_reason: 'The review mentions something urgent, as the language model judged',
}
test.each<[object | null, object, object?, object?]>([
  [null, {}],
  [{ reason: 'rating' }, {}, { star_rating: 4 }],
  [{ reason: 'flagged' }, { is_flagged: true, removed_at_source_at: at }],
  [{ reason: 'removed' }, { removed_at_source_at: at, ...model }],
  [{ reason: 'urgent', flag: urgentFlag }, model],
  [
    { reason: 'urgent', flag: urgentFlag },
    { ...model, star_rating: null },
  ],
  [null, { ...model, star_rating: 1 }],
  [null, { ...model, analysis_method: 'stars' }],
  [null, { ...model, analysis_method: undefined }],
  [null, { ...model, priority: 'high' }],
  [{ reason: 'replies_off' }, { is_flagged: true }, {}, { rules: null }],
  [
    {
      reason: 'sensitive',
      flag: { is_flagged: true, flag_reason: expect.stringContaining('The review mentions an illness') },
    },
    { is_flagged: true },
    { review_text: 'I got food poisoning' },
  ],
])('%j: the row is %j, and the review just read %j', (skip, row, said = {}, more = {}) => {
  expect<unknown>(whySkipped(rowOf(row), { ...plain, ...said } as never, deciding(more))).toEqual(skip)
})
