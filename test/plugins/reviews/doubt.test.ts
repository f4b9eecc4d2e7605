import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { PageContext } from '../../../core/contracts/page'
import { where } from '../../../core/contracts/where'
import { getActiveSyncs } from '../../../core/tenancy/news/getActiveSyncs'
import { Notification } from '../../../core/tenancy/news/Notification'
import { SyncStatus } from '../../../core/tenancy/news/SyncStatus'
import { doubtCard } from '../../../plugins/reviews/cards/doubt'
import { doubtsInbox } from '../../../plugins/reviews/cards/doubts'
import { loadReview } from '../../../plugins/reviews/pages/loadReview'
import { loadReviews } from '../../../plugins/reviews/pages/loadReviews'
import { ReviewListing } from '../../../plugins/reviews/records/ReviewListing'
import { requestReply } from '../../../plugins/reviews/reply/requestReply'
import { inEnglish } from '../../support/english-entries'
import { part } from '../../support/part'
import { cutReviews, leftOutWorld } from './support/left-out-world'

const hour = 3_600_000
const day = 24 * hour
const rules = { delay_min_minutes: 30, delay_max_minutes: 30 }
let world: Awaited<ReturnType<typeof leftOutWorld>>
beforeEach(async () => {
  world = await leftOutWorld()
  await world.rules(rules)
})
afterEach(() => world.bench.stop())

/** A location with that many reviews that its owner answered a month ago, as the first sync reads it. */
async function answered(count: number) {
  const at = world.bench.now.getTime() - 30 * day
  const reply = { text: 'Thank you', at: at + hour, state: 'APPROVED' }
  for (let n = 0; n < count; n++)
    world.write('222', `old${n}`, { created: at + n * 1_000, updated: at + n * 1_000, reply: { ...reply } })
  await world.sync()
}
const rowOf = async (source_id: string) => {
  const row = (await world.rowsOf('222')).find((one) => one.source_id === source_id)
  if (!row) throw new Error(`no row ${source_id}`)
  return row
}
/** A review that waits for its automatic reply. */
async function waiting(id = 'new') {
  world.write('222', id)
  await world.sync()
  expect(await rowOf(id)).toMatchObject({ auto_response_status: 'pending' })
}
const sent = () => world.google.replies.map(({ review }) => review)
const isSound = async () => String((await world.bench.command('review verify', {})).sound) === 'true'
const news = (type: string) => world.owner.rows(Notification).list({ where: where.eq('type', type) })
const unanswer = (...ids: string[]) => {
  for (const id of ids) delete world.google.reviews.get(id)?.reply
}

describe('A lost reply', () => {
  const listing = async () => {
    const [one] = await world.owner
      .rows(ReviewListing)
      .list({ where: where.eq('location_id', (await rowOf('old1')).location_id) })
    return one
  }

  test('dates the contradiction to the last sync that missed it, and to the one that explains it', async () => {
    await answered(3)
    expect((await listing())?.replies_lost_at).toBeUndefined()
    const reply = world.google.reviews.get('old1')?.reply
    unanswer('old1')
    const lostAt: string[] = []
    const look = async () => {
      world.later(hour)
      await world.sync()
      const { replies_lost_at = '', replies_lost_from = '' } = (await listing()) ?? {}
      expect(replies_lost_from).toBe('google')
      lostAt.push(replies_lost_at)
    }
    await look()
    await look()
    const kept = world.google.reviews.get('old1')
    if (kept && reply) kept.reply = reply
    await look()
    await look()
    const [first = '', second = '', explained = '', after = ''] = lostAt
    expect([first < second, second < explained, after]).toEqual([true, true, explained])
  })
})

