import { describe, expect, test } from 'bun:test'
import {
  createAdoption,
  type ReviewRow,
  reconcile,
  sourceFieldsOf,
} from '../../../../plugins/reviews/analysis/reconcile'
import type { SourceReview } from '../../../../plugins/reviews/contract'

/** Every field that a source decides, and the reply beside it. */
const fields = {
  source_id: 's1',
  google_review_id: 'g1',
  reviewer_name: 'Ann',
  reviewer_photo_url: 'https://p.example/1',
  reviewer_is_local_guide: true,
  star_rating: 5,
  review_text: 'Lovely',
  review_language: 'en',
  review_created_at: '2026-03-01T12:00:00.000Z',
  review_updated_at: '2026-03-02T12:00:00.000Z',
}
const review: SourceReview = {
  ...fields,
  metadata: { a: 1 },
  recommends: true,
  reply: { text: 'Thanks', at: '2026-03-03T12:00:00.000Z' },
}
const reply = { reply_text: 'Thanks', reply_created_at: '2026-03-03T12:00:00.000Z' }
const row = { id: 'rev_1', ...fields, source_metadata: { a: 1 }, ...reply } as unknown as ReviewRow
const changesOf = (given: Partial<SourceReview>, stored: Partial<ReviewRow> = {}) => {
  const { changed, same, fresh } = reconcile([{ ...review, ...given }], [{ ...row, ...stored } as ReviewRow])
  expect(fresh).toEqual([])
  expect(changed.length + same.length).toBe(1)
  const [change] = changed
  return change ? { set: change.set, restored: change.restored, rewritten: change.rewritten } : null
}

describe('a row', () => {
  test('holds the fields of the source, the reply and the metadata, and nothing else of a review', () => {
    expect(sourceFieldsOf(review)).toEqual({ ...fields, ...reply, source_metadata: { a: 1 } })
    const bare = { source_id: 's1', star_rating: null }
    expect(sourceFieldsOf(bare)).toStrictEqual({
      ...bare,
      reply_text: undefined,
      reply_created_at: undefined,
    })
  })

  test('is the same where the source says the same', () => {
    expect(changesOf({})).toBeNull()
    expect(changesOf({ star_rating: null }, { star_rating: undefined })).toBeNull()
  })

  test.each([
    ['google_review_id', 'g2'],
    ['reviewer_name', 'Bea'],
    ['reviewer_photo_url', 'https://p.example/2'],
    ['reviewer_is_local_guide', false],
    ['review_language', 'de'],
    ['review_created_at', '2026-03-01T12:00:01.000Z'],
    ['review_updated_at', '2026-03-02T12:00:01.000Z'],
  ])('takes %s from the source, which is no other review', (name, value) => {
    expect(changesOf({ [name]: value })).toEqual({
      set: { [name]: value },
      restored: false,
      rewritten: false,
    })
  })

  test.each([
    ['star_rating', 4],
    ['review_text', 'Awful'],
  ])('is rewritten with another %s', (name, value) => {
    expect(changesOf({ [name]: value })).toMatchObject({ set: { [name]: value }, rewritten: true })
  })

  test('is not rewritten where only the translation of its text is another', () => {
    const text = (translation: string) => `(Translated by Google) ${translation}\n\n(Original)\nLecker`
    const change = changesOf({ review_text: text('Tasty') }, { review_text: text('Yummy') })
    expect(change).toMatchObject({ set: { review_text: text('Tasty') }, rewritten: false })
  })

  test('is rewritten where its source says that its sense has turned', () => {
    const [change] = reconcile([{ ...review, reviewer_name: 'Bea' }], [row], {
      isTurned: (before, now) => before?.a === 1 && now.reviewer_name === 'Bea',
    }).changed
    expect([change?.rewritten, change?.row, change?.review.reviewer_name]).toEqual([true, row, 'Bea'])
  })

  test('keeps everything that its source leaves out', () => {
    const { source_id, star_rating } = review
    expect(reconcile([{ source_id, star_rating }], [row])).toMatchObject({ changed: [], same: [row] })
    expect(reconcile([{ source_id, star_rating: null }], [row])).toMatchObject({ changed: [], same: [row] })
    const answered = changesOf({ reply: { text: 'Thanks', at: '2026-03-04T12:00:00.000Z' } })
    expect(answered?.set).toEqual({ reply_created_at: '2026-03-04T12:00:00.000Z' })
    expect(changesOf({ reply: { text: 'Dear Ann' } })?.set).toEqual({
      reply_text: 'Dear Ann',
    })
  })

  test('keeps old metadata beside new, key by key', () => {
    expect(changesOf({ metadata: { b: 2 } })?.set).toEqual({ source_metadata: { a: 1, b: 2 } })
    expect(changesOf({ metadata: { a: 3 } })?.set).toEqual({ source_metadata: { a: 3 } })
    expect(changesOf({ metadata: undefined })).toBeNull()
    expect(changesOf({ metadata: undefined }, { source_metadata: undefined })).toBeNull()
  })

  test('that was removed is shown again, and one that never was stays as it is', () => {
    const removed_at_source_at = '2026-03-05T12:00:00.000Z'
    expect(changesOf({}, { removed_at_source_at })).toEqual({
      set: { removed_at_source_at: null },
      restored: true,
      rewritten: false,
    })
    expect(changesOf({}, { removed_at_source_at: null })).toBeNull()
  })

  test('that is not known is fresh, unless it is the row of another source', () => {
    const other = { ...review, source_id: 's2' }
    expect(reconcile([other], [row])).toMatchObject({ fresh: [other], changed: [], same: [] })
    const adopted = reconcile([other], [row], { adopt: (given) => (given === other ? row : undefined) })
    expect(adopted.changed.map(({ row: of, set }) => [of, set])).toEqual([[row, { source_id: 's2' }]])
    expect(reconcile([other, review], [row])).toMatchObject({ fresh: [other], same: [row] })
  })
})

