import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { reviewSource } from 'renown/reviews'
import { definePlugin } from '../../../core/doors/front'
import { surfaceOf } from '../../../core/registry/surface'
import { builtin } from '../../../plugins'
import { Review } from '../../../plugins/reviews/records/Review'
import { type Gate, startGate } from '../../support/harness'
import { part } from '../../support/part'
import { shippedRegistry } from '../../support/shipped'

const yelp = definePlugin({
  name: 'yelp',
  renown: '^1.0.0',
  provides: [
    reviewSource.with({
      name: 'yelp-fusion',
      source: 'yelp',
      label: 'Yelp',
      order: 50,
      evidence: 'none',
      reads: () => false,
      open: async () => ({ page: async () => ({ reviews: [], total: 0, next: null }) }),
    }),
  ],
})

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [...builtin, yelp] })
})
afterAll(() => gate.stop())

const errorOf = async (path: string) => (await gate.ask(path)).text()

describe('the platform that a plugin reads', () => {
  test('is accepted in rows, filters and inputs, and shown with the others', async () => {
    await gate.owner.rows(Review).insert({
      workspace_id: gate.tenant.workspaceId,
      location_id: 'loc_1',
      source: 'yelp',
      source_id: 'y1',
      star_rating: 4,
    })
    const q = encodeURIComponent('{"source":"yelp"}')
    const list = await (await gate.ask(`/api/entities/Review?q=${q}`)).json()
    expect(list).toEqual([expect.objectContaining({ source: 'yelp', source_id: 'y1' })])
    const summary = (await (
      await gate.ask('/api/functions/getReviewAnalytics', { method: 'POST', body: { source: 'yelp' } })
    ).json()) as { by_source?: { source: string }[] }
    expect(summary.by_source?.map(({ source }) => source)).toContain('google')
    const { entities } = surfaceOf(gate.registry)
    const fields = entities.find(({ name }) => name === 'Review')?.fields
    const source = fields?.find(({ name }) => name === 'source')
    expect(source?.values).toEqual(['google', 'facebook', 'yelp'])
  })

  test('is refused where no plugin reads it, with the names that are accepted', async () => {
    const q = encodeURIComponent('{"source":"trustpilot"}')
    expect(await errorOf(`/api/entities/Review?q=${q}`)).toContain('yelp')
    const rows = gate.owner.rows(Review)
    await expect(
      rows.insert(part({ workspace_id: gate.tenant.workspaceId, source: 'trustpilot' })),
    ).rejects.toThrow()
  })

  test('changes nothing of a registry without it', () => {
    expect(shippedRegistry().entities.get('Review')).toBe(Review)
    expect(gate.registry.entities.get('Review')).not.toBe(Review)
    expect(gate.registry.isDeclared(Review)).toBe(true)
  })
})
