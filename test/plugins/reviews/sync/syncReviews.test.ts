import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { where } from '../../../../core/contracts/where'
import { Job } from '../../../../core/jobs/Job'
import { Connection } from '../../../../core/outbound/Connection'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { getActiveSyncs } from '../../../../core/tenancy/news/getActiveSyncs'
import { SyncStatus } from '../../../../core/tenancy/news/SyncStatus'
import { Review } from '../../../../plugins/reviews/records/Review'
import { ReviewListing } from '../../../../plugins/reviews/records/ReviewListing'
import { begin, dueReviews, findLocations } from '../../../../plugins/reviews/sync/dueReviews'
import { syncReviews } from '../../../../plugins/reviews/sync/syncReviews'
import { part } from '../../../support/part'
import { platformWorld } from '../support/platform-world'

const hour = 3_600_000
let world: Awaited<ReturnType<typeof platformWorld>>
beforeEach(async () => {
  world = await platformWorld()
})
afterEach(() => world.bench.stop())

const write = (id: string, changes: object = {}) => {
  const at = world.bench.now.getTime()
  const review = { id, stars: 5, text: `text ${id}`, author: 'Ann', created: at, updated: at, ...changes }
  world.google.reviews.set(id, review)
  return review
}
const rowOf = async (id: string) => {
  const [row] = await world.owner.rows(Review).list({ where: where.eq('source_id', id) })
  if (!row) throw new Error(`no row ${id}`)
  return row
}
const status = async () => (await world.owner.rows(SyncStatus).list())[0]
const fill = (count: number) => {
  for (let n = 0; n < count; n++) write(`r${n}`, { updated: world.bench.now.getTime() - n * 60_000 })
}

