import { describe, expect, test } from 'bun:test'
import { otherPath } from 'renown/contracts'
import { createDedup, dedupWindowMs, restoreDedup, type SiteDedup } from '../../../ingest/count/dedup'
import { openJournal } from '../../../ingest/journal/journal'
import type { BatchRecord } from '../../../ingest/journal/segment'
import { createPathBound } from '../../../ingest/parse/path-bound'
import { countedHit } from '../../support/counted-hit'
import { inTemporaryFolder, silentLog } from '../support/journal'

const id = (n: number) => Bun.hash.xxHash32(String(n)) * 0x200000 + (Bun.hash.xxHash32(String(n), 1) >>> 11)
/** What is said of hits with these ids: whether each is a duplicate. */
const claimOf = (dedup: SiteDedup, ...ids: (number | undefined)[]) => {
  const claim = dedup.claimHits(
    ids.map((each) => ({ id: each })),
    1_000,
  )
  return {
    flags: ids.map((_, index) => claim.duplicates.has(index)),
    settled: claim.settled,
    commit: () => dedup.commitHits(claim),
    release: () => dedup.releaseHits(claim),
  }
}
const record = (batch: string, at: number): BatchRecord => ({
  id: batch,
  accepted: 1,
  ignored: 0,
  rejected: 0,
  duplicate: 0,
  at,
})

describe('a batch', () => {
  test('is new once, known when committed, new again after a failure, and pending between', async () => {
    const all = createDedup(2 ** 20, () => new Date(1_000))
    const dedup = all.of('site_1')
    expect(dedup.claimBatch('a').kind).toBe('new')
    const second = dedup.claimBatch('a')
    dedup.releaseBatch('a')
    expect(second.kind === 'pending' && (await second.outcome)).toBeNull()
    expect(dedup.claimBatch('a').kind).toBe('new')
    const third = dedup.claimBatch('a')
    dedup.commitBatch(record('a', 1_000))
    expect(third.kind === 'pending' && (await third.outcome)).toEqual(record('a', 1_000))
    expect(dedup.claimBatch('a')).toEqual({ kind: 'known', record: record('a', 1_000) })
  })

  test('is forgotten after the window, and earlier ones go where memory ends, which shows', () => {
    let at = 1_000
    const all = createDedup(2 ** 20, () => new Date(at))
    const dedup = all.of('site_1')
    dedup.claimBatch('a')
    dedup.commitBatch(record('a', at))
    expect(all.shortened()).toBeNull()
    at += dedupWindowMs
    expect(dedup.claimBatch('a').kind).toBe('new')
    for (let n = 0; n < 10_000; n++) {
      at++
      dedup.claimBatch(`b${n}`)
      dedup.commitBatch(record(`b${n}`, at))
    }
    expect(dedup.claimBatch('b9999').kind).toBe('known')
    expect(dedup.claimBatch('b0').kind).toBe('new')
    expect(all.shortened()).toEqual({ to: expect.any(Number), sites: ['site_1'] })
  })
})

describe('hits', () => {
  test("count once by their senders' ids, within a batch and across batches", () => {
    const all = createDedup(2 ** 20, () => new Date(0))
    const dedup = all.of('site_1')
    const first = claimOf(dedup, id(1), undefined, id(1), id(2))
    expect(first.flags).toEqual([false, false, true, false])
    expect(first.settled).toBeNull()
    first.commit()
    expect(claimOf(dedup, id(2), undefined, id(3)).flags).toEqual([true, false, false])
  })

  test('being written elsewhere are duplicates only if that write stands', async () => {
    const all = createDedup(2 ** 20, () => new Date(0))
    const dedup = all.of('site_1')
    const first = claimOf(dedup, id(1))
    const second = claimOf(dedup, id(1), id(2))
    expect(second.flags).toEqual([true, false])
    first.release()
    expect(await second.settled).toBe(false)
    second.release()
    const third = claimOf(dedup, id(1), id(2))
    expect(third.flags).toEqual([false, false])
    const fourth = claimOf(dedup, id(1))
    third.commit()
    expect(await fourth.settled).toBe(true)
  })
})

test("a sender's id repeats only what was written: after a failure, the same hits come again without a repeat", () => {
  const dedup = createDedup(2 ** 20, () => new Date(0)).of('site_1')
  const hits = [1, 2].map((n) => ({ id: id(n), sender_id: id(n + 100) }))
  const claim = (of: typeof hits) => dedup.claimHits(of, 1_000)
  const failed = claim(hits)
  expect([failed.repeated, failed.senderIds]).toEqual([0, hits.map(({ sender_id }) => sender_id)])
  dedup.releaseHits(failed)
  const again = claim(hits)
  expect([again.repeated, again.duplicates.size]).toEqual([0, 0])
  dedup.commitHits(again)
  dedup.releaseHits(again)
  expect(claim([{ id: id(3), sender_id: id(101) }]).repeated).toBe(1)
})

