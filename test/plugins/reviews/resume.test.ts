import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { SyncStatus } from '../../../core/tenancy/news/SyncStatus'
import { Review } from '../../../plugins/reviews/records/Review'
import { ReviewListing } from '../../../plugins/reviews/records/ReviewListing'
import { syncReviews } from '../../../plugins/reviews/sync/syncReviews'
import type { GoogleFault } from '../../support/stand-ins/google'
import { dying } from './support/dying'
import { platformWorld } from './support/platform-world'

const hour = 3_600_000
let world: Awaited<ReturnType<typeof platformWorld>>
beforeEach(async () => {
  world = await platformWorld()
})
afterEach(() => world.bench.stop())

const write = (id: string, agoMs = 0) => {
  const at = world.bench.now.getTime() - agoMs
  world.google.reviews.set(id, { id, stars: 5, text: `text ${id}`, author: 'Ann', created: at, updated: at })
}
/** Reviews of so many pages, the newest first. */
const fill = (count: number) => {
  for (let n = 0; n < count; n++) write(`r${n}`, n * 60_000)
}
const rows = () => world.owner.rows(Review).list({ limit: 1_000 })
const gone = async () =>
  (await rows())
    .flatMap((row) => (typeof row.removed_at_source_at === 'string' ? [row.source_id] : []))
    .sort()
const status = async () => (await world.owner.rows(SyncStatus).list())[0]
const listing = async () => (await world.owner.rows(ReviewListing).list())[0]
/** The offsets that a run asks for, with these faults at its pages. */
const pagesOf = async (faults: readonly (GoogleFault | number | null)[] = []) => {
  world.google.faults.push(
    ...faults.map((fault) =>
      typeof fault === 'number' ? ({ kind: 'status', status: fault } as const) : fault,
    ),
  )
  world.google.pages.splice(0)
  await world.sync().catch(() => {})
  return [...world.google.pages]
}
const isSound = async () => (await world.bench.command('review verify', {})).sound as unknown as boolean