describe('A sync', () => {
  test('brings what the platform shows, and says so', async () => {
    fill(120)
    await world.sync()
    expect(await world.owner.rows(Review).count()).toBe(120)
    expect(await status()).toMatchObject({
      status: 'succeeded',
      items_seen: 120,
      items_changed: 120,
      complete: true,
    })
    expect(await world.location()).toMatchObject({ total_reviews: 120, average_rating: 5 })
    expect((await world.location()).last_full_review_sync_at).toBe(world.bench.now.toISOString())
    expect((await world.bench.ask(getActiveSyncs, {}, { workspace: world.workspace_id })).count).toBe(0)
    expect(world.google.complaints).toEqual([])
  })

  test('is among the active ones while it runs, and no longer', async () => {
    fill(60)
    const active: Promise<{ count: number }>[] = []
    const ask = () => world.bench.ask(getActiveSyncs, {}, { workspace: world.workspace_id })
    world.google.between = () => void active.push(ask())
    await world.sync()
    expect(await Promise.all(active)).toMatchObject([
      { count: 1, syncs: [{ kind: 'reviews', source: 'google', status: 'running' }] },
    ])
    expect(await ask()).toMatchObject({ count: 0, syncs: [] })
  })

  test('looks at the newest pages alone, until one brings nothing new', async () => {
    fill(120)
    await world.sync()
    world.later(60_000)
    write('new')
    await world.sync()
    expect(await status()).toMatchObject({
      items_seen: 100,
      items_changed: 1,
      complete: false,
      status: 'succeeded',
    })
  })

  test('of the newest pages stamps only what it changed, and no review as returned by a complete sync', async () => {
    fill(3)
    await world.sync()
    const first = { synced_at: world.bench.now.toISOString(), returned_by: (await rowOf('r0')).returned_by }
    expect(first.returned_by).toBeString()
    world.later(60_000)
    write('new')
    write('r2', { text: 'another text' })
    await world.sync()
    const now = { synced_at: world.bench.now.toISOString() }
    expect(await status()).toMatchObject({ items_changed: 2, complete: false })
    expect(await rowOf('r0')).toMatchObject(first)
    expect(await rowOf('r2')).toMatchObject({ ...now, returned_by: first.returned_by })
    expect(await rowOf('new')).toMatchObject(now)
    expect((await rowOf('new')).returned_by).toBeUndefined()
  })

  test('reads everything once a day, which is how a reply typed at the platform is found', async () => {
    const review = write('a')
    fill(60)
    await world.sync()
    Object.assign(review, { reply: { text: 'by hand', at: world.bench.now.getTime() } })
    world.later(hour)
    review.updated -= 100 * hour
    world.later(24 * hour)
    await world.sync()
    expect(await rowOf('a')).toMatchObject({ reply_text: 'by hand', needs_response: false })
    Object.assign(review, { reply: { text: 'by hand', at: world.bench.now.getTime(), state: 'REJECTED' } })
    world.later(24 * hour)
    await world.sync()
    expect(await rowOf('a')).toMatchObject({
      needs_response: true,
      source_metadata: { reply_state: 'REJECTED' },
    })
    expect((await rowOf('a')).reply_text).toBeUndefined()
  })

  test('reads everything when the count disagrees, and leaves an unexplained difference for a day', async () => {
    fill(10)
    await world.sync()
    world.later(hour)
    world.google.reviews.delete('r9')
    await world.sync()
    expect(typeof (await rowOf('r9')).removed_at_source_at).toBe('string')
    world.google.faults.push(...Array.from({ length: 3 }, () => ({ kind: 'drift' }) as const))
    world.later(hour)
    await world.sync()
    const until = new Date(world.bench.now.getTime() + 24 * hour).toISOString()
    expect((await world.location()).review_count_recheck_after).toBe(until)
    world.later(hour)
    world.google.faults.push({ kind: 'drift' })
    await world.sync()
    expect([(await status())?.items_seen, world.google.faults]).toEqual([9, []])
    await world.sync(undefined, true)
    expect((await world.location()).review_count_recheck_after).toBeUndefined()
  })

  test('takes a review for removed and gives it back as soon as the platform does', async () => {
    fill(3)
    const gone = write('gone')
    await world.sync()
    world.google.reviews.delete('gone')
    world.later(25 * hour)
    await world.sync()
    expect((await rowOf('gone')).removed_at_source_at).toBe(world.bench.now.toISOString())
    world.google.reviews.set('gone', gone)
    world.later(hour)
    await world.sync()
    expect((await rowOf('gone')).removed_at_source_at).toBeNull()
  })

  test('removes nothing when the platform hides one review behind two changes between pages', async () => {
    fill(100)
    const hidden = write('hidden', { updated: world.bench.now.getTime() - 99 * hour })
    await world.sync()
    world.google.reviews.delete('hidden')
    world.later(25 * hour)
    await world.sync()
    expect(typeof (await rowOf('hidden')).removed_at_source_at).toBe('string')
    // One of the first page goes and one far behind comes back: the first of page two slips into page one.
    world.google.between = () => {
      world.google.between = () => {}
      world.google.reviews.delete('r3')
      world.google.reviews.set('hidden', hidden)
    }
    world.later(25 * hour)
    await world.sync()
    for (const id of world.google.reviews.keys()) {
      expect([id, (await rowOf(id)).removed_at_source_at ?? null]).toEqual([id, null])
    }
  })

  test('fails with the reason, and the rows stay', async () => {
    fill(3)
    await world.sync()
    world.google.faults.push({ kind: 'status', status: 403 })
    world.later(hour)
    await expect(world.sync()).rejects.toMatchObject({ kind: 'permission' })
    expect(await status()).toMatchObject({
      status: 'failed',
      error: 'Google refused: The stand-in says FAULT',
    })
    expect(await world.owner.rows(Review).count(where.eq('removed_at_source_at', null))).toBe(3)
  })

  test('reads nothing of a location that is paused', async () => {
    fill(3)
    await world.owner.rows(BusinessLocation).update(world.location_id, { is_active: false })
    await world.sync()
    expect(await world.owner.rows(Review).count()).toBe(0)
    expect(world.google.pages).toEqual([])
  })

  test('that failed for good is tried again after a day and drops what it had read', async () => {
    const [listing] = await world.owner.rows(ReviewListing).list()
    await world.owner.rows(ReviewListing).update(listing?.id ?? '', { reading: { page: 1 } })
    const given = { location_id: world.location_id, manual: false }
    await world.asJob(async (ctx) =>
      syncReviews.onDeadLetter?.(ctx, given, { kind: 'unsupported', message: 'Not offered' }, part({})),
    )
    const [after] = await world.owner.rows(ReviewListing).list()
    expect(after?.due_at).toBe(new Date(world.bench.now.getTime() + 24 * hour).toISOString())
    expect(after?.reading).toBeUndefined()
  })

  test('whose token was refused to the last has a broken connection', async () => {
    const given = { location_id: world.location_id, manual: false }
    const fault = { kind: 'transient' as const, code: 'refused_token', message: 'Google refused the token.' }
    await world.asJob(async (ctx) => syncReviews.onDeadLetter?.(ctx, given, fault, part({})))
    const [google] = await world.owner.rows(Connection).list({ where: where.eq('provider', 'google') })
    expect(google?.state).toBe('broken')
  })

  test('waits as long as the platform asks', async () => {
    world.google.faults.push({ kind: 'status', status: 429, retryAfter: '30' })
    await expect(world.sync()).rejects.toMatchObject({ kind: 'rate', retryAfterMs: 30_000 })
    expect(await status()).toMatchObject({
      status: 'failed',
      items_seen: 0,
      items_changed: 0,
      complete: false,
    })
  })

  test('renews a token that is refused, once', async () => {
    fill(1)
    world.google.faults.push({ kind: 'status', status: 401 })
    await world.sync()
    expect(world.google.tokens.size).toBe(2)
    world.google.faults.push({ kind: 'status', status: 401 }, { kind: 'status', status: 401 })
    world.later(hour)
    await expect(world.sync()).rejects.toMatchObject({ kind: 'transient', code: 'refused_token' })
  })

  test('reads a rating without words or name, and no stars', async () => {
    write('silent', { text: '' })
    write('none', { stars: 0 })
    await world.sync()
    expect(await rowOf('silent')).not.toHaveProperty('review_text')
    expect((await rowOf('none')).star_rating).toBeNull()
  })
})

