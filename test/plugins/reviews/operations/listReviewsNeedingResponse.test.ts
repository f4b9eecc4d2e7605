import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { listReviewsNeedingResponse } from '../../../../plugins/reviews/operations/listReviewsNeedingResponse'
import { reviewBench } from '../support/bench'

let held: Awaited<ReturnType<typeof reviewBench>>
beforeEach(async () => {
  held = await reviewBench()
  const { review } = held
  const waits = { needs_response: true } as const
  const at = (day: number) => ({ review_created_at: `2026-03-0${day}T00:00:00.000Z` })
  await review({ id: 'low', ...waits, ...at(1), priority: 'low', star_rating: 4 })
  await review({ id: 'new', ...waits, ...at(9), priority: 'urgent', star_rating: 1 })
  await review({ id: 'old', ...waits, ...at(2), priority: 'urgent', star_rating: 2 })
  await review({ id: 'none', ...waits, ...at(3), star_rating: null, source: 'facebook' })
  await review({ id: 'high', ...waits, ...at(4), priority: 'high', location_id: 'loc_2' })
  await review({
    id: 'gone',
    ...waits,
    ...at(4),
    priority: 'high',
    removed_at_source_at: '2026-03-05T00:00:00.000Z',
  })
  await review({ id: 'back', ...waits, ...at(5), priority: 'medium', removed_at_source_at: null })
  await review({ id: 'done', ...waits, ...at(4), priority: 'high', reply_text: 'Thanks' })
  await review({ id: 'fine', needs_response: false, ...at(4) })
  await review({ id: 'else', ...waits, ...at(4), workspace_id: 'wsp_2' })
})
afterEach(() => held.bench.stop())
const ask = (input: object = {}) => held.run(listReviewsNeedingResponse, { ...input })
const ids = async (input: object = {}) => (await ask(input)).reviews.map(({ id }) => id)

describe('listReviewsNeedingResponse', () => {
  test('puts the most pressing first, then the oldest', async () => {
    expect(await ids()).toEqual(['old', 'new', 'high', 'back', 'low', 'none'])
  })

  test('leaves out what was removed, answered or never waited, and other workspaces', async () => {
    const all = await ids({ sort: 'review_created_at' })
    expect(all).toEqual(['low', 'old', 'none', 'high', 'back', 'new'])
  })

  test('says how many wait by priority, since when, and for how long', async () => {
    const answer = await ask()
    expect(answer).toMatchObject({ total: 6, has_more: false, oldest_created_at: '2026-03-01T00:00:00.000Z' })
    expect(answer.by_priority.map((row) => [row.priority, row.reviews])).toEqual([
      ['urgent', 2],
      ['high', 1],
      ['medium', 1],
      ['low', 1],
      [null, 1],
    ])
    expect(answer.reviews.map(({ waiting_days }) => waiting_days)).toEqual([13, 6, 11, 10, 14, 12])
  })

  test('says that nothing waits where there is nothing', async () => {
    const answer = await ask({ location_id: 'loc_none' })
    expect(answer).toMatchObject({ reviews: [], total: 0, oldest_created_at: null, has_more: false })
  })

  test('pages across priorities without a gap or a repeat', async () => {
    const seen: string[] = []
    for (let skip = 0; ; skip += 2) {
      const page = await ask({ limit: 2, skip })
      seen.push(...page.reviews.map(({ id }) => id))
      if (!page.has_more) break
    }
    expect(seen).toEqual(['old', 'new', 'high', 'back', 'low', 'none'])
    expect(await ids({ skip: 6 })).toEqual([])
  })

  test('narrows, and sorts by stars with those that have none at their end', async () => {
    expect(await ids({ priority: 'urgent' })).toEqual(['old', 'new'])
    expect(await ids({ location_id: 'loc_2' })).toEqual(['high'])
    expect(await ids({ source: 'facebook' })).toEqual(['none'])
    expect((await ids({ sort: '-star_rating' })).slice(0, 3)).toEqual(['low', 'old', 'new'])
  })

  test('hides what the record hides', async () => {
    expect(Object.keys((await ask()).reviews[0] ?? {})).not.toContain('workspace_id')
  })

  test.each([{ limit: 0 }, { limit: 201 }, { skip: -1 }, { priority: 'none' }, { sort: 'notes' }])(
    'refuses %j',
    async (input) => {
      await expect(ask(input)).rejects.toThrow()
    },
  )
})
