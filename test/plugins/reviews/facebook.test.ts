import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { where } from '../../../core/contracts/where'
import { Connection } from '../../../core/outbound/Connection'
import { SyncStatus } from '../../../core/tenancy/news/SyncStatus'
import type { SourceReview } from '../../../plugins/reviews/contract'
import { asReadReview } from '../../../plugins/reviews/proof/as-read-review'
import { openChain } from '../../../plugins/reviews/proof/ledger'
import { replay } from '../../../plugins/reviews/proof/replay'
import { Review } from '../../../plugins/reviews/records/Review'
import { ReviewListing } from '../../../plugins/reviews/records/ReviewListing'
import { syncReviews } from '../../../plugins/reviews/sync/syncReviews'
import type { FacebookFault } from '../../support/stand-ins/facebook'
import { platformWorld } from './support/platform-world'

const hour = 3_600_000
const day = 24 * hour
let world: Awaited<ReturnType<typeof platformWorld>>
beforeEach(async () => {
  world = await platformWorld({ platform: 'facebook' })
})
afterEach(() => world.bench.stop())

const write = (id: string, changes: object = {}) => {
  const at = Math.floor(world.bench.now.getTime() / 1_000) * 1_000
  const review = { id, stars: 5, text: `text ${id}`, author: 'Ann', created: at, updated: at, ...changes }
  world.facebook.reviews.set(id, review)
  return review
}
const rowOf = async (id: string) => {
  const [row] = await world.owner.rows(Review).list({ where: where.eq('source_id', id) })
  if (!row) throw new Error(`no row ${id}`)
  return row
}
const rowsAt = async (created: number) =>
  world.owner
    .rows(Review)
    .list({ where: where.eq('review_created_at', new Date(created).toISOString()), sort: byName })
const byName = [{ field: 'id', direction: 'asc' }] as const
const fill = (count: number) => {
  for (let n = 0; n < count; n++) write(`777_${n}`, { created: world.bench.now.getTime() - n * 60_000 })
}
const status = async () => (await world.owner.rows(SyncStatus).list())[0]
const page = async () =>
  (await world.owner.rows(Connection).list({ where: where.eq('provider', 'facebook') }))[0]
const error = (code: number, more: object = {}): FacebookFault => ({ kind: 'error', code, ...more })

describe('Recommendations of a Page', () => {
  test('come with their verdict, without stars, and with what the Page answered', async () => {
    write('777_1', { reply: { text: 'Thanks', at: world.bench.now.getTime() } })
    write('777_2', { stars: 1, text: '' })
    await world.sync()
    expect(await rowOf('777_1')).toMatchObject({
      source: 'facebook',
      star_rating: null,
      sentiment: 'positive',
      needs_response: false,
      reply_text: 'Thanks',
      reply_created_at: world.bench.now.toISOString(),
      source_metadata: { recommendation_type: 'positive', reply_comment_id: '777_1_c' },
    })
    expect(await rowOf('777_2')).toMatchObject({
      star_rating: null,
      sentiment: 'negative',
      needs_response: true,
    })
    expect(await rowOf('777_2')).not.toHaveProperty('review_text')
    expect(world.facebook.complaints).toEqual([])
  })

  test('are read to the end of many pages, over empty ones and pages that overlap', async () => {
    fill(80)
    world.facebook.faults.push(null, { kind: 'empty' }, { kind: 'overlap' })
    await world.sync()
    expect(await world.owner.rows(Review).count()).toBe(80)
    expect(await status()).toMatchObject({ source: 'facebook', complete: true, items_seen: 80 })
  })

  test('of old have stars and no story: they are kept, and cannot be answered', async () => {
    await world.rules({ ratings: [1, 2, 3, 4, 5], include_unrated: true })
    const { created } = write('legacy1', { stars: 4 })
    await world.sync()
    const [row] = await rowsAt(created)
    if (!row) throw new Error('no row')
    expect(row.source_id).toStartWith(`legacy:${new Date(created).toISOString()}:`)
    expect([row.star_rating, row.auto_response_status]).toEqual([4, 'skipped'])
  })

  test('that turn are judged anew, and what else is known of them stays', async () => {
    const review = write('777_1')
    await world.sync()
    const { id } = await rowOf('777_1')
    await world.owner.rows(Review).update(id, { source_metadata: { reply_comment_id: 'c' } })
    review.stars = 1
    world.later(25 * hour)
    await world.sync()
    const row = await rowOf('777_1')
    expect([row.sentiment, row.source_metadata]).toMatchObject([
      'negative',
      { recommendation_type: 'negative', reply_comment_id: 'c' },
    ])
  })
})