test('reviews keep the order of their source', () => {
  const of = (kind: string) =>
    [1, 2].map((n) => ({ ...review, source_id: `${kind}${n}`, reviewer_name: kind }))
  const rows = [...of('changed'), ...of('same')].map(({ source_id }) => ({ ...row, source_id }) as ReviewRow)
  const same = of('same')
  const changed = of('changed')
  const fresh = of('fresh')
  const found = reconcile(
    [...fresh, ...changed, ...same],
    rows.map((one) => (one.source_id.startsWith('same') ? { ...one, reviewer_name: 'same' } : one)),
  )
  expect(found.fresh).toEqual(fresh)
  expect(found.changed.map((one) => one.review)).toEqual(changed)
  expect(found.same.map(({ source_id }) => source_id)).toEqual(['same1', 'same2'])
})

describe('a review is found in a row of another source', () => {
  const found = (given: Partial<SourceReview>, stored: Partial<ReviewRow> = {}) =>
    createAdoption([{ ...row, ...stored } as ReviewRow])({ ...review, ...given })?.id

  test('with the same stars, name and beginning of the text, within a day', () => {
    expect(found({})).toBe('rev_1')
    expect(found({ review_created_at: '2026-03-02T12:00:00.000Z' })).toBe('rev_1')
    expect(found({ review_created_at: '2026-02-28T12:00:00.000Z' })).toBe('rev_1')
    expect(found({ star_rating: null }, { star_rating: undefined })).toBe('rev_1')
    const long = 'x'.repeat(40)
    expect(found({ review_text: `${long}a` }, { review_text: `${long}b` })).toBe('rev_1')
    expect(found({ review_text: ' Cafe\u0301 \n here ' }, { review_text: 'Café here' })).toBe('rev_1')
    expect(found({ review_text: '  ' }, { review_text: undefined })).toBe('rev_1')
    const own = '(Translated by Google) Tasty\n\n(Original)\nLecker'
    expect(found({ review_text: own }, { review_text: 'Lecker' })).toBe('rev_1')
  })

  test('not with other stars, another name, none, another beginning or time', () => {
    expect(found({ star_rating: 4 })).toBeUndefined()
    expect(found({ reviewer_name: 'Bea' })).toBeUndefined()
    expect(found({ reviewer_name: undefined }, { reviewer_name: undefined })).toBeUndefined()
    expect(found({ review_created_at: '2026-03-02T12:00:00.001Z' })).toBeUndefined()
    expect(found({ review_created_at: '2026-02-28T11:59:59.999Z' })).toBeUndefined()
    const long = 'x'.repeat(39)
    expect(found({ review_text: `${long}a` }, { review_text: `${long}b` })).toBeUndefined()
  })

  test('once, and not where two rows fit', () => {
    const once = createAdoption([row])
    expect([once(review)?.id, once(review)?.id]).toEqual(['rev_1', undefined])
    expect(createAdoption([row, { ...row, id: 'rev_2' }])(review)).toBeUndefined()
  })
})