describe('A review that Google says not to have', () => {
  test('once, by a stray answer, is answered all the same', async () => {
    await answered(3)
    await waiting()
    let isStray = true
    world.cut('222', (answer) => {
      if ('reviews' in (answer as object) || !isStray) return answer
      isStray = false
      return null
    })
    await world.hours(1)
    expect([isStray, sent(), (await rowOf('new')).auto_response_status]).toEqual([false, ['new'], 'sent'])
  })

  test.each([6, 60])('while its location is away for %i hours is answered when it is back', async (hours) => {
    await answered(3)
    await waiting()
    world.cut('222', () => null)
    await world.hours(hours)
    expect(await rowOf('new')).toMatchObject({ auto_response_status: 'pending' })
    world.cut('222', null)
    await world.hours(8)
    expect([sent(), (await rowOf('new')).auto_response_status]).toEqual([['new'], 'sent'])
  })

  test('while its location is away for good fails, and people are told', async () => {
    await answered(3)
    await waiting()
    world.cut('222', () => null)
    await world.hours(90)
    expect(await rowOf('new')).toMatchObject({
      auto_response_status: 'failed',
      auto_response_error: expect.stringContaining('does not know the location either'),
    })
    expect(await news('reply_failed')).toHaveLength(1)
  })

  test('while it says so of every review, but lists others, waits', async () => {
    await answered(3)
    await waiting()
    world.cut('222', (answer) => ('reviews' in (answer as object) ? answer : null))
    await world.hours(6)
    expect(await rowOf('new')).toMatchObject({ auto_response_status: 'pending' })
    world.cut('222', null)
    await world.hours(5)
    expect(sent()).toEqual(['new'])
  })

  test('and that is really gone is skipped with the reason', async () => {
    await answered(3)
    await waiting()
    world.google.reviews.delete('new')
    world.later(hour)
    await world.sendDue()
    expect(await rowOf('new')).toMatchObject({
      auto_response_status: 'skipped',
      auto_response_reason: 'removed',
    })
  })

  test('and that was the only one is gone if Google counts none, and not by an empty list', async () => {
    await waiting()
    world.google.reviews.delete('new')
    world.cut('222', (answer) => ('totalReviewCount' in (answer as object) ? {} : answer))
    world.later(hour)
    await world.sendDue()
    expect(await rowOf('new')).toMatchObject({ auto_response_status: 'pending' })
    world.cut('222', null)
    world.later(hour)
    await world.sendDue()
    expect(await rowOf('new')).toMatchObject({ auto_response_reason: 'removed' })
  })
})

describe('A reply that the owner withdrew at Google', () => {
  test('is believed after two complete syncs an hour apart that show the others, and a day later replies go on', async () => {
    await answered(8)
    await waiting()
    unanswer('old3')
    await world.sync()
    expect(await rowOf('old3')).toMatchObject({ reply_text: 'Thank you', needs_response: false })
    expect(await world.doubtOf('222')).toMatchObject({ about: 'replies' })
    await world.hours(3)
    expect(await rowOf('old3')).toMatchObject({ needs_response: true })
    expect((await rowOf('old3')).reply_text).toBeUndefined()
    expect(await world.doubtOf('222')).toMatchObject({ about: 'automatic_replies' })
    expect([await isSound(), sent()]).toEqual([true, []])
    await world.hours(20)
    expect(sent()).toEqual([])
    await world.hours(6)
    expect([await world.doubtOf('222'), sent(), await isSound()]).toEqual([null, ['new'], true])
    expect(await news('location_in_doubt')).toHaveLength(1)
  })

  test('with many others at once is believed after a week, and people see the doubt until then', async () => {
    await answered(20)
    unanswer('old1', 'old2', 'old3', 'old4', 'old5', 'old6')
    for (let days = 0; days < 6; days++) await world.hours(1, 1).then(() => world.later(23 * hour))
    expect(await world.doubtOf('222')).toMatchObject({ about: 'replies' })
    expect(await rowOf('old1')).toMatchObject({ reply_text: 'Thank you' })
    for (let days = 0; days < 3; days++) await world.hours(1, 1).then(() => world.later(23 * hour))
    expect((await rowOf('old1')).reply_text).toBeUndefined()
    expect(await isSound()).toBe(true)
  })

  test('at several locations of an account at once is an outage, although it is one reply each', async () => {
    const ids = ['222', '301', '302', '303', '304', '305', '306']
    for (const id of ids.slice(1)) await world.addLocation(id)
    const at = world.bench.now.getTime() - 30 * day
    for (const id of ids)
      for (let n = 0; n < 3; n++)
        world.write(id, `r${n}`, {
          created: at,
          updated: at,
          reply: { text: 'Thanks', at, state: 'APPROVED' },
        })
    await world.hours(1)
    for (const id of ids) {
      const review = [...world.standIn(id).reviews.values()][0]
      delete review?.reply
    }
    await world.hours(12)
    for (const id of ids)
      expect((await world.rowsOf(id)).filter(({ reply_text }) => reply_text === undefined)).toEqual([])
  })
})

