import { expect, test } from 'bun:test'
import { where } from 'renown'
import type { PageContext } from 'renown/pages'
import { BusinessLocation } from 'renown/records'
import { type Gate, testInboxSource } from 'renown/testing'
import reviews from '../../../../plugins/reviews'
import { inboxSources } from '../../../../plugins/reviews/cards/inbox'
import { Review } from '../../../../plugins/reviews/records/Review'
import { inEnglish } from '../../../support/english-entries'

const prepare = (more: object) => async (gate: Gate, workspaceId: string) => {
  const location = await gate.put(
    BusinessLocation,
    { business_name: 'Bakery', is_active: true, is_prospect: false, auto_response_enabled: false },
    workspaceId,
  )
  const review = { location_id: location.id, source: 'google', reviewer_name: 'Jo <b>P.</b>' }
  const put = (source_id: string, fields: object) =>
    gate.put(
      Review,
      { ...review, source_id, review_created_at: '2026-03-01T10:00:00.000Z', ...fields },
      workspaceId,
    )
  const text = { star_rating: 1, review_text: 'Cold soup' }
  await put('waits', { ...text, needs_response: true, ...more })
  await put('answered', { ...text, needs_response: true, reply_text: 'Sorry.', ...more })
  await put('praise', { ...text, needs_response: false, ...more })
  await put('gone', {
    ...text,
    needs_response: true,
    removed_at_source_at: '2026-03-02T10:00:00.000Z',
    ...more,
  })
}
const inOwn = (gate: Gate) => where.eq('workspace_id', gate.tenant.workspaceId)

testInboxSource({
  plugin: reviews,
  name: 'reviews',
  shows: '1 star from Jo &lt;b>P.',
  prepare: prepare({}),
  async change(gate) {
    const later = { review_updated_at: '2026-03-03T10:00:00.000Z' }
    await gate.owner.rows(Review).updateMany(inOwn(gate), later)
  },
})

testInboxSource({
  plugin: reviews,
  name: 'drafts',
  shows: '1 star from Jo',
  prepare: prepare({ ai_suggested_response: 'We are sorry.' }),
  async change(gate) {
    const other = { ai_suggested_response: 'We are very sorry.' }
    await gate.owner.rows(Review).updateMany(inOwn(gate), other)
  },
})

test('a review that does not say when it was written has the time at which it was read', async () => {
  const row = {
    id: 'rev_1',
    location_id: 'loc_1',
    source: 'google',
    created_date: '2026-03-01T10:00:00.000Z',
  }
  const list = async (more: object) => {
    const found = await inboxSources[0]?.list(
      {
        system: { extensions: () => [] },
        rows: () => ({ list: async () => [{ ...row, ...more }] }),
      } as unknown as PageContext,
      5,
    )
    return inEnglish(found ?? [])
  }
  expect(await list({})).toMatchObject([
    { at: row.created_date, state: row.created_date, title: 'No stars from Anonymous', about: 'google' },
  ])
  const review_created_at = '2026-02-01T10:00:00.000Z'
  expect(await list({ review_created_at, star_rating: 1, reviewer_name: 'Ann' })).toMatchObject([
    { at: review_created_at, state: review_created_at, title: '1 star from Ann' },
  ])
  const review_updated_at = '2026-02-09T10:00:00.000Z'
  expect(await list({ review_created_at, review_updated_at, star_rating: 2 })).toMatchObject([
    { at: review_created_at, state: review_updated_at, title: '2 stars from Anonymous' },
  ])
})
