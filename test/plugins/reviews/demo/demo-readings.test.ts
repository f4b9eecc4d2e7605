import { afterAll, beforeAll, expect, test } from 'bun:test'
import { runCommand } from '../../../../core/contexts/run-command'
import { where } from '../../../../core/contracts/where'
import { createDemo, removeDemo } from '../../../../core/demo/create'
import { withCore } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'

import { explainReviewCount } from '../../../../plugins/reviews/operations/explainReviewCount'
import { Review } from '../../../../plugins/reviews/records/Review'
import { ReviewObservation } from '../../../../plugins/reviews/records/ReviewObservation'
import { type Gate, startGate } from '../../../support/harness'
import { platformPlugins } from '../../../support/platforms'

const plugins = withCore(
  platformPlugins.filter(({ name }) =>
    ['reviews', 'enrichment', 'leads', 'posts', 'google', 'facebook'].includes(name),
  ),
)
const seed = { seed: 'renown', today: '2026-11-20' }
let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins })
  await createDemo(gate.owner, plugins, seed)
}, 60_000)
afterAll(() => gate?.stop())

test('the recorded readings of the demo prove its reviews, like those of a platform', async () => {
  const verified = (await runCommand(
    { owner: gate.owner, commands: gate.registry.commands },
    'review verify',
    {},
  )) as { sound: boolean; chains: { sound: boolean; strays?: string[]; fault?: string }[] }
  expect(verified.chains.filter(({ sound }) => !sound).slice(0, 2)).toEqual([])
  expect([verified.sound, verified.chains.length]).toEqual([true, 12])
}, 60_000)

test('every difference of a count in the demo is explained, with the reviews behind it', async () => {
  const clients = await gate.owner.rows(BusinessLocation).list({
    where: where.and(where.eq('is_demo', true), where.eq('is_prospect', false)),
    limit: 20,
  })
  const kinds = new Map<string, Set<string>>()
  for (const { id, workspace_id } of clients) {
    const ctx = {
      rows: (entity: never) => gate.owner.rows(entity),
      extensions: gate.owner.extensions,
      workspace: { id: workspace_id, timezone: 'UTC' },
    }
    const { sources, differences, reviews } = await explainReviewCount.run(ctx as never, { location_id: id })
    const [source] = sources
    if (!source) throw new Error(`${id} has no reviews`)
    const about = { id, difference: source.difference }
    expect(source.difference ?? 0).toBeGreaterThan(0)
    const sum = differences.reduce((all, { reviews }) => all + reviews, 0)
    expect({ ...about, sum }).toEqual({ ...about, sum: source.difference ?? 0 })
    expect(differences.map(({ kind }) => kind)).not.toContain('unrecorded')
    expect(reviews.filter(({ kind }) => kind === 'removed')).toHaveLength(source.removed_at_source)
    kinds.set(source.source, new Set([...differences, ...reviews].map(({ kind }) => kind)))
  }
  expect([...(kinds.get('google') ?? [])].toSorted()).toEqual(['missed', 'removed', 'since', 'uncounted'])
}, 60_000)

test('removing the demo leaves no reading', async () => {
  expect(await gate.owner.rows(ReviewObservation).count()).toBeGreaterThan(12 * 20)
  await removeDemo(gate.owner, plugins)
  expect([await gate.owner.rows(ReviewObservation).count(), await gate.owner.rows(Review).count()]).toEqual([
    0, 0,
  ])
}, 60_000)
