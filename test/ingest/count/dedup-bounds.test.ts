import { describe, expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDedup, dedupWindowMs, restoreDedup, type SiteDedup } from '../../../ingest/count/dedup'
import { createIdSet } from '../../../ingest/count/id-set'
import { createSharedMemory } from '../../../ingest/count/shared-memory'
import { createFrameBuilder } from '../../../ingest/journal/frame-builder'
import { countedHit } from '../../support/counted-hit'
import { turns } from '../../support/wait-for'
import { inTemporaryFolder } from '../support/journal'

const start = 1_795_200_000_000
const minute = 60_000
const record = (id: string, at: number) => ({ id, at, accepted: 1, ignored: 0, rejected: 0, duplicate: 0 })
const idOf = (n: number) => Bun.hash.xxHash32(String(n)) * 0x200000 + (Bun.hash.xxHash32(String(n), 1) >>> 11)

/** A memory whose clock a test moves. */
function memoryOf(bytesMax: number) {
  const clock = { at: start }
  const dedup = createDedup(bytesMax, () => new Date(clock.at))
  const batches = (site: string, count: number, at = clock.at, from = 0) => {
    const of = dedup.of(site)
    for (let n = 0; n < count; n++) of.commitBatch(record(`${site} ${from + n}`, at))
  }
  return { clock, dedup, batches }
}
const kindOf = (of: SiteDedup, id: string) => of.claimBatch(id).kind

describe('the memory of batches', () => {
  test.each([
    [0, 1_000],
    [1_024_000, 1_000],
    [2_048_000, 2_000],
  ])('of %i bytes in all holds %i', (bytesMax, count) => {
    const { dedup, batches } = memoryOf(bytesMax)
    batches('a', count)
    expect(dedup.shortened()).toBeNull()
    batches('a', 1, start, count)
    expect(dedup.shortened()).toEqual({ to: start, sites: ['a'] })
  })

  test.each([
    [15 * minute, ['fresh']],
    [15 * minute + 1, undefined],
  ])('is freed of old ones where the last look was %i ms ago', (ms, sites) => {
    const { clock, dedup, batches } = memoryOf(0)
    batches('fresh', 600)
    batches('old', 400, start - dedupWindowMs + 15 * minute)
    clock.at += ms
    batches('fresh', 1, clock.at, 600)
    expect<unknown>(dedup.shortened()?.sites).toEqual(sites)
  })
})

test('five eighths of the bytes are for hits', () => {
  const bytesMax = 2 ** 18
  const alone = createIdSet(dedupWindowMs, createSharedMemory((bytesMax * 5) / 8))
  const { dedup } = memoryOf(bytesMax)
  const of = dedup.of('a')
  let count = 0
  while (alone.shortenedTo(start) === null) {
    expect(dedup.shortened()).toBeNull()
    alone.add(idOf(++count), start)
    of.commitHits(of.claimHits([{ id: idOf(count) }], start))
  }
  expect([count > 1_000, dedup.shortened()]).toEqual([true, { to: start, sites: ['a'] }])
})

test('a batch is known for a day, and not at its end', () => {
  const { clock, dedup, batches } = memoryOf(0)
  batches('a', 1)
  clock.at += dedupWindowMs - 1
  expect(kindOf(dedup.of('a'), 'a 0')).toBe('known')
  clock.at += 1
  expect(kindOf(dedup.of('a'), 'a 0')).toBe('new')
})

describe('what is shortened', () => {
  test('is said of each site with its latest time, and of all with the latest of these', () => {
    const { clock, dedup, batches } = memoryOf(0)
    batches('a', 500)
    clock.at += 10
    batches('b', 500)
    expect(dedup.shortened()).toBeNull()
    batches('a', 1, start, 500)
    expect(dedup.shortened()).toEqual({ to: start, sites: ['a'] })
    batches('b', 33, clock.at, 500)
    expect(dedup.shortened()).toEqual({ to: start + 10, sites: ['a', 'b'] })
    clock.at = start + dedupWindowMs
    expect(dedup.shortened()).toEqual({ to: start + 10, sites: ['b'] })
    clock.at += 10
    expect(dedup.shortened()).toBeNull()
  })

  test('is the later of batches and hits', () => {
    const { clock, dedup, batches } = memoryOf(2 ** 17)
    batches('a', 1_001)
    clock.at += 10
    const of = dedup.of('a')
    for (let n = 1; n <= 20_000; n++) of.commitHits(of.claimHits([{ id: idOf(n) }], clock.at))
    expect(dedup.shortened()).toEqual({ to: start + 10, sites: ['a'] })
  })

  test('holds for all sites where not everything was loaded, for a day', () => {
    const { clock, dedup } = memoryOf(0)
    dedup.of('a')
    dedup.shorten(start)
    dedup.shorten(start - 5)
    expect(dedup.shortened()).toEqual({ to: start, sites: [] })
    clock.at += dedupWindowMs - 1
    expect(dedup.shortened()).toEqual({ to: start, sites: [] })
    clock.at += 1
    expect(dedup.shortened()).toBeNull()
  })
})