describe('Reviews without a story', () => {
  const names = (rows: readonly { readonly reviewer_name?: string | undefined }[]) =>
    rows.map(({ reviewer_name }) => reviewer_name).sort()
  const sound = async () => String((await world.bench.command('review verify', {})).sound) === 'true'
  const nextDay = async () => {
    world.later(25 * hour)
    await world.sync()
  }

  /** Makes a row and its log what an earlier version left, with an id of the time alone. */
  async function asEarlierVersion(id: string, source_id: string) {
    const row = await world.owner.rows(Review).update(id, { source_id })
    if (!row) throw new Error('no row')
    const chain = { workspace_id: world.workspace_id, location_id: world.location_id, source: 'facebook' }
    const open = await openChain(world.owner, chain, async () => new Map())
    const [{ source_id: from } = { source_id: '' }] = await seenIn(chain)
    await open.seen({ reviews: [asReadReview(row)], restored: [], adopted: [{ from, to: source_id }] })
    const [listing] = await world.owner.rows(ReviewListing).list()
    await world.owner.rows(ReviewListing).update(listing?.id ?? '', { heads: { facebook: open.head } })
    expect(await sound()).toBe(true)
  }
  async function seenIn(chain: Parameters<typeof replay>[1]) {
    const seen: SourceReview[] = []
    await replay(world.owner, chain, { onSeen: (review) => seen.push(review) })
    return seen
  }

  test.each(['legacy', 'bare'])('of one second are each a row of their own: %s', async (kind) => {
    const { created } = write(`${kind}1`, { author: 'Ann', stars: 5 })
    write(`${kind}2`, { author: 'Ben', stars: 1 })
    write(`${kind}3`, { author: 'Ben Two', stars: 1, text: '' })
    await world.sync()
    expect(names(await rowsAt(created))).toEqual(['Ann', 'Ben', 'Ben Two'])
    await nextDay()
    expect(await world.owner.rows(Review).count()).toBe(3)
    expect(await status()).toMatchObject({ complete: true, status: 'succeeded', items_seen: 3 })
    expect(await sound()).toBe(true)
  })

  test('that are recommendations are stored, cannot be answered, and leave the Page complete', async () => {
    await world.rules({ ratings: [1, 2, 3, 4, 5], include_unrated: true })
    const { created } = write('bare1')
    write('777_1')
    await world.sync()
    const row = (await rowsAt(created)).find(({ source_id }) => source_id.startsWith('storyless:'))
    expect(row).toMatchObject({
      sentiment: 'positive',
      auto_response_status: 'pending',
      star_rating: null,
      source_metadata: { recommendation_type: 'positive', removal_evidence: 'none' },
    })
    expect(await status()).toMatchObject({ complete: true, status: 'succeeded' })
    await nextDay()
    await nextDay()
    expect(await world.owner.rows(Review).count()).toBe(2)
    expect(await world.owner.rows(Review).count(where.ne('removed_at_source_at', null))).toBe(0)
  })

  test('of one second, one of them stored under the key of an earlier version, do not double', async () => {
    const { created } = write('legacy1', { author: 'Ann' })
    await world.sync()
    const [old] = await rowsAt(created)
    const key = `legacy:${new Date(created).toISOString()}`
    await asEarlierVersion(old?.id ?? '', key)
    write('legacy0', { author: 'Zoe' })
    await nextDay()
    const rows = await rowsAt(created)
    expect(names(rows)).toEqual(['Ann', 'Zoe'])
    expect(rows.find(({ reviewer_name }) => reviewer_name === 'Ann')?.id).toBe(old?.id ?? '')
    expect(rows.some(({ source_id }) => source_id === key)).toBe(false)
    await nextDay()
    expect(await world.owner.rows(Review).count()).toBe(2)
    expect(await sound()).toBe(true)
  })

  test.each([
    { fields: ['reviewer'] },
    { fields: ['open_graph_story'] },
    { fields: ['reviewer', 'open_graph_story'] },
    { fields: ['review_text', 'reviewer'] },
  ])('for a day, because Facebook leaves out $fields, are still the same rows', async ({ fields }) => {
    const { created } = write('777_1', {
      author: 'Ann',
      reply: { text: 'Thanks', at: world.bench.now.getTime() },
    })
    write('777_2', { author: 'Ben', stars: 1 })
    write('legacy1', { author: 'Cem' })
    write('bare1', { author: 'Dee', stars: 1 })
    await world.sync()
    const before = (await rowsAt(created)).map(({ id, source_id }) => [id, source_id])
    for (const field of fields) world.facebook.without.add(field)
    await nextDay()
    const during = await rowsAt(created)
    expect(during.map(({ id, source_id }) => [id, source_id])).toEqual(before)
    expect(during.find(({ source_id }) => source_id === '777_1')).toMatchObject({
      reply_text: 'Thanks',
      needs_response: false,
      source_metadata: { removal_evidence: 'two_whole_readings', reply_comment_id: '777_1_c' },
    })
    world.facebook.without.clear()
    await nextDay()
    expect((await rowsAt(created)).map(({ id, source_id }) => [id, source_id])).toEqual(before)
    expect(await sound()).toBe(true)
  })

  test('that get a story later keep their row, and can then be answered', async () => {
    await world.rules({ include_unrated: true })
    world.facebook.without.add('open_graph_story')
    const { created } = write('777_1')
    await world.sync()
    const [before] = await rowsAt(created)
    expect(before?.source_id).toStartWith('storyless:')
    world.facebook.without.clear()
    await nextDay()
    const rows = await rowsAt(created)
    expect(rows.map(({ id, source_id }) => [id, source_id])).toEqual([[before?.id ?? '', '777_1']])
    expect(rows[0]?.source_metadata).toMatchObject({ removal_evidence: 'two_whole_readings' })
    expect(await sound()).toBe(true)
  })

  test('without an author and without any difference count as one, and prove nothing', async () => {
    world.facebook.without.add('reviewer')
    const { created } = write('legacy1', { text: '' })
    write('legacy2', { text: '' })
    write('legacy3', { text: '', stars: 2 })
    await world.sync()
    expect(await rowsAt(created)).toHaveLength(2)
    expect((await status())?.complete).toBe(false)
  })
})

