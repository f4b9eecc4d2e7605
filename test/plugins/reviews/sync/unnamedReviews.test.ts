import { describe, expect, test } from 'bun:test'
import { where } from '../../../../core/contracts/where'
import type { ReviewRow } from '../../../../plugins/reviews/analysis/reconcile'
import type { ReviewSource, SourceReview } from '../../../../plugins/reviews/contract'
import { reviewsOf } from '../../../../plugins/reviews/proof/storedReviews'
import { nameReviews } from '../../../../plugins/reviews/sync/unnamedReviews'
import { part } from '../../../support/part'

const noon = '2026-11-28T12:00:00.000Z'
const unnamed: NonNullable<ReviewSource['unnamed']> = {
  isUnnamed: (id) => id.startsWith('t:'),
  withId: (review, source_id) => ({ ...review, source_id }),
}
const review = (source_id: string, more: Partial<SourceReview> = {}): SourceReview => ({
  source_id,
  star_rating: 4,
  review_created_at: noon,
  ...more,
})
const row = (source_id: string, more: Partial<ReviewRow> = {}) =>
  part<ReviewRow>({ id: `row ${source_id}`, source_id, star_rating: 4, review_created_at: noon, ...more })

/** The ids of the reviews of a page once they are named, with what became of the rows. */
async function named(
  reviews: readonly SourceReview[],
  rows: readonly ReviewRow[],
  more: {
    readonly sync?: string
    readonly stored?: readonly ReviewRow[]
    readonly source?: Partial<ReviewSource>
  } = {},
) {
  const { sync, stored = [], source = { unnamed } } = more
  const ctx = part<Parameters<typeof nameReviews>[0]>({ rows: (() => ({ list: async () => rows })) as never })
  const page = {
    location_id: 'loc_1',
    source: part<ReviewSource>({ source: 'google', ...source }),
    reviews,
    stored,
    sync,
  }
  const found = await nameReviews(ctx, page)
  return {
    ids: found.reviews.map(({ source_id }) => source_id),
    isPart: found.isPart,
    renamed: [...found.renamed].map(([id, { source_id }]) => [id, source_id]),
    stored: found.stored.map(({ source_id }) => source_id),
    reviews: found.reviews,
  }
}
const ids = async (...given: Parameters<typeof named>) => (await named(...given)).ids

describe('a review without an id of its platform', () => {
  test('is the one of the same time whose author, words or stars are the same', async () => {
    const same = { reviewer_name: 'Ann', review_text: 'Good' }
    expect(await named([review('t:1', same)], [row('own', same)])).toMatchObject({
      ids: ['own'],
      isPart: true,
      renamed: [],
      stored: ['own'],
    })
    // What one of them left out says nothing against it.
    expect(await ids([review('t:1', { reviewer_name: 'Ann' })], [row('own', same)])).toEqual(['own'])
    expect(await ids([review('t:1')], [row('own', same)])).toEqual(['own'])
    expect(await ids([review('t:1', same)], [row('own')])).toEqual(['own'])
    // A known author counts even where stars and words were edited.
    const edited = { reviewer_name: 'Ann', review_text: 'Bad', star_rating: 1 }
    expect(await ids([review('t:1', edited)], [row('own', same)])).toEqual(['own'])
  })

  test('is another one where the author, or the time, is another', async () => {
    const ann = row('own', { reviewer_name: 'Ann' })
    expect(await named([review('t:1', { reviewer_name: 'Bob' })], [ann])).toMatchObject({
      ids: ['t:1'],
      stored: [],
    })
    const later = review('t:1', { reviewer_name: 'Ann', review_created_at: '2026-11-28T12:00:01.000Z' })
    expect(await ids([later], [ann])).toEqual(['t:1'])
  })

  test('is not certain without an author where stars or words differ', async () => {
    for (const more of [{ star_rating: 3 }, { review_text: 'Bad' }, { recommends: true }])
      expect(await ids([review('t:1', more)], [row('own', { review_text: 'Good' })])).toEqual(['t:1'])
  })

  test('is then the only one that a full sync has left, and none in a short sync', async () => {
    const doubtful = review('t:1', { star_rating: 3 })
    expect(await ids([doubtful], [row('own')], { sync: 's1' })).toEqual(['own'])
    expect(await ids([doubtful], [row('own', { returned_by: 's0' })], { sync: 's1' })).toEqual(['own'])
    expect(await ids([doubtful], [row('own', { returned_by: 's1' })], { sync: 's1' })).toEqual(['t:1'])
    expect(await ids([doubtful], [row('own')])).toEqual(['t:1'])
    expect(await ids([doubtful], [row('own'), row('two')], { sync: 's1' })).toEqual(['t:1'])
    const two = [doubtful, review('t:2', { star_rating: 2 })]
    expect(await ids(two, [row('own')], { sync: 's1' })).toEqual(['t:1', 't:2'])
    // One of two is certain, so that the other is the only one left.
    const sure = row('two', { reviewer_name: 'Ann' })
    const both = [review('t:2', { reviewer_name: 'Ann', star_rating: 2 }), doubtful]
    expect(await ids(both, [row('own', { star_rating: 5 }), sure], { sync: 's1' })).toEqual(['two', 'own'])
  })

  test('is the likest of several, and no row is two reviews', async () => {
    const rows = [
      row('stars'),
      row('words', { review_text: 'Good' }),
      row('author', { reviewer_name: 'Ann', review_text: 'Good' }),
    ]
    const ann = review('t:1', { reviewer_name: 'Ann', review_text: 'Good' })
    expect(await ids([review('t:2', { review_text: 'Good' }), ann], rows)).toEqual(['words', 'author'])
    expect(await ids([ann, { ...ann, source_id: 't:3' }], rows.slice(2))).toEqual(['author', 't:3'])
  })

  test('keeps the reply that is stored where it tells none', async () => {
    const stored = row('own', { reply_text: 'Thanks', reply_created_at: noon })
    const replyOf = async (more: Partial<SourceReview>, of = stored) =>
      (await named([review('t:1', more)], [of])).reviews[0]?.reply
    expect(await replyOf({})).toEqual({ text: 'Thanks', at: noon })
    expect(await replyOf({}, row('own', { reply_text: 'Thanks' }))).toEqual({ text: 'Thanks' })
    expect(await replyOf({ reply: { text: 'Other' } })).toEqual({ text: 'Other' })
    expect(await replyOf({}, row('own'))).toBeUndefined()
  })
})