describe('Locations whose reviews are read', () => {
  const signal = new AbortController().signal
  const listings = async () =>
    (await world.owner.rows(ReviewListing).list())
      .filter(({ due_at }) => due_at !== undefined)
      .map(({ location_id }) => location_id)
      .sort()
  const add = (changes: object) =>
    world.owner.rows(BusinessLocation).insert({
      workspace_id: world.workspace_id,
      business_name: 'B',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
      added_via: 'gbp_oauth',
      google_account_id: '1',
      google_location_id: '2',
      ...changes,
    })

  test('are the active ones with a source, and no prospect and no demo', async () => {
    const second = await add({})
    await add({ is_active: false, is_prospect: true })
    await add({ is_active: false })
    await add({ is_demo: true })
    await add({ added_via: 'website' })
    await findLocations.run(world.owner, signal)
    expect(await listings()).toEqual([world.location_id, second.id].sort())
    await world.owner.rows(BusinessLocation).update(second.id, { is_active: false })
    await findLocations.run(world.owner, signal)
    expect(await listings()).toEqual([world.location_id])
  })

  test('do not begin when the store fails', async () => {
    const fault = Object.assign(new Error('The disk is full'), { code: 'conflict' })
    const rows = () => ({ insert: () => Promise.reject(fault), updateWhere: async () => null })
    const ctx = { now: () => world.bench.now, rows } as never
    await expect(begin(ctx, world.location_id, world.workspace_id)).rejects.toBe(fault)
  })

  test('are put into the queue when they are due, each once', async () => {
    await dueReviews.run(world.owner, signal)
    await dueReviews.run(world.owner, signal)
    expect(await world.owner.rows(Job).list()).toMatchObject([
      { queue: 'sync-reviews', key: world.location_id },
    ])
    await world.sync()
    world.later(14 * 60_000)
    await world.owner.rows(Job).removeWhere({ op: 'and', of: [] })
    await dueReviews.run(world.owner, signal)
    expect(await world.owner.rows(Job).count()).toBe(0)
    world.later(60_000)
    await dueReviews.run(world.owner, signal)
    expect(await world.owner.rows(Job).count()).toBe(1)
  })
})