describe('A recommendation that is missing', () => {
  const isRemoved = async (id: string) => typeof (await rowOf(id)).removed_at_source_at === 'string'

  test('is taken for removed by the second whole reading, an hour later at least, and comes back', async () => {
    fill(3)
    const gone = write('777_gone')
    await world.sync()
    world.facebook.reviews.delete('777_gone')
    world.later(25 * hour)
    await world.sync()
    expect(await isRemoved('777_gone')).toBe(false)
    world.later(30 * 60_000)
    await world.sync()
    expect(await isRemoved('777_gone')).toBe(false)
    world.later(45 * 60_000)
    await world.sync()
    expect(await isRemoved('777_gone')).toBe(true)
    world.facebook.reviews.set('777_gone', gone)
    world.later(25 * hour)
    await world.sync()
    expect((await rowOf('777_gone')).removed_at_source_at).toBeNull()
  })

  test('from two listings that were cut short is there when asked for by itself, and stays', async () => {
    fill(60)
    await world.sync()
    for (let n = 0; n < 3; n++) {
      world.later(25 * hour)
      world.facebook.faults.splice(0, 9, { kind: 'cut' })
      await world.sync()
    }
    expect(await world.owner.rows(Review).count(where.ne('removed_at_source_at', null))).toBe(0)
  })

  test('is not looked for where Facebook hides which story is which', async () => {
    fill(3)
    await world.sync()
    for (let n = 0; n < 3; n++) {
      world.later(25 * hour)
      world.facebook.reviews.delete('777_1')
      world.facebook.faults.splice(0, 9, { kind: 'storyless' }, { kind: 'storyless' })
      await world.sync()
      expect(await status()).toMatchObject({ complete: false })
    }
    expect([await isRemoved('777_0'), await isRemoved('777_1')]).toEqual([false, false])
    expect(await world.owner.rows(Review).count()).toBe(3)
  })
})

