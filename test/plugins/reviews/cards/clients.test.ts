import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { clientReads } from '../../../../core/contexts/client-reads'
import type { PageContext } from '../../../../core/contracts/page'
import { BusinessLocation } from '../../../../core/product/tenancy-plugin'
import { reviewClients } from '../../../../plugins/reviews/cards/clients'
import { reviewsCard } from '../../../../plugins/reviews/cards/home'
import { ReviewListing } from '../../../../plugins/reviews/records/ReviewListing'
import { countedSystem } from '../../../support/counted-system'
import { reviewBench } from '../support/bench'

type Bench = Awaited<ReturnType<typeof reviewBench>>
let held: Bench
let over: ReturnType<typeof countedSystem>
beforeEach(async () => {
  held = await reviewBench()
  over = countedSystem(held.bench)
})
afterEach(() => held.bench.stop())

const day = (date: string, time = '12:00') => `2026-${date}T${time}:00.000Z`
const load = (workspaces: readonly { id: string; timezone: string }[]) =>
  reviewClients.load(clientReads(over.system, workspaces))
const inUtc = (...ids: string[]) => ids.map((id) => ({ id, timezone: 'UTC' }))
const homeOf = async (workspace: string) => {
  const ctx = { ...held.bench.read(workspace), person: { role: 'owner' }, system: held.bench.owner }
  const loaded = await reviewsCard.load(ctx as unknown as PageContext)
  return new Map([loaded ?? []].flat().map((one) => [one.title, one]))
}

describe('reviews in the list of clients', () => {
  test('are the figures of the home page of each workspace', async () => {
    const { review } = held
    const reply = { reply_text: 'Thanks', reply_created_at: day('03-14') }
    await review({ review_created_at: day('03-10'), star_rating: 5, ...reply })
    await review({ review_created_at: day('03-14'), star_rating: 1, needs_response: true })
    await review({ review_created_at: day('02-10'), star_rating: 4 })
    await review({ review_created_at: day('03-14'), star_rating: 2, removed_at_source_at: day('03-15') })
    await review({ review_created_at: day('03-01'), star_rating: null, workspace_id: 'wsp_2' })
    await review({ review_created_at: day('03-02'), star_rating: 4, workspace_id: 'wsp_2', ...reply })
    const figures = await load(inUtc('wsp_1', 'wsp_2'))
    for (const id of ['wsp_1', 'wsp_2']) {
      const home = await homeOf(id)
      const cells = figures.get(id)?.cells
      expect([id, cells?.waiting?.text]).toEqual([id, home.get('Reviews without a reply')?.figure ?? '0'])
      expect([id, cells?.rating?.text, cells?.rating?.change]).toEqual([
        id,
        home.get('Rating')?.figure,
        home.get('Rating')?.change,
      ])
      expect([id, cells?.['reply-rate']?.text]).toEqual([id, home.get('Reply rate')?.figure])
    }
    expect(figures.get('wsp_1')?.cells.rating).toMatchObject({
      value: 3,
      change: { text: 'no change shown' },
    })
    expect(figures.get('wsp_1')?.active_at).toBe(day('03-14'))
  })

  test('begin at midnight of each workspace', async () => {
    // 23:30 on 15 February in UTC is 16 February in Madrid: the first of 28 days there.
    await held.review({ review_created_at: day('02-15', '23:30'), star_rating: 2 })
    const figures = await load([{ id: 'wsp_1', timezone: 'Europe/Madrid' }])
    expect(figures.get('wsp_1')?.cells.rating?.value).toBe(2)
    const utc = await load(inUtc('wsp_1'))
    expect(utc.get('wsp_1')?.cells.rating).toEqual({ value: null, text: '–' })
  })

  test('are not compared where a location was never read completely', async () => {
    const place = {
      business_name: 'Bakery',
      is_prospect: false,
      is_active: true,
      auto_response_enabled: false,
    }
    await held.bench.owner.rows(BusinessLocation).insert({ id: 'loc_1', workspace_id: 'wsp_1', ...place })
    await held.review({ review_created_at: day('03-10'), star_rating: 5 })
    await held.review({ review_created_at: day('02-10'), star_rating: 4 })
    const cells = (await load(inUtc('wsp_1'))).get('wsp_1')?.cells
    expect(cells?.rating?.change).toEqual({ text: 'not comparable', tone: 'plain' })
  })

  test('say that nothing is connected, and 0 only where something is read', async () => {
    const listing = { id: 'rls_1', workspace_id: 'wsp_2', location_id: 'loc_2', due_at: day('03-16') }
    await held.bench.owner.rows(ReviewListing).insert(listing)
    const figures = await load(inUtc('wsp_1', 'wsp_2'))
    expect(figures.get('wsp_1')?.cells.waiting).toEqual({ value: null, text: 'Not connected' })
    expect(figures.get('wsp_2')?.cells.waiting).toEqual({ value: 0, text: '0' })
  })

  test('take as many reads for a hundred workspaces as for one', async () => {
    const ids = Array.from({ length: 100 }, (_, n) => `wsp_${n}`)
    for (const id of ids)
      await held.review({ review_created_at: day('03-10'), star_rating: 5, workspace_id: id })
    const readsOf = async (some: readonly string[]) => {
      const before = over.counted.reads
      const figures = await load(inUtc(...some))
      expect(figures.size).toBe(some.length)
      return over.counted.reads - before
    }
    const one = await readsOf(ids.slice(0, 1))
    expect(one).toBeGreaterThan(3)
    expect(await readsOf(ids)).toBe(one)
  })
})
