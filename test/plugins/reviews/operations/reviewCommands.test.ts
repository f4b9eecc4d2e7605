import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { where } from '../../../../core/contracts/where'
import { Job } from '../../../../core/jobs/Job'
import { AuditEntry } from '../../../../core/tenancy/audit/AuditEntry'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { SyncStatus } from '../../../../core/tenancy/news/SyncStatus'
import reviews from '../../../../plugins/reviews'
import { Review } from '../../../../plugins/reviews/records/Review'
import { ReviewListing } from '../../../../plugins/reviews/records/ReviewListing'
import { platformWorld } from '../support/platform-world'

let world: Awaited<ReturnType<typeof platformWorld>>
let review_id = ''
beforeEach(async () => {
  world = await platformWorld()
  await world.rules()
  const at = world.bench.now.getTime()
  const said = { stars: 5, text: 'Lovely', author: 'Ann Lee', created: at, updated: at }
  world.google.reviews.set('a', { id: 'a', ...said })
  await world.sync()
  review_id = (await world.owner.rows(Review).list())[0]?.id ?? ''
})
afterEach(() => world.bench.stop())

const run = (name: string, input: object) => world.bench.command(name, { ...input })
const row = () => world.owner.rows(Review).get(review_id)
const audit = async () =>
  (await world.owner.rows(AuditEntry).list({ where: where.eq('kind', 'location') }))
    .filter(({ action }) => action.includes('review'))
    .map(({ action, what }) => [action, what])

describe('People', () => {
  test('mark a review as read and unread, and each change is in the audit once', async () => {
    expect(await run('review mark', { review_id, state: 'read' })).toMatchObject({ is_read: true })
    await run('review mark', { review_id, state: 'read' })
    expect((await row())?.is_read).toBe(true)
    await run('review mark', { review_id, state: 'unread' })
    expect((await row())?.is_read).toBe(false)
    expect((await audit()).toSorted()).toEqual([
      ['location.review_mark', 'Review marked read'],
      ['location.review_mark', 'Review marked unread'],
    ])
  })

  test('flag a review with a reason and take the flag away', async () => {
    const flagged = await run('review flag', { review_id, reason: ' Talk to the chef ' })
    expect(flagged).toMatchObject({ is_flagged: true, flag_reason: 'Talk to the chef' })
    expect(await run('review unflag', { review_id })).toMatchObject({ is_flagged: false, flag_reason: null })
    expect(await row()).not.toHaveProperty('flag_reason')
    expect((await audit()).map(([action]) => action).toSorted()).toEqual([
      'location.review_flag',
      'location.review_unflag',
    ])
  })

  test('write notes, replace them and remove them', async () => {
    await run('review note set', { review_id, text: 'Called her' })
    expect(await run('review note set', { review_id, text: 'Called her twice' })).toMatchObject({
      notes: 'Called her twice',
    })
    await world.sync()
    expect((await row())?.notes).toBe('Called her twice')
    expect(await run('review note set', { review_id, clear: true })).toMatchObject({ notes: null })
    expect((await audit()).toSorted()).toEqual([
      ['location.review_note', 'Review notes changed'],
      ['location.review_note', 'Review notes changed'],
      ['location.review_note', 'Review notes removed'],
    ])
  })

  test.each([
    ['review mark', { review_id: 'rev_none', state: 'read' }, 'There is no review rev_none.'],
    ['review note set', {}, 'Send either `text` or `clear`.'],
    ['review note set', { text: 'a', clear: true }, 'Send either `text` or `clear`.'],
    ['review flag', { reason: '  ' }, 'Enter why somebody should check it.'],
    ['review note set', { text: 'x'.repeat(5_001) }, 'Use at most 5,000 characters.'],
    ['review sync', { location_id: 'loc_none' }, 'There is no location loc_none.'],
  ])('are told what is wrong: %s (case %#)', async (name, input, why) => {
    const given = name === 'review sync' ? input : { review_id, ...input }
    await expect((async () => run(name, given))()).rejects.toThrow(why)
    expect(await audit()).toEqual([])
  })
})

