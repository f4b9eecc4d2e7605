import { describe, expect, test } from 'bun:test'
import { ServiceFault } from '../../../../core/contracts/service-fault'
import type { Listing, SourcePage } from '../../../../plugins/reviews/contract'
import { type PageSink, proofOf, readPages } from '../../../../plugins/reviews/proof/pass'
import { begin, type SyncProgress, storedProgress } from '../../../../plugins/reviews/proof/progress'

const at = '2026-01-01T00:00:00.000Z'
const review = (source_id: string) => ({ source_id, star_rating: 5 })
const page = (ids: string[], next: string | null, total: number | null = 3): SourcePage => ({
  reviews: ids.map(review),
  next,
  total,
})
const start = (changes: Partial<SyncProgress> = {}): SyncProgress => ({
  ...begin({ id: 'one', reader: 'google', full: true, repeat: false, began_at: at, visible: 0, changed: 0 }),
  ...changes,
})

/** A store that remembers which reviews which reading returned. */
function createSink(changes: Partial<PageSink> & { readonly isEnough?: boolean } = {}) {
  const returned = new Map<string, string>()
  const kept: SyncProgress[] = []
  const time = { now: Date.parse(at) }
  let anew = 0
  const sink: PageSink = {
    now: () => new Date(time.now),
    async store({ reviews }, { id }) {
      const distinct = new Set(reviews.map(({ source_id }) => source_id)).size
      for (const { source_id } of reviews) returned.set(source_id, id)
      return { distinct, changed: 0, hasEntries: false, isEnough: changes.isEnough ?? false }
    },
    keep: async (progress) => void kept.push(JSON.parse(JSON.stringify(progress))),
    anew: async () => ({ id: `anew ${++anew}`, began_at: at, visible: 0 }),
    provesRemovals: true,
    ...changes,
  }
  /** Counts as the rows do: those of this reading alone. */
  const counted = (progress: SyncProgress): SyncProgress => ({
    ...progress,
    distinct: [...returned.values()].filter((id) => id === progress.id).length,
  })
  return { sink, kept, returned, time, counted }
}
const listingOf = (pages: SourcePage[]): Listing => ({
  page: async (token) => pages[token === null ? 0 : Number(token)] ?? page([], null),
})
const read = async (pages: SourcePage[], from = start(), store = createSink()) =>
  store.counted(await readPages(listingOf(pages), from, store.sink))
const gapOf = async (pages: SourcePage[], evidence: 'counted' | 'paged' | 'none' = 'counted') => {
  const { gap, complete } = proofOf(await read(pages), evidence, at)
  expect(complete).toBe(gap === undefined)
  return gap
}

