import { afterEach, describe, expect, test } from 'bun:test'
import { where } from '../../../core/contracts/where'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { Notification } from '../../../core/tenancy/news/Notification'
import { SyncStatus } from '../../../core/tenancy/news/SyncStatus'
import { Review } from '../../../plugins/reviews/records/Review'
import { ReviewListing } from '../../../plugins/reviews/records/ReviewListing'
import { syncReviews } from '../../../plugins/reviews/sync/syncReviews'
import { platformWorld } from './support/platform-world'

const refusedKey = 'Google refused PLACES_API_KEY: The stand-in says 403'
const hour = 3_600_000
const minute = 60_000
let world: Awaited<ReturnType<typeof platformWorld>>
const begin = async (platform: 'places' | 'dataforseo', settings: Record<string, string> = {}) => {
  world = await platformWorld({ platform, settings })
}
afterEach(() => world.bench.stop())

const write = (id: string, changes: object = {}) => {
  const at = Math.floor(world.bench.now.getTime() / 1_000) * 1_000
  const review = {
    id,
    stars: 5,
    text: `text ${id}`,
    author: `Ann ${id}`,
    created: at,
    updated: at,
    ...changes,
  }
  world.google.reviews.set(id, review)
}
const rows = () => world.owner.rows(Review).list({ where: where.eq('location_id', world.location_id) })
const status = async () => (await world.owner.rows(SyncStatus).list())[0]
const due = async () => (await world.owner.rows(ReviewListing).list())[0]?.due_at
const inMs = (ms: number) => new Date(world.bench.now.getTime() + ms).toISOString()
/** Reads as often as it takes. */
async function read() {
  for (let attempt = 1; ; attempt++) {
    try {
      return await world.again(attempt)
    } catch (error) {
      if ((error as { code?: string }).code !== 'not_ready') throw error
    }
  }
}

describe('A place', () => {
  test('gives its figures and five reviews, in the words of their writers, once a day', async () => {
    await begin('places')
    for (let n = 0; n < 9; n++) write(`r${n}`)
    await world.sync()
    expect(await rows()).toHaveLength(5)
    expect((await rows()).find(({ source_id }) => source_id === 'ChZDr1')).toMatchObject({
      source: 'google',
      google_review_id: 'ChZDr1',
      star_rating: 5,
      review_text: 'text r1',
      review_language: 'de',
      reviewer_name: 'Ann r1',
    })
    expect(await world.location()).toMatchObject({ total_reviews: 9, average_rating: 5 })
    expect((await world.location()).review_count_recheck_after).toBeUndefined()
    expect((await world.location()).last_full_review_sync_at).toBeUndefined()
    expect(await status()).toMatchObject({ source: 'places', status: 'succeeded', complete: false })
    expect([await due(), world.places.complaints]).toEqual([inMs(24 * hour), []])
  })

  test('whose key is refused says which setting that is, and tells it once', async () => {
    await begin('places')
    for (let n = 0; n < 2; n++) {
      world.places.faults.push(403)
      const fault = await world.sync().catch((error) => error)
      expect(fault).toMatchObject({ kind: 'permission', message: refusedKey })
      const info = { kind: fault.kind, code: fault.code, message: fault.message }
      const job = { id: 'job_1', workspace_id: world.workspace_id, attempt: 1, saved: {} }
      await world.asJob(async (ctx) =>
        syncReviews.onDeadLetter?.(ctx, { location_id: world.location_id, manual: false }, info, job),
      )
    }
    expect(await status()).toMatchObject({ status: 'failed', error: refusedKey })
    const news = await world.owner.rows(Notification).list()
    expect(news).toMatchObject([
      {
        type: 'reviews_unread',
        title: 'Reviews cannot be read',
        severity: 'warning',
        body: expect.stringContaining('PLACES_API_KEY'),
      },
    ])
  })

  test.each([
    [400, 'permanent'],
    [403, 'permission'],
    [429, 'rate'],
    [503, 'transient'],
  ])('that answers %d is a fault: %s', async (code, kind) => {
    await begin('places')
    world.places.faults.push(code)
    await expect(world.sync()).rejects.toMatchObject({ kind })
  })

  test('is not asked beyond the day’s allowance, which lasts through restarts', async () => {
    await begin('places', { PLACES_CALLS_PER_DAY: '1' })
    await world.sync()
    await expect(world.sync()).rejects.toMatchObject({ kind: 'quota' })
    world.later(25 * hour)
    await world.sync()
  })
})

