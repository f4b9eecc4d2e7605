import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { OwnerContext } from '../../../../core/contracts/plugin'
import { where } from '../../../../core/contracts/where'
import { withCore } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { platforms } from '../../../../plugins'
import enrichment from '../../../../plugins/enrichment'
import leads from '../../../../plugins/leads'
import posts from '../../../../plugins/posts'
import reviews from '../../../../plugins/reviews'
import { contradict } from '../../../../plugins/reviews/evidence/doubt'
import { waitsInDoubt, whyNotRead } from '../../../../plugins/reviews/evidence/whyUnproven'
import { ReviewListing } from '../../../../plugins/reviews/records/ReviewListing'
import visibility from '../../../../plugins/visibility'
import { type Gate, startGate } from '../../../support/harness'
import { part } from '../../../support/part'

describe('Whether a complete sync must prove that a review has no reply', () => {
  type Asked = Parameters<typeof whyNotRead>[1]['source']
  const ctx = part<OwnerContext>({
    rows: () => {
      throw new Error('rows were read')
    },
  })
  const location = { id: 'loc_1' }
  const proof = { source: 'x', label: 'X' }
  const asked = (fields: object) => part<Asked>({ ...proof, absences: { fields } })

  test('is asked only of a platform that shows every reply that there is', async () => {
    for (const source of [
      part<Asked>(proof),
      asked({}),
      asked({ review_text: { means: 'none_if_shown' } }),
      asked({ reply: { means: 'unknown' } }),
    ])
      expect(await whyNotRead(ctx, { location, source })).toBeNull()
    const source = asked({ reply: { means: 'none_if_shown' } })
    await expect(whyNotRead(ctx, { location, source })).rejects.toThrow('rows were read')
  })
})

test('an automatic reply is judged again after an hour of doubt, and five minutes after a sync that is due', () => {
  const minute = 60_000
  const fault = { kind: 'transient', code: 'in_doubt', message: 'Why.' }
  expect({ ...waitsInDoubt('Why.'), message: 'Why.' }).toMatchObject({ ...fault, retryAfterMs: 60 * minute })
  expect({ ...waitsInDoubt('Why.', 'unread'), message: 'Why.' }).toMatchObject({
    ...fault,
    retryAfterMs: 5 * minute,
  })
})

describe('A doubt that is found again', () => {
  let gate: Gate
  beforeAll(async () => {
    const plugins = [enrichment, leads, posts, reviews, visibility, ...platforms]
    gate = await startGate({ plugins: withCore(plugins) })
  })
  afterAll(() => gate.stop())

  test('changes nothing of the location and is told once, until another reply is missing', async () => {
    const flags = { is_active: true, is_prospect: false, auto_response_enabled: false }
    const location = await gate.put(BusinessLocation, { business_name: 'Acme', ...flags })
    await gate.put(ReviewListing, { location_id: location.id })
    const source = { source: 'google', label: 'Google' }
    const found = async (id: string) => {
      gate.clock.advance(60_000)
      await contradict(gate.owner, { location, source }, [id])
      return gate.owner.rows(BusinessLocation).get(location.id)
    }
    const first = await found('r1')
    expect(first?.in_doubt).toMatchObject({ about: 'replies' })
    expect(await found('r1')).toEqual(first)
    const second = await found('r2')
    expect(second?.updated_date).not.toBe(first?.updated_date)
    expect(second?.in_doubt?.since).toBe(first?.in_doubt?.since)
    const listing = where.eq('location_id', location.id)
    const [kept] = await gate.owner.rows(ReviewListing).list({ where: listing })
    expect(kept?.replies_missing).toBe(2)
  })
})
