import { afterAll, beforeAll, expect, test } from 'bun:test'
import { reviewSource } from 'renown/reviews'
import { definePlugin } from '../../../../core/doors/front'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../../plugins'
import { findReviews } from '../../../../plugins/prospects/sections/findReviews'
import { Review } from '../../../../plugins/reviews/records/Review'
import { type Gate, startGate } from '../../../support/harness'

/** A platform that no plugin in the box knows, with one reader that sees replies and one that does not. */
const guide = definePlugin({
  name: 'guide',
  renown: '^1.0.0',
  provides: ['guide-public', 'guide-account'].map((name) =>
    reviewSource.with({
      name,
      source: 'guide',
      label: 'The Guide',
      order: 70,
      evidence: 'none',
      reads: () => false,
      open: async () => ({ page: async () => ({ reviews: [], total: 0, next: null }) }),
      ...(name === 'guide-public' && { hidesReplies: ({ added_via }) => added_via === 'website' }),
    }),
  ),
})

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [...builtin, guide] })
})
afterAll(() => gate.stop())

const look = { source: null, reason: 'No plugin reads public listings.' }

/** Audits the reviews of a prospect that was added in this way, with six stored reviews, two of them answered. */
async function reviewsOf(added_via: 'website' | 'dfs_keyword') {
  const prospect = await gate.put(BusinessLocation, {
    business_name: 'Pitch & Co',
    is_active: false,
    is_prospect: true,
    auto_response_enabled: false,
    added_via,
  })
  for (let n = 0; n < 6; n++)
    await gate.put(Review, {
      location_id: prospect.id,
      source: 'guide',
      source_id: `${prospect.id}-${n}`,
      star_rating: 4,
      is_read: false,
      is_flagged: false,
      ...(n < 2 ? { reply_text: 'Thanks' } : {}),
    })
  return findReviews(gate.owner, prospect, look)
}

test('a share of answered reviews is not drawn from a source that hides replies, whoever provides it', async () => {
  const found = await reviewsOf('website')
  expect(found).toMatchObject({ stored: 6 })
  expect(found).not.toHaveProperty('answered')
  expect(found.unknown).toContainEqual({
    what: 'answered',
    reason: 'Its reviews come from a source that does not return replies.',
  })
})

test('a share of answered reviews is drawn where the source returns replies', async () => {
  expect(await reviewsOf('dfs_keyword')).toMatchObject({ answered: { k: 2, n: 6 } })
})