describe('a review whose row had no id', () => {
  test('gives the row its own, or the one with the author', async () => {
    expect(await named([review('own')], [row('t:1')])).toMatchObject({
      ids: ['own'],
      renamed: [['own', 't:1']],
      stored: [],
      isPart: false,
    })
    expect(await named([review('t:1:Ann')], [row('t:1')])).toMatchObject({
      ids: ['t:1:Ann'],
      renamed: [['t:1:Ann', 't:1']],
    })
  })

  test('keeps that of the row where its own says no more', async () => {
    expect(await named([review('t:1')], [row('t:1:Ann')])).toMatchObject({
      ids: ['t:1:Ann'],
      renamed: [],
      isPart: false,
    })
    expect(await named([review('t:1x')], [row('t:1')])).toMatchObject({ ids: ['t:1'], renamed: [] })
  })
})

test('rows are looked for at the times of the reviews that have none, of their location and platform alone', async () => {
  const queries: object[] = []
  const list = async (query: object) => {
    queries.push(query)
    return []
  }
  const ctx = part<Parameters<typeof nameReviews>[0]>({ rows: (() => ({ list })) as never })
  const later = '2026-11-28T13:00:00.000Z'
  const { review_created_at: _, ...undated } = review('t:3')
  const known = [review('own', { review_created_at: later })]
  const source = part<ReviewSource>({ source: 'google', unnamed })
  const page = { location_id: 'loc_1', source, stored: [row('own')] }
  await nameReviews(ctx, { ...page, reviews: [...known, undated] })
  expect(queries).toEqual([])
  await nameReviews(ctx, { ...page, reviews: [...known, review('t:1'), review('t:2'), undated] })
  const atNoon = where.and(
    reviewsOf({ location_id: 'loc_1', source: 'google' }),
    where.in('review_created_at', [noon]),
  )
  expect(queries).toEqual([{ where: atNoon, limit: 1_000 }])
})

test('reviews of a platform that names all of them, and those that have their rows, stay as they are', async () => {
  const all = [review('t:1'), review('own')]
  const free = [row('t:9'), row('other')]
  expect(await ids(all, free, { source: {} })).toEqual(['t:1', 'own'])
  const stored = [row('t:1'), row('own')]
  expect(await named(all, [...stored, ...free], { stored })).toMatchObject({
    ids: ['t:1', 'own'],
    stored: ['t:1', 'own'],
    isPart: false,
  })
  expect(await ids([review('own')], [row('other')])).toEqual(['own'])
  // The row of a review that names itself is not the row of another review of the same time.
  expect(await ids([review('own'), review('t:1')], [row('own')], { stored: [row('own')] })).toEqual([
    'own',
    't:1',
  ])
  const { review_created_at: _, ...undated } = review('t:1')
  expect(await ids([undated], free)).toEqual(['t:1'])
})