test('a restart recalls batches and hits from waiting and from done segments', () =>
  inTemporaryFolder(async (directory) => {
    const now = () => new Date(1_795_200_000_000)
    const journal = await openJournal({ directory, now, log: silentLog })
    const hit = countedHit({ site_id: 'site_1', ts: 0 })
    await journal.append({ hits: [{ ...hit, id: id(1) }], batch: record('a', now().getTime()) })
    await journal.rotate()
    await Bun.$`mv ${directory}/segments/${(await Array.fromAsync(new Bun.Glob('*.seg').scan(`${directory}/segments`)))[0] ?? ''} ${directory}/done/`.quiet()
    await journal.append({ hits: [{ ...hit, id: id(2) }], batch: record('b', now().getTime()) })
    await journal.stop()
    const dedup = createDedup(2 ** 20, now)
    const paths = createPathBound(1, 2 ** 20)
    await restoreDedup({ dedup, paths }, directory, now)
    expect(['a', 'b', 'c'].map((batch) => dedup.of('site_1').claimBatch(batch).kind)).toEqual([
      'known',
      'known',
      'new',
    ])
    expect(claimOf(dedup.of('site_1'), id(1), id(2), id(3)).flags).toEqual([true, true, false])
    expect(dedup.shortened()).toBeNull()
    // An id of one site says nothing of another's.
    expect(claimOf(dedup.of('site_2'), id(1)).flags).toEqual([false])
    expect(['/', '/other'].map((path) => paths.admit('site_1', '2026-11-20', path))).toEqual(['/', otherPath])
    const shortened = createDedup(2 ** 20, now)
    await restoreDedup({ dedup: shortened, paths }, directory, now, 100)
    expect(shortened.shortened()).toEqual({ to: now().getTime(), sites: [] })
  }))

test('a batch of which no hit was counted is known again after a restart, whatever site sends it', () =>
  inTemporaryFolder(async (directory) => {
    const now = () => new Date(1_795_200_000_000)
    const journal = await openJournal({ directory, now, log: silentLog })
    await journal.append({
      hits: [],
      batch: { ...record('empty', now().getTime()), accepted: 0, duplicate: 1 },
    })
    await journal.stop()
    const dedup = createDedup(2 ** 20, now)
    await restoreDedup({ dedup, paths: createPathBound(1, 2 ** 20) }, directory, now)
    expect(dedup.of('site_1').claimBatch('empty').kind).toBe('known')
  }))

describe('the memory of all sites', () => {
  const hour = 3_600_000

  /** A day in which one site floods and twenty others send a little, counted in steps. */
  function floodedDay(bytesMax: number) {
    let at = 1_795_200_000_000
    const dedup = createDedup(bytesMax, () => new Date(at))
    const own: { site: string; id: number; batch: string }[] = []
    let flood = 0
    for (let step = 0; step < 240; step++) {
      at += hour / 10
      const flooding = dedup.of('flooding')
      for (let n = 0; n < 2_000; n++) {
        const claim = flooding.claimHits([{ id: id(1_000_000 + ++flood) }], at)
        flooding.commitHits(claim)
        if (n % 10 === 0) flooding.commitBatch(record(`flood-${flood}`, at))
      }
      for (let site = 0; site < 20; site++) {
        const each = { site: `site_${site}`, id: id(step * 100 + site), batch: `${site}-${step}` }
        const quiet = dedup.of(each.site)
        quiet.commitHits(quiet.claimHits([{ id: each.id }], at))
        quiet.commitBatch(record(each.batch, at))
        own.push(each)
      }
    }
    const forgotten = own.filter(
      ({ site, id: hit, batch }) =>
        dedup.of(site).claimBatch(batch).kind !== 'known' || !claimOf(dedup.of(site), hit).flags[0],
    )
    return { dedup, at, forgotten, flood }
  }

  test('is shared fairly: the flood of one site leaves the others their 24 hours', () => {
    const { dedup, at, forgotten, flood } = floodedDay(2 ** 23)
    expect(forgotten).toEqual([])
    expect(dedup.shortened()?.sites).toEqual(['flooding'])
    expect(at - (dedup.shortened()?.to ?? 0)).toBeLessThan(24 * hour)
    // Its newest hits are known all the same.
    expect(
      claimOf(dedup.of('flooding'), id(1_000_000 + flood), id(1_000_000 + flood - 20_000)).flags,
    ).toEqual([true, true])
  })

  test('leaves two that flood alike about the same', () => {
    const at = 1_795_200_000_000
    const dedup = createDedup(2 ** 22, () => new Date(at))
    const most = 400_000
    for (let n = 0; n < most; n++) {
      for (const [site, offset] of [
        ['a', 0],
        ['b', most],
      ] as const) {
        // The first has had the memory to itself for a while.
        if (site === 'b' && n < most / 2) continue
        dedup.of(site).commitHits(dedup.of(site).claimHits([{ id: id(offset + n) }], at))
      }
    }
    const known = (site: string, offset: number) => {
      let count = 0
      for (let n = most - 1; n >= 0 && claimOf(dedup.of(site), id(offset + n)).flags[0]; n -= 500) count++
      return count
    }
    const a = known('a', 0)
    const b = known('b', most)
    expect(Math.min(a, b) * 3).toBeGreaterThan(Math.max(a, b))
  })

  test('is given back after the window, so that yesterday’s flood costs nobody anything', () => {
    let at = 1_795_200_000_000
    const dedup = createDedup(2 ** 20, () => new Date(at))
    const flood = (site: string, from: number) => {
      for (let n = 0; n < 30_000; n++)
        dedup.of(site).commitHits(dedup.of(site).claimHits([{ id: id(from + n) }], at))
    }
    flood('yesterday', 0)
    at += 31 * hour
    flood('today', 100_000)
    expect(claimOf(dedup.of('today'), id(100_000), id(129_999)).flags).toEqual([true, true])
    expect(dedup.shortened()).toBeNull()
  })
})
