import { describe, expect, test } from 'bun:test'
import { otherPath } from 'renown/contracts'
import { createDedup, type Dedup, dedupWindowMs, restoreDedup } from '../../ingest/dedup'
import { openJournal } from '../../ingest/journal'
import { createPathBound } from '../../ingest/path-bound'
import type { BatchRecord } from '../../ingest/segment'
import { countedHit } from '../support/counted-hit'
import { inTemporaryFolder, silentLog } from './support/journal'

const id = (n: number) => Bun.hash.xxHash32(String(n)) * 0x200000 + (Bun.hash.xxHash32(String(n), 1) >>> 11)
/** What is said of hits with these ids: whether each is a duplicate. */
const claimOf = (dedup: Dedup, ...ids: (number | undefined)[]) => {
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
    const dedup = createDedup(2 ** 20, () => new Date(1_000))
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
    const dedup = createDedup(2 ** 20, () => new Date(at))
    dedup.claimBatch('a')
    dedup.commitBatch(record('a', at))
    expect(dedup.shortenedTo()).toBeNull()
    at += dedupWindowMs
    expect(dedup.claimBatch('a').kind).toBe('new')
    for (let n = 0; n < 10_000; n++) {
      at++
      dedup.claimBatch(`b${n}`)
      dedup.commitBatch(record(`b${n}`, at))
    }
    expect(dedup.claimBatch('b9999').kind).toBe('known')
    expect(dedup.claimBatch('b0').kind).toBe('new')
    expect(dedup.shortenedTo()).toBeGreaterThan(0)
  })
})

describe('hits', () => {
  test("count once by their senders' ids, within a batch and across batches", () => {
    const dedup = createDedup(2 ** 20, () => new Date(0))
    const first = claimOf(dedup, id(1), undefined, id(1), id(2))
    expect(first.flags).toEqual([false, false, true, false])
    expect(first.settled).toBeNull()
    first.commit()
    expect(claimOf(dedup, id(2), undefined, id(3)).flags).toEqual([true, false, false])
  })

  test('being written elsewhere are duplicates only if that write stands', async () => {
    const dedup = createDedup(2 ** 20, () => new Date(0))
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
    expect(['a', 'b', 'c'].map((batch) => dedup.claimBatch(batch).kind)).toEqual(['known', 'known', 'new'])
    expect(claimOf(dedup, id(1), id(2), id(3)).flags).toEqual([true, true, false])
    expect(dedup.shortenedTo()).toBeNull()
    expect(['/', '/other'].map((path) => paths.admit('site_1', '2026-11-20', path))).toEqual(['/', otherPath])
    const shortened = createDedup(2 ** 20, now)
    await restoreDedup({ dedup: shortened, paths }, directory, now, 100)
    expect(shortened.shortenedTo()).toBe(now().getTime())
  }))