describe('A reading that is interrupted', () => {
  test.each([429, 503])(
    'by a %d has stored what it read, and goes on at the page it was refused',
    async (code) => {
      fill(220)
      expect(await pagesOf([null, null, code])).toEqual([0, 50, 100])
      expect(await rows()).toHaveLength(100)
      expect(await isSound()).toBe(true)
      world.later(60_000)
      expect(await pagesOf([code])).toEqual([100])
      world.later(60_000)
      expect(await pagesOf()).toEqual([100, 150, 200])
      expect(await rows()).toHaveLength(220)
      expect(await isSound()).toBe(true)
      expect(await status()).toMatchObject({
        status: 'partial',
        complete: false,
        items_seen: 220,
        items_changed: 220,
        error: 'The reading was not complete: it was interrupted and continued later',
      })
      expect((await listing())?.reading).toBeUndefined()
      // Nothing was here before that could be missing, so the proof can wait for an hour.
      world.later(hour)
      expect(await pagesOf()).toEqual([0, 50, 100, 150, 200])
      expect(await status()).toMatchObject({ status: 'succeeded', complete: true })
    },
  )

  test('by a process that dies, at whatever write, loses nothing and writes nothing twice', async () => {
    await world.rules({ newest_days: 365 })
    fill(120)
    for (let writes = 0, died = true; died; writes += 17) {
      died = await world.sync(dying(writes)).then(
        () => false,
        (error: Error) => error.message === 'killed',
      )
      expect(await isSoundOrUnwritten()).toBe(true)
    }
    await world.sync()
    const found = await rows()
    expect(found.map(({ source_id }) => source_id).sort()).toEqual([...world.google.reviews.keys()].sort())
    expect(found.every(({ auto_response_status }) => auto_response_status === 'pending')).toBe(true)
    expect(await isSound()).toBe(true)
  })

  test('removes nothing by itself: another one from the first page follows at once, and does', async () => {
    fill(120)
    await world.sync()
    world.google.reviews.delete('r110')
    world.later(25 * hour)
    expect(await pagesOf([null, 503])).toEqual([0, 50])
    expect(await gone()).toEqual([])
    world.later(hour)
    const seen: string[][] = []
    world.google.between = () => void gone().then((ids) => seen.push(ids))
    expect(await pagesOf()).toEqual([50, 100, 0, 50, 100])
    expect([seen.flat(), await gone()]).toEqual([[], ['r110']])
    expect(await status()).toMatchObject({ status: 'succeeded', complete: true })
  })

  test('begins anew when the count changed meanwhile', async () => {
    fill(120)
    await world.sync()
    world.later(25 * hour)
    expect(await pagesOf([null, 503])).toEqual([0, 50])
    write('new')
    world.google.reviews.delete('r90')
    world.google.reviews.delete('r91')
    world.later(hour)
    expect(await pagesOf()).toEqual([50, 0, 50, 100])
    expect(await gone()).toEqual(['r90', 'r91'])
    expect(await status()).toMatchObject({ status: 'succeeded', complete: true, items_seen: 119 })
  })

  test('begins anew when its page token has expired', async () => {
    fill(120)
    expect(await pagesOf([null, 503])).toEqual([0, 50])
    world.later(hour)
    expect(await pagesOf([400])).toEqual([50, 0, 50, 100])
    expect(await rows()).toHaveLength(120)
    expect(await status()).toMatchObject({ status: 'succeeded', complete: true, items_seen: 120 })
  })

  test('is left behind when what stopped it is not passing', async () => {
    fill(120)
    expect(await pagesOf([null, 503])).toEqual([0, 50])
    const fault = { kind: 'permanent', message: 'no' } as const
    const job = { id: 'job_1', workspace_id: world.workspace_id, attempt: 1, saved: {} }
    await world.asJob(async (ctx) =>
      syncReviews.onDeadLetter?.(ctx, { location_id: world.location_id, manual: false }, fault, job),
    )
    expect((await listing())?.reading).toBeUndefined()
    expect(await pagesOf()).toEqual([0, 50, 100])
  })

  test('is gone on with by a look, too', async () => {
    fill(20)
    await world.sync()
    world.later(hour)
    for (let n = 0; n < 130; n++) write(`new${n}`, n)
    expect(await pagesOf([null, 503])).toEqual([0, 50])
    expect(await rows()).toHaveLength(70)
    world.later(60_000)
    expect((await pagesOf()).slice(0, 2)).toEqual([50, 100])
    expect(await rows()).toHaveLength(150)
  })
})

describe('A review that cannot be read', () => {
  test('is set aside and named; the others are stored, and nothing is removed', async () => {
    fill(60)
    await world.sync()
    world.google.reviews.delete('r59')
    write('new')
    world.later(25 * hour)
    expect(await pagesOf([{ kind: 'broken' }])).toEqual([0, 50])
    const ids = (await rows()).map(({ source_id }) => source_id)
    expect([ids.includes('new'), ids.length, await gone()]).toEqual([false, 60, []])
    const { status: is, complete, error } = (await status()) ?? {}
    expect([is, complete]).toEqual(['partial', false])
    expect(error).toMatch(/the source returned unreadable reviews \(1, the first for its .*createTime/)
    world.later(25 * hour)
    await world.sync()
    expect([(await rows()).length, await gone()]).toEqual([61, ['r59']])
  })
})

/** A process that was killed between the ledger and a row leaves a review without its row, and nothing else. */
async function isSoundOrUnwritten(): Promise<boolean> {
  const { sound, chains } = (await world.bench.command('review verify', {})) as unknown as {
    sound: boolean
    chains: { strays?: string[] }[]
  }
  return sound || chains.every(({ strays = [] }) => strays.every((stray) => stray.endsWith(': no row')))
}