describe('Facebook without recommendations', () => {
  const sunset = error(12, { message: '(#12) Recommendation is deprecated for versions v22.0 and higher' })

  test('is told once, keeps every row, and is looked at again a day later', async () => {
    fill(3)
    await world.sync()
    for (let n = 0; n < 3; n++) {
      world.later(25 * hour)
      world.facebook.faults.push(sunset)
      const fault = await world.sync().catch((thrown) => thrown)
      expect(fault).toMatchObject({ kind: 'unsupported', code: '12' })
      const job = { id: 'job_1', workspace_id: world.workspace_id, attempt: 1, saved: {} }
      await world.asJob(async (ctx) =>
        syncReviews.onDeadLetter?.(
          ctx,
          { location_id: world.location_id, manual: false },
          { kind: 'unsupported', message: fault.message },
          job,
        ),
      )
    }
    expect(world.news).toEqual(['source_unavailable'])
    expect((await page())?.state).toBe('source_unavailable')
    expect(await world.owner.rows(Review).count(where.eq('removed_at_source_at', null))).toBe(3)
    const [listing] = await world.owner.rows(ReviewListing).list()
    expect(listing?.due_at).toBe(new Date(world.bench.now.getTime() + day).toISOString())
    world.later(day)
    await world.sync()
    expect((await page())?.state).toBe('connected')
  })
})

describe('A fault of Facebook is known by its code', () => {
  const wait = { 'x-business-use-case-usage': '{"777":[{"estimated_time_to_regain_access":7}]}' }
  test.each([
    [error(190, { subcode: 463 }), { kind: 'auth', code: '190' }],
    [error(102), { kind: 'auth' }],
    [error(1), { kind: 'transient' }],
    [error(2), { kind: 'transient' }],
    [error(4), { kind: 'rate' }],
    [error(32, { headers: wait }), { kind: 'rate', retryAfterMs: 7 * 60_000 }],
    [error(613), { kind: 'rate' }],
    [error(80_001), { kind: 'rate' }],
    [error(10), { kind: 'permission' }],
    [error(283), { kind: 'permission', code: '283' }],
    [error(12, { message: '(#12) singular statuses API is deprecated' }), { kind: 'permanent' }],
    [error(100), { kind: 'permanent', code: '100' }],
    [error(368), { kind: 'permanent' }],
    [{ kind: 'html' } as const, { kind: 'transient' }],
  ])('%j', async (fault, expected) => {
    world.facebook.faults.push(fault)
    await expect(world.sync()).rejects.toMatchObject(expected)
  })

  test('a dead token breaks the connection and is told once', async () => {
    world.facebook.faults.push(error(190, { subcode: 460 }))
    await expect(world.sync()).rejects.toMatchObject({ kind: 'auth' })
    await expect(world.sync()).rejects.toMatchObject({ kind: 'auth' })
    expect([(await page())?.state, world.news]).toEqual(['broken', ['connection_broken']])
  })
})

describe('A reply below a recommendation', () => {
  const waiting = async () => {
    await world.rules({ include_unrated: true })
    write('777_1')
    await world.sync()
    return (await rowOf('777_1')).id
  }

  test('is one comment, whose id is kept', async () => {
    const id = await waiting()
    await world.reply(id)
    expect(world.facebook.replies).toHaveLength(1)
    expect(await rowOf('777_1')).toMatchObject({
      auto_response_status: 'sent',
      source_metadata: { recommendation_type: 'positive', reply_comment_id: '777_1_c' },
    })
  })

  test('whose answer was lost is looked for among all comments, and not written again', async () => {
    const id = await waiting()
    world.facebook.strangers = 120
    world.facebook.replyFaults.push('lost')
    await expect(world.reply(id)).rejects.toMatchObject({ kind: 'transient' })
    await world.reply(id, 2)
    expect(world.facebook.replies).toHaveLength(1)
    expect((await rowOf('777_1')).auto_response_status).toBe('sent')
  })

  test('is not written where it cannot be seen whether it stands already', async () => {
    const id = await waiting()
    world.facebook.readFaults.push(error(2))
    await expect(world.reply(id)).rejects.toMatchObject({ kind: 'transient' })
    expect(world.facebook.replies).toEqual([])
  })

  test('is skipped where the Page has answered by hand', async () => {
    const id = await waiting()
    Object.assign(world.facebook.reviews.get('777_1') ?? {}, { reply: { text: 'by hand', at: 0 } })
    await world.reply(id)
    expect(world.facebook.replies).toEqual([])
    expect(await rowOf('777_1')).toMatchObject({ auto_response_status: 'skipped', reply_text: 'by hand' })
  })
})
