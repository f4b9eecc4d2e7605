import { expect, test } from 'bun:test'
import type { PagesQuery } from '../../../../core/contracts/context'
import type { OwnerContext } from '../../../../core/contracts/plugin'
import { storedReviews } from '../../../../plugins/reviews/proof/storedReviews'
import { Review } from '../../../../plugins/reviews/records/Review'
import { reviewBench } from '../support/bench'

const chain = { location_id: 'loc_1', source: 'google' } as const

test('every review of a location and source is read once, along its index, however many there are', async () => {
  const { bench } = await reviewBench()
  const rows = bench.owner.rows(Review)
  const odd = ['', 'É', 'é', 'a', 'A', '🍞', '\u{10FFFF}', '%', '_', ' ', '\uffee']
  const ids = Array.from({ length: 2_500 }, (_, n) => `${odd[n % odd.length]}:${n.toString(36)}`)
  const row = (source_id: string, more: object = {}) => ({
    ...chain,
    workspace_id: 'wsp_1',
    source_id,
    ...more,
  })
  await rows.insertMany([
    ...ids.map((id) => row(id)),
    ...ids.slice(0, 20).map((id) => row(id, { location_id: 'loc_2' })),
    ...ids.slice(0, 20).map((id) => row(id, { source: 'facebook' })),
  ])
  const asked: PagesQuery[] = []
  const pages: typeof rows.pages = (query) => {
    asked.push(query ?? {})
    return rows.pages(query)
  }
  const watched = { ...bench.owner, rows: () => ({ ...rows, pages }) } as unknown as OwnerContext
  const found = await storedReviews(watched, chain)
  expect(found.map(({ source_id }) => source_id).sort()).toEqual([...ids].sort())
  expect(asked.map(({ by, size }) => [by, size])).toEqual([['source_id', 1_000]])
  await bench.stop()
})
