import { afterAll, beforeAll, expect, test } from 'bun:test'
import { corePlugins } from '../../../../core/product/core-plugins'
import { builtin } from '../../../../plugins'
import reviews from '../../../../plugins/reviews'
import { reviewsSetup } from '../../../../plugins/reviews/cards/setup'
import { Review } from '../../../../plugins/reviews/records/Review'
import { ReviewListing } from '../../../../plugins/reviews/records/ReviewListing'
import { type Gate, startGate } from '../../../support/harness'
import { sampleRow } from '../../../support/sample-row'
import { testSetupStep } from '../../../support/setup-suite'

const due_at = '2026-03-14T12:00:00.000Z'

testSetupStep({
  plugin: reviews,
  name: 'reviews',
  async prepare(gate, workspace_id) {
    await gate.owner.rows(ReviewListing).insert({ workspace_id, location_id: `loc_${workspace_id}`, due_at })
  },
})

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [...corePlugins, ...builtin] })
})
afterAll(() => gate.stop())

test('A source that is no longer read asks to be connected again, unless there are reviews', async () => {
  const { workspaceId } = gate.tenant
  await gate.owner.rows(ReviewListing).insert({ workspace_id: workspaceId, location_id: 'loc_1' })
  expect(await reviewsSetup.isDone(gate.owner, workspaceId)).toBe(false)
  await gate.put(Review, sampleRow(Review, 'r1') as never)
  expect(await reviewsSetup.isDone(gate.owner, workspaceId)).toBe(true)
})