describe('A reading is complete', () => {
  test('when it ends where the source says so and the count is what was read', async () => {
    expect(await gapOf([page(['a', 'b'], '1'), page(['c'], null)])).toBeUndefined()
  })

  test('also when pages overlap: each review counts once', async () => {
    const pass = await read([page(['a', 'b'], '1'), page(['b', 'c'], null)])
    expect(proofOf(pass, 'counted', at)).toMatchObject({ complete: true, items: 4, distinct: 3, pages: 2 })
  })

  test('never when a page comes back', async () => {
    expect(await gapOf([page(['a'], '1'), page(['b'], '2'), page(['c'], '1')])).toBe('looped')
  })

  test('never when it was not read to its end', async () => {
    const pages = [page(['a'], '1'), page(['b', 'c'], null)]
    const pass = await read(pages, start(), createSink({ isEnough: true }))
    expect(proofOf(pass, 'counted', at).gap).toBe('cut_off')
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

  test('never when rows of it could not be read', async () => {
    const broken = { ...page(['a', 'b', 'c'], null), isPart: true, unread: [{ reason: 'createTime' }] }
    const progress = await read([broken])
    expect(proofOf(progress, 'counted', at).gap).toBe('unread')
    expect(progress).toMatchObject({ unread: 1, unread_reason: 'createTime' })
  })

  test('never when a part of it was read before an interruption', async () => {
    const pages = [page(['a', 'b'], '1'), page(['c'], null)]
    const store = createSink()
    const first = await readPages({ page: breaksAt(pages, '1') }, start(), store.sink).catch(() =>
      store.kept.at(-1),
    )
    const progress = await read(pages, { ...(first as SyncProgress), interruptions: 1 }, store)
    expect(progress).toMatchObject({ pages: 2, items: 3, distinct: 3, state: 'ended' })
    expect(proofOf(progress, 'counted', at).gap).toBe('interrupted')
    expect(proofOf(progress, 'paged', at).gap).toBe('interrupted')
  })

  test('never when minutes went by between two pages', async () => {
    const store = createSink()
    const slow: Listing = {
      async page(token) {
        if (token !== null) store.time.now += 121_000
        return token === null ? page(['a', 'b'], '1') : page(['c'], null)
      },
    }
    const progress = store.counted(await readPages(slow, start(), store.sink))
    expect(proofOf(progress, 'counted', at).gap).toBe('interrupted')
  })
})

const breaksAt =
  (pages: SourcePage[], at: string) =>
  async (token: string | null): Promise<SourcePage> => {
    if (token === at) throw new Error('page two')
    return listingOf(pages).page(token)
  }

describe('A reading', () => {
  const pages = [page(['a', 'b'], '1'), page(['c'], null)]

  test('ends with what a page throws, and goes on at that page', async () => {
    const store = createSink()
    await expect(readPages({ page: breaksAt(pages, '1') }, start(), store.sink)).rejects.toThrow('page two')
    const asked: (string | null)[] = []
    const page: Listing['page'] = (token) => {
      asked.push(token)
      return listingOf(pages).page(token)
    }
    await readPages({ page }, storedProgress(store.kept.at(-1)) as SyncProgress, store.sink)
    expect(asked).toEqual(['1'])
    expect([...store.returned.keys()]).toEqual(['a', 'b', 'c'])
  })

  test('begins anew when its token has expired, says so, and can be complete then', async () => {
    const store = createSink()
    const left = start({ token: 'old', pages: 7, interruptions: 1, first_total: 9, last_total: 9 })
    const expired: Listing = {
      async page(token) {
        if (token === 'old')
          throw new ServiceFault('permanent', 'Google refused: invalid page token', { code: '400' })
        return listingOf(pages).page(token)
      },
    }
    const progress = store.counted(await readPages(expired, left, store.sink))
    expect(progress).toMatchObject({ restarts: 1, restart_reason: 'the page token had expired', pages: 2 })
    expect(proofOf(progress, 'counted', at)).toMatchObject({ complete: true, restarts: 1 })
  })

  test('that began anew counts nothing that it returned before', async () => {
    const store = createSink()
    const moved = [page(['a', 'b'], '1', 2), page(['c', 'd'], null, 2)]
    const left = await readPages({ page: breaksAt(moved, '1') }, start(), store.sink).catch(() =>
      store.kept.at(-1),
    )
    const after = listingOf([page(['b', 'd'], null, 2)])
    const listing: Listing = {
      page: async (token) => (token === null ? after.page(null) : page(['d'], null, 9)),
    }
    const progress = store.counted(await readPages(listing, left as SyncProgress, store.sink))
    expect(progress).toMatchObject({ restarts: 1, distinct: 2 })
    expect(proofOf(progress, 'counted', at).complete).toBe(true)
  })

  test('does not begin anew for ever with a platform that refuses its own tokens', async () => {
    let asked = 0
    const refusing: Listing = {
      async page(token) {
        if (++asked > 20) throw new Error('asked for ever')
        if (token !== null) throw new ServiceFault('permanent', 'no such token')
        return page(['a'], '1')
      },
    }
    await expect(readPages(refusing, start(), createSink().sink)).rejects.toThrow('no such token')
    // The first try and three restarts, each with the first page and the refused one.
    expect(asked).toBe(8)
  })

  test('begins anew when the count changed while it was interrupted, once', async () => {
    const store = createSink()
    const left = start({ token: '1', pages: 1, interruptions: 1, first_total: 4, last_total: 4 })
    const progress = store.counted(await readPages(listingOf(pages), left, store.sink))
    expect(progress).toMatchObject({ restarts: 1, pages: 2, interruptions: 0 })
    const again = { ...left, restarts: 1 }
    expect(await readPages(listingOf(pages), again, createSink().sink)).toMatchObject({
      restarts: 1,
      pages: 2,
    })
    // A first reading has nothing to prove, and goes on.
    const first = createSink({ provesRemovals: false }).sink
    expect(await readPages(listingOf(pages), left, first)).toMatchObject({ restarts: 0, pages: 2 })
  })

  test('is not gone on with when what was kept of it is in another form', () => {
    expect(storedProgress(undefined)).toBeNull()
    expect(storedProgress({ ...start(), token: 5 })).toBeNull()
    expect(storedProgress(JSON.parse(JSON.stringify(start())))).toEqual(start())
  })
})

test('a proof counts interruptions and new starts only where there were any', () => {
  const counts = (changes: Partial<SyncProgress>) => {
    const { interruptions, restarts } = proofOf(start(changes), 'counted', at)
    return [interruptions, restarts]
  }
  expect(counts({})).toEqual([undefined, undefined])
  expect(counts({ interruptions: 2 })).toEqual([2, undefined])
  expect(counts({ restarts: 1 })).toEqual([undefined, 1])
})