describe('A location that people want read now', () => {
  const sync = () => run('review sync', { location_id: world.location_id })
  const queued = () => world.owner.rows(Job).list({ where: where.eq('queue', 'sync-reviews') })

  test('is queued as manual, once, with an audit entry', async () => {
    const first = await sync()
    expect(first).toMatchObject({ location_id: world.location_id, deduplicated: false })
    expect(await sync()).toMatchObject({ job_id: first.job_id, deduplicated: true })
    expect(await queued()).toMatchObject([{ payload: { location_id: world.location_id, manual: true } }])
    expect((await audit())[0]).toEqual(['location.reviews_sync', 'Reviews synced on request'])
  })

  test('is read to the end although a look at the newest was queued before it', async () => {
    const payload = { location_id: world.location_id }
    const { workspace_id } = world
    await world.owner.enqueue('sync-reviews', { workspace_id, key: world.location_id, payload })
    world.later(60_000)
    expect(await sync()).toMatchObject({ deduplicated: true })
    const before = (await world.owner.rows(ReviewListing).list())[0]?.last_full_at ?? ''
    await world.sync()
    const after = (await world.owner.rows(ReviewListing).list())[0]?.last_full_at ?? ''
    expect(after > before).toBe(true)
    expect((await world.owner.rows(SyncStatus).list())[0]).toMatchObject({ complete: true })
    world.later(60_000)
    await world.sync()
    expect((await world.owner.rows(ReviewListing).list())[0]?.last_full_at).toBe(after)
  })

  test('is refused with the way out where nothing is read', async () => {
    const rows = world.owner.rows(BusinessLocation)
    await rows.update(world.location_id, { is_active: false })
    await expect(sync()).rejects.toThrow('This location is paused. Activate it first: `location activate`.')
    await rows.update(world.location_id, {
      is_active: true,
      added_via: 'website',
      google_account_id: undefined,
    })
    await expect(sync()).rejects.toThrow('This location has no source of reviews.')
  })
})

test('agents cannot call any of it: no operation writes these fields', () => {
  const names = (reviews.operations ?? []).map(({ name }) => name)
  expect(names).toEqual([
    'getReviewAnalytics',
    'getReputationSummary',
    'listReviewsNeedingResponse',
    'generateReviewReply',
    'explainReviewCount',
  ])
})

describe('review list', () => {
  type Listed = { review_id: string; text: string; reply: string; business: string }
  const list = async (input: object = {}) =>
    (await run('review list', input)).reviews as unknown as readonly Listed[]

  test('shows those that the platform still has, with the name of the business', async () => {
    expect(await list()).toMatchObject([
      { review_id, stars: 5, source: 'google', reviewer: 'Ann Lee', text: 'Lovely' },
    ])
    expect((await list())[0]?.business).toBeString()
    const { location_id } = (await row()) ?? expect.unreachable()
    expect(await list({ location_id })).toHaveLength(1)
    expect(await list({ location_id: 'loc_other' })).toEqual([])
    expect(await list({ workspace_id: 'wsp_other' })).toEqual([])
    await world.owner.rows(Review).update(review_id, { removed_at_source_at: world.bench.now.toISOString() })
    expect(await list()).toEqual([])
  })
  test('shows what waits alone, and makes text of strangers one line', async () => {
    const text = `One\nline\u202e ${'long '.repeat(40)}`
    await world.owner.rows(Review).update(review_id, { needs_response: true, review_text: text })
    const [shown] = await list({ waiting: true })
    expect(shown?.reply).toBe('waiting')
    expect(shown?.text).not.toMatch(/[\n\u202e]/)
    expect([...(shown?.text ?? '')].length).toBeLessThanOrEqual(61)
    await world.owner.rows(Review).update(review_id, { needs_response: false })
    expect(await list({ waiting: true })).toEqual([])
  })
})