describe('While known replies are missing', () => {
  const text = 'Dear Ann, thank you.'
  async function doubted() {
    await answered(8)
    world.write('222', 'open', { stars: 2, text: 'Cold soup' })
    await world.sync()
    world.cut('222', cutReviews('reviewReply'))
  }
  const ask = async (more: object = {}) =>
    requestReply(world.owner, { review_id: (await rowOf('open')).id, text, ...more })

  test('people cannot send a new reply, and read why and when they can', async () => {
    await doubted()
    await world.hours(1)
    await expect(ask()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/^Google no longer returns 8 replies .* as soon as Google returns them/),
    })
    world.cut('222', null)
    await world.hours(1)
    // A day without automatic replies follows, but people decide for themselves.
    expect(await world.doubtOf('222')).toMatchObject({ about: 'automatic_replies' })
    await ask()
    await world.act((await rowOf('open')).id)
    expect(world.google.replies).toEqual([{ review: 'open', text }])
  })

  test('a reply of a person that was requested before is not sent, and waits', async () => {
    await doubted()
    await ask()
    const { id } = await rowOf('open')
    // The owner answers at Google, which leaves it out.
    const own = { text: 'By hand', at: world.bench.now.getTime(), state: 'APPROVED' }
    Object.assign(world.google.reviews.get('open') ?? {}, { reply: own })
    await expect(world.act(id)).rejects.toMatchObject({ kind: 'transient' })
    expect([world.google.replies, await world.doubtOf('222')]).toMatchObject([[], { about: 'replies' }])
    world.cut('222', null)
    await world.hours(1)
    await world.act(id, 2)
    expect(world.google.replies).toEqual([])
    expect(world.google.reviews.get('open')?.reply?.text).toBe('By hand')
  })

  test('a deletion is not taken for done, because nothing is shown', async () => {
    await doubted()
    const { id } = await rowOf('old2')
    await requestReply(world.owner, { review_id: id, replaces: 'Thank you' })
    await expect(world.act(id)).rejects.toMatchObject({ kind: 'transient' })
    expect(await rowOf('old2')).toMatchObject({ reply_text: 'Thank you' })
    world.cut('222', null)
    await world.hours(1)
    await world.act(id, 2)
    expect(world.google.deleted).toEqual(['old2'])
  })

  test('the look before sending finds it before any sync does', async () => {
    await answered(8)
    await waiting()
    world.later(hour)
    world.cut('222', cutReviews('reviewReply'))
    await world.sendDue()
    expect([sent(), await world.doubtOf('222')]).toMatchObject([[], { about: 'replies' }])
  })

  test('it is shown on pages, in the inbox, in answers and to people once', async () => {
    await doubted()
    await world.hours(3)
    const { workspace_id, location_id, bench } = world
    const doubt = await world.doubtOf('222')
    expect(doubt?.why).toStartWith('Google no longer returns 8 replies that are stored here.')
    const read = bench.read(workspace_id)
    const person = { id: 'usr_1', role: 'owner' }
    const ctx = { ...read, person, system: bench.owner, isDemo: false } as unknown as PageContext
    expect(inEnglish(await doubtsInbox.list(ctx, 5))).toMatchObject([{ id: location_id, text: doubt?.why }])
    expect((await loadReviews(ctx, new URLSearchParams(), { beside: null })).doubts).toMatchObject([
      { name: 'Acme', doubt },
    ])
    const { id: review } = await rowOf('open')
    expect((await loadReview(ctx, review))?.why_not).toContain('Until then, reply on Google itself.')
    expect(await doubtCard.load(ctx, part({ id: location_id }))).toEqual(doubt)
    const { problems } = (await getActiveSyncs.run(ctx, {})) as { problems: object[] }
    expect(problems).toContainEqual(
      expect.objectContaining({ kind: 'location_in_doubt', location_id, why: doubt?.why }),
    )
    const [status] = await world.owner.rows(SyncStatus).list({ where: where.eq('kind', 'reviews') })
    expect(status).toMatchObject({ status: 'partial', error: doubt?.why })
    expect(await news('location_in_doubt')).toHaveLength(1)
  })
})

describe('A location without any known reply', () => {
  test('sends nothing on the day on which another one of its platform lost replies', async () => {
    await world.addLocation('333')
    await answered(3)
    world.write('333', 'new')
    await world.sync('333')
    world.cut('222', cutReviews('reviewReply'))
    await world.sync('222')
    world.later(hour)
    await world.sendDue()
    expect(world.standIn('333').replies).toEqual([])
    world.cut('222', null)
    await world.hours(2)
    expect([world.standIn('333').replies, await world.doubtOf('333')]).toEqual([[], null])
    await world.hours(26)
    expect(world.standIn('333').replies).toHaveLength(1)
  })
})

test('a location with replies sends only after a complete sync that returned one of them', async () => {
  await answered(3)
  await waiting()
  const [listing] = await world.owner.rows(ReviewListing).list()
  await world.owner.rows(ReviewListing).update(listing?.id ?? '', { replies: { missing: {} } })
  world.later(hour)
  await world.sendDue()
  expect(sent()).toEqual([])
  await world.hours(26)
  expect(sent()).toEqual(['new'])
})