describe('a claim of hits', () => {
  const isKnown = (of: SiteDedup, n: number) => of.claimHits([{ id: idOf(n) }], start).duplicates.size === 1

  test('that was decided stays decided', () => {
    const of = memoryOf(2 ** 20).dedup.of('a')
    const stands = of.claimHits([{ id: idOf(1) }], start)
    of.commitHits(stands)
    of.releaseHits(stands)
    expect(isKnown(of, 1)).toBe(true)
  })

  test('waits for each other claim of its hits, and for no other', async () => {
    const of = memoryOf(2 ** 20).dedup.of('a')
    const [first, second, third] = [1, 2, 3].map((n) =>
      of.claimHits([{ id: idOf(n) }, { id: idOf(n + 10) }], start),
    )
    if (!first || !second || !third) throw new Error('three claims')
    const both = of.claimHits([{ id: idOf(1) }, { id: idOf(11) }, { id: idOf(2) }, { id: idOf(4) }], start)
    expect([[...both.duplicates], both.ids]).toEqual([[0, 1, 2], [idOf(4)]])
    of.releaseHits(third)
    of.commitHits(first)
    const state = { settled: undefined as boolean | undefined }
    void both.settled?.then((settled) => {
      state.settled = settled
    })
    await turns(5)
    expect(state.settled).toBeUndefined()
    of.commitHits(second)
    expect(await both.settled).toBe(true)
    expect(of.claimHits([{ id: idOf(1) }], start).settled).toBeNull()
  })

  test('fails where one of those that it waits for fails', async () => {
    const of = memoryOf(2 ** 20).dedup.of('a')
    const [first, second] = [1, 2].map((n) => of.claimHits([{ id: idOf(n) }], start))
    if (!first || !second) throw new Error('two claims')
    const both = of.claimHits([{ id: idOf(1) }, { id: idOf(2) }], start)
    of.commitHits(first)
    of.releaseHits(second)
    expect(await both.settled).toBe(false)
    expect([isKnown(of, 1), isKnown(of, 2)]).toEqual([true, false])
  })
})

describe('a restart', () => {
  /** The bytes of a segment with one batch of one hit. */
  function segment(n: number, at: number) {
    const builder = createFrameBuilder()
    builder.addHit({ ...countedHit({ site_id: 'a' }), id: idOf(n) })
    builder.addBatch(record(`b${n}`, at))
    return Uint8Array.from(builder.take())
  }
  const nameOf = (at: number, end = 'seg') => `${String(at).padStart(14, '0')}-x.${end}`
  /** A memory that was restored from segments of these times, and which of them it knows. */
  function restored(times: readonly number[], { bytesMax, end }: { bytesMax?: number; end?: string } = {}) {
    return inTemporaryFolder(async (directory) => {
      for (const folder of ['segments', 'done']) await mkdir(join(directory, folder))
      for (const [n, at] of times.entries())
        await writeFile(join(directory, n % 2 ? 'done' : 'segments', nameOf(at, end)), segment(n, start))
      const { dedup, clock } = memoryOf(2 ** 20)
      const paths = { admit: (_: string, __: string, path: string) => path }
      await restoreDedup({ dedup, paths }, directory, () => new Date(clock.at), bytesMax)
      const of = dedup.of('a')
      const known = times.map((_, n) => [
        kindOf(of, `b${n}`) === 'known',
        of.claimHits([{ id: idOf(n) }], start).duplicates.size === 1,
      ])
      return { known, shortened: dedup.shortened() }
    })
  }

  test('recalls segments that began a day and a minute ago, and no older ones', async () => {
    const edge = start - dedupWindowMs - minute
    const { known, shortened } = await restored([edge, edge - 1, start - 1, start])
    expect(known.map(([batch]) => batch)).toEqual([true, false, true, true])
    expect(known.slice(2)).toEqual([
      [true, true],
      [true, true],
    ])
    expect(shortened).toBeNull()
  })

  test('reads only closed segments', async () => {
    expect((await restored([start - 1], { end: 'open' })).known).toEqual([[false, false]])
  })

  test('reads the newest segments up to its bytes, and says since when all are known', async () => {
    const [first = 0, second = 0, third = 0] = [0, 1, 2].map((n) => segment(n, start).length)
    const bytes = first + second + third
    const times = [start - 30, start - 20, start - 10]
    const read = async (bytesMax: number) => {
      const { known, shortened } = await restored(times, { bytesMax })
      return [known.map(([batch]) => batch), shortened?.to]
    }
    expect(await read(bytes)).toEqual([[true, true, true], undefined])
    expect(await read(bytes - 1)).toEqual([[false, true, true], start - 20])
    expect(await read(third)).toEqual([[false, false, true], start - 10])
    expect(await read(third - 1)).toEqual([[false, false, false], start])
  })
})
