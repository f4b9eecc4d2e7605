import { describe, expect, test } from 'bun:test'
import { proofOf, readListing } from '../../../plugins/reviews/pass'
import type { SourcePage } from '../../../plugins/reviews/sources/source'

const times = { began_at: '2026-01-01T00:00:00.000Z', ended_at: '2026-01-01T00:00:01.000Z' }
const review = (source_id: string) => ({ source_id, star_rating: 5 })
const page = (ids: string[], next: string | null, total: number | null = 3): SourcePage => ({
  ...{ reviews: ids.map(review), next, total },
})
const read = (pages: SourcePage[]) =>
  readListing({ page: async (token) => pages[token === null ? 0 : Number(token)] ?? page([], null) })
const gapOf = async (pages: SourcePage[], evidence: 'counted' | 'paged' | 'none' = 'counted') => {
  const { gap, complete } = proofOf(await read(pages), evidence, times)
  expect(complete).toBe(gap === undefined)
  return gap
}

describe('A reading is complete', () => {
  test('when it ends where the source says so and the count is what was read', async () => {
    expect(await gapOf([page(['a', 'b'], '1'), page(['c'], null)])).toBeUndefined()
  })

  test('also when pages overlap: each review counts once', async () => {
    const pass = await read([page(['a', 'b'], '1'), page(['b', 'c'], null)])
    expect(proofOf(pass, 'counted', times)).toMatchObject({ complete: true, items: 4, distinct: 3, pages: 2 })
  })

  test('never when a page comes back', async () => {
    expect(await gapOf([page(['a'], '1'), page(['b'], '2'), page(['c'], '1')])).toBe('looped')
  })

  test('never when it was not read to its end', async () => {
    const pages = [page(['a'], '1'), page(['b', 'c'], null)]
    const pass = await readListing(
      { page: async (token) => pages[Number(token ?? 0)] ?? page([], null) },
      () => true,
    )
    expect(proofOf(pass, 'counted', times).gap).toBe('cut_off')
  })

  test('never when the source does not say how many there are', async () => {
    expect(await gapOf([page(['a'], '1', null), page(['b', 'c'], null)])).toBe('total_missing')
    expect(await gapOf([page([], null, null)])).toBe('total_missing')
  })

  test('never when the count moved meanwhile', async () => {
    expect(await gapOf([page(['a', 'b'], '1', 4), page(['c'], null, 3)])).toBe('total_changed')
  })

  test('never when the count is another than what was read', async () => {
    expect(await gapOf([page(['a', 'b'], null)])).toBe('total_differs')
  })

  test('by its end alone where the source has no count, and never where it shows a part', async () => {
    expect(
      await gapOf([page(['a'], '1', null), page([], '2', null), page(['b'], null, null)], 'paged'),
    ).toBeUndefined()
    expect(await gapOf([page(['a', 'b', 'c'], null)], 'none')).toBe('shows_a_part')
  })
})

test('what a page throws ends the reading', async () => {
  const broken = readListing({
    page: async (token) => {
      if (token !== null) throw new Error('page two')
      return page(['a'], '1')
    },
  })
  await expect(broken).rejects.toThrow('page two')
})