describe('An order at DataForSEO', () => {
  test('is placed once, waited for, and read when it is ready', async () => {
    await begin('dataforseo')
    write('r1', { reply: { text: 'Thanks', at: world.bench.now.getTime() } })
    world.dataforseo.waits = 2
    const waits: number[] = []
    for (let attempt = 1; attempt <= 3; attempt++) {
      const fault = await world.again(attempt).catch((thrown) => thrown)
      expect(fault).toMatchObject({ kind: 'transient', code: 'not_ready' })
      waits.push(fault.retryAfterMs / minute)
      expect((await status())?.status).toBe('running')
    }
    await world.again(4)
    expect(waits).toEqual([1, 2, 4])
    expect(world.dataforseo.orders).toEqual([
      {
        keyword: 'Acme, Leeds',
        location_code: 2_826,
        language_code: 'en',
        depth: 100,
        sort_by: 'newest',
        priority: 1,
        tag: world.location_id,
      },
    ])
    expect(await rows()).toMatchObject([
      { source_id: 'ChZDr1', star_rating: 5, reviewer_is_local_guide: true, reply_text: 'Thanks' },
    ])
    expect(await world.location()).toMatchObject({ total_reviews: 412, average_rating: 4.6 })
    expect([await due(), world.dataforseo.complaints]).toEqual([inMs(24 * hour), []])
  })

  test('with a wrong password is refused, and the settings are named', async () => {
    await begin('dataforseo', { DATAFORSEO_PASSWORD: 'wrong' })
    await expect(world.again(1)).rejects.toMatchObject({
      kind: 'auth',
      message: 'DataForSEO refused DATAFORSEO_LOGIN and DATAFORSEO_PASSWORD: You are not Authorized.',
    })
  })

  test('that is not known there any more is placed again', async () => {
    await begin('dataforseo')
    write('r1')
    await world.again(1).catch(() => {})
    world.dataforseo.faults.push({ task: 40_401 })
    await expect(world.again(2)).rejects.toMatchObject({ kind: 'transient', code: 'unknown_order' })
    await read()
    expect([world.dataforseo.orders.length, (await rows()).length]).toEqual([2, 1])
  })

  test.each([
    [{ top: 40_100 }, { kind: 'auth' }],
    [{ top: 40_200 }, { kind: 'quota' }],
    [{ task: 40_202 }, { kind: 'rate' }],
    [{ task: 40_501 }, { kind: 'permanent', code: '40501' }],
    [{ task: 40_101 }, { kind: 'transient' }],
    [{ top: 50_000 }, { kind: 'transient' }],
  ])('is refused with a code inside a 200: %j', async (fault, expected) => {
    await begin('dataforseo')
    world.dataforseo.faults.push(fault)
    await expect(world.again(1)).rejects.toMatchObject(expected)
  })

  test('by name whose search found another business brings nothing', async () => {
    await begin('dataforseo')
    write('r1')
    world.dataforseo.title = 'Globex'
    await expect(read()).rejects.toMatchObject({ kind: 'permanent' })
    expect(await rows()).toEqual([])
  })

  test.each([
    ['us', 2_840],
    ['Germany', 2_276],
  ])(
    'names the country %s by its number, and the place where it is known',
    async (country, location_code) => {
      await begin('dataforseo')
      const changes = { country, google_place_id: 'ChIJx' }
      await world.owner.rows(BusinessLocation).update(world.location_id, changes)
      await read()
      expect(world.dataforseo.orders[0]).toMatchObject({ location_code, place_id: 'ChIJx' })
      expect(world.dataforseo.orders[0]).not.toHaveProperty('keyword')
    },
  )

  test('is not placed where the country is unknown or the day’s reviews are used up', async () => {
    await begin('dataforseo', { DATAFORSEO_REVIEWS_PER_DAY: '99' })
    await expect(read()).rejects.toMatchObject({ kind: 'quota' })
    await world.owner.rows(BusinessLocation).update(world.location_id, { country: 'Narnia' })
    await expect(read()).rejects.toMatchObject({ kind: 'permanent' })
    expect(world.dataforseo.orders).toEqual([])
  })
})

describe.each(['places', 'dataforseo'] as const)('Rows that came from %s', (platform) => {
  test('are never taken for removed, whatever is missing how often', async () => {
    await begin(platform)
    for (let n = 0; n < 5; n++) write(`r${n}`)
    await read()
    world.google.reviews.clear()
    for (let n = 0; n < 4; n++) {
      world.later(25 * hour)
      await read()
    }
    expect((await rows()).filter((row) => typeof row.removed_at_source_at === 'string')).toEqual([])
    expect(await rows()).toHaveLength(5)
  })

  test('are the same rows when the location moves to the profile API, and the chain follows', async () => {
    await begin(platform)
    for (let n = 0; n < 4; n++) write(`r${n}`)
    await read()
    const before = (await rows()).map(({ id }) => id).sort()
    write('new')
    world.google.reviews.delete('r3')
    await world.owner.rows(BusinessLocation).update(world.location_id, {
      added_via: 'gbp_oauth',
      google_account_id: 'accounts/111',
      google_location_id: 'locations/222',
    })
    world.later(25 * hour)
    await world.sync()
    const after = await rows()
    expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(before))
    expect(after.map(({ source_id }) => source_id).sort()).toEqual(['ChZDr3', 'new', 'r0', 'r1', 'r2'])
    for (const row of after) {
      expect(row.google_review_id).toBe(row.source_id)
      expect(row.gbp_api_synced_at === undefined).toBe(row.source_id === 'ChZDr3')
      expect(typeof row.removed_at_source_at).not.toBe('string')
    }
    expect(await world.bench.command('review verify', {})).toMatchObject({ sound: true })
    world.later(25 * hour)
    await world.sync()
    expect(await rows()).toHaveLength(5)
  })

  test('are recognised under Google’s translation, which only its own API puts beside the words', async () => {
    await begin(platform)
    const texts = ['Sehr lecker', 'Ganz nett', 'Zu laut']
    for (const [n, text] of texts.entries()) write(`r${n}`, { text })
    await read()
    const before = (await rows()).map(({ id }) => id).sort()
    for (const review of world.google.reviews.values()) {
      review.text = `(Translated by Google) Something else\n\n(Original)\n${review.text}`
    }
    await world.owner.rows(BusinessLocation).update(world.location_id, {
      added_via: 'gbp_oauth',
      google_account_id: 'accounts/111',
      google_location_id: 'locations/222',
    })
    world.later(25 * hour)
    await world.sync()
    expect((await rows()).map(({ id }) => id).sort()).toEqual(before)
    expect((await rows()).every(({ review_text = '' }) => review_text.startsWith('(Translated'))).toBe(true)
  })
})
