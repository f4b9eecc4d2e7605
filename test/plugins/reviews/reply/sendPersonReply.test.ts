import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { OwnerContext } from '../../../../core/contracts/plugin'
import { everything, where } from '../../../../core/contracts/where'
import { Job } from '../../../../core/jobs/Job'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { Notification } from '../../../../core/tenancy/news/Notification'
import { Review } from '../../../../plugins/reviews/records/Review'
import { ReviewListing } from '../../../../plugins/reviews/records/ReviewListing'
import { actOf, cancelReply, requestReply } from '../../../../plugins/reviews/reply/requestReply'
import { sendPersonReply } from '../../../../plugins/reviews/reply/sendPersonReply'
import { platformWorld } from '../support/platform-world'

const minute = 60_000
type World = Awaited<ReturnType<typeof platformWorld>>
let world: World
afterEach(() => world.bench.stop())

const text = 'Dear Ann, we are sorry about the cold soup.'

/** A location with one review of two stars. */
async function begin(platform: 'google' | 'facebook' = 'google', changes: object = {}) {
  world = await platformWorld({ platform })
  const at = world.bench.now.getTime()
  const said = { id: 'a', stars: 2, text: 'Cold soup', author: 'Ann Lee', created: at, updated: at }
  world[platform].reviews.set('a', { ...said, ...changes })
  world.google.mayEdit = true
  await world.sync()
  return (await rowOf()).id
}

const rowOf = async () => {
  const [row] = await world.owner.rows(Review).list({ where: where.eq('source_id', 'a') })
  if (!row) throw new Error('no row')
  return row
}
const act = (id: string) => actOf(world.owner, { id, workspace_id: world.workspace_id })
const stateOf = async (id: string) => (await act(id))?.state
const asked = (id: string, more: object = {}) => requestReply(world.owner, { review_id: id, text, ...more })
const told = () => world.owner.rows(Notification).list({ where: where.eq('type', 'reply_failed') })

/** An owner whose nth call that writes or asks a platform fails, with all after it: a process that is killed there. */
function killedAt(n: number, count: { calls: number }) {
  const step = () => {
    if (++count.calls >= n) throw new Error('killed')
  }
  return (owner: OwnerContext): OwnerContext => ({
    ...owner,
    rows: (entity) => {
      const rows = owner.rows(entity)
      const stepping =
        <A extends unknown[], R>(verb: (...given: A) => Promise<R>) =>
        async (...given: A) => {
          step()
          const done = await verb(...given)
          return done
        }
      return {
        ...rows,
        get: stepping(rows.get),
        insert: stepping(rows.insert),
        update: stepping(rows.update),
        updateWhere: stepping(rows.updateWhere),
      }
    },
    outbound: {
      ...owner.outbound,
      ask: async (request) => {
        step()
        const answer = await owner.outbound.ask(request)
        // The request was sent; the process dies before it knows the answer.
        step()
        return answer
      },
    },
  })
}

/** Kills the worker at every step in turn, and lets the next process finish. Returns how many steps there were. */
async function killedEverywhere(prepare: () => Promise<string>, check: (id: string) => Promise<void>) {
  for (let n = 1; ; n++) {
    const id = await prepare()
    const count = { calls: 0 }
    const died = await world.act(id, 1, killedAt(n, count)).then(
      () => false,
      () => true,
    )
    if (died || (await stateOf(id)) === 'queued') await world.act(id, 2)
    await check(id)
    if (!died && count.calls < n) return n
    await world.bench.stop()
  }
}

describe.each(['google', 'facebook'] as const)('A reply that a person sends at %s', (platform) => {
  test('is published once, and the row says that a person wrote it', async () => {
    const id = await begin(platform)
    await world.owner.rows(Review).update(id, { ai_suggested_response: 'a draft' })
    await asked(id)
    expect(await rowOf()).toMatchObject({ is_read: true })
    await world.act(id)
    await world.act(id, 2)
    expect(world[platform].replies).toEqual([{ review: 'a', text }])
    expect(await rowOf()).toMatchObject({
      reply_text: text,
      reply_updated_by: 'person',
      needs_response: false,
    })
    expect(await rowOf()).not.toHaveProperty('ai_suggested_response')
    expect(await act(id)).toMatchObject({ state: 'sent', requested_by: 'command line' })
    expect(world[platform].complaints).toEqual([])
    expect(await world.bench.command('review verify', {})).toMatchObject({ sound: true })
  })

  test('is one reply when the answer is lost', async () => {
    const id = await begin(platform)
    await asked(id)
    world[platform].replyFaults.push('lost')
    await expect(world.act(id)).rejects.toMatchObject({ kind: 'transient' })
    expect(await act(id)).toMatchObject({ state: 'queued', error: expect.stringMatching(/./) })
    await world.act(id, 2)
    expect([world[platform].replies.length, await stateOf(id)]).toEqual([1, 'sent'])
  })

  test('is one reply wherever the process is killed', async () => {
    const steps = await killedEverywhere(
      async () => {
        const id = await begin(platform)
        await asked(id)
        return id
      },
      async (id) => {
        expect([world[platform].replies.length, await stateOf(id)]).toEqual([1, 'sent'])
        expect((await rowOf()).reply_text).toBe(text)
        expect(world[platform].complaints).toEqual([])
      },
    )
    expect(steps).toBeGreaterThan(8)
  })

  test('is edited, and one reply stands', async () => {
    const id = await begin(platform)
    await asked(id)
    await world.act(id)
    const better = `${text} Please write to us.`
    world.later(minute)
    await asked(id, { text: better, replaces: text })
    await world.act(id)
    const { reviews, complaints } = world[platform]
    expect([reviews.get('a')?.reply?.text, complaints]).toEqual([better, []])
    expect([(await rowOf()).reply_text, await stateOf(id)]).toEqual([better, 'sent'])
    expect(await world.bench.command('review verify', {})).toMatchObject({ sound: true })
  })

  test('is deleted once, wherever the process is killed, and waits for an answer again', async () => {
    await killedEverywhere(
      async () => {
        const id = await begin(platform)
        await asked(id)
        await world.act(id)
        await requestReply(world.owner, { review_id: id, replaces: text })
        return id
      },
      async (id) => {
        expect([world[platform].deleted, await stateOf(id)]).toEqual([['a'], 'deleted'])
        expect(await rowOf()).toMatchObject({ needs_response: true })
        expect(await rowOf()).not.toHaveProperty('reply_text')
      },
    )
    expect(await world.bench.command('review verify', {})).toMatchObject({ sound: true })
  })

  test('is not sent over words of somebody else', async () => {
    const id = await begin(platform)
    await asked(id)
    Object.assign(world[platform].reviews.get('a') ?? {}, {
      reply: { text: 'by hand', at: world.bench.now.getTime() },
    })
    await world.act(id)
    expect(world[platform].replies).toEqual([])
    expect(await act(id)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('in the meantime'),
    })
    expect((await rowOf()).reply_text).toBe('by hand')
    expect(await told()).toHaveLength(1)
  })

  test('has failed where the review was deleted', async () => {
    const id = await begin(platform)
    await asked(id)
    world.facebook.figures = 'counted'
    world[platform].reviews.clear()
    await world.act(id)
    expect(await act(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('no longer') })
  })
})

describe('A reply that a person sends', () => {
  test('has failed at once where the reviews of the location are no longer read, with the reason', async () => {
    const id = await begin()
    await asked(id)
    Object.assign(world.google.reviews.get('a') ?? {}, { author: 'Ann Lee-Moor' })
    await world.owner.rows(ReviewListing).removeWhere(everything)
    const fault = await world.act(id).catch((error) => error)
    expect(fault).toMatchObject({ kind: 'permanent', message: expect.stringContaining('no longer reads') })
    expect(world.google.replies).toEqual([])
  })
  test('is not sent to words that its writer changed since', async () => {
    const id = await begin()
    await asked(id)
    const now = world.bench.now.getTime()
    Object.assign(world.google.reviews.get('a') ?? {}, { text: 'Lovely!', stars: 5, updated: now + 1 })
    await world.act(id)
    expect(world.google.replies).toEqual([])
    expect(await act(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('changed') })
    expect((await rowOf()).review_text).toBe('Lovely!')
  })

  test('takes the place of an automatic one that is still due', async () => {
    world = await platformWorld()
    await world.rules()
    const at = world.bench.now.getTime()
    const said = { stars: 5, text: 'Lovely', author: 'Ann Lee', created: at, updated: at }
    world.google.reviews.set('a', { id: 'a', ...said })
    await world.sync()
    const { id, auto_response_status } = await rowOf()
    expect(auto_response_status).toBe('pending')
    await asked(id)
    expect((await rowOf()).auto_response_status).toBe('skipped')
    await Promise.all([world.act(id), world.reply(id)])
    expect(world.google.replies).toEqual([{ review: 'a', text }])
  })

  test('is not sent beside an automatic one that is on its way', async () => {
    world = await platformWorld({ platform: 'facebook' })
    await world.rules({ include_unrated: true })
    const at = world.bench.now.getTime()
    const said = { stars: 5, text: 'Lovely', author: 'Ann Lee', created: at, updated: at }
    world.facebook.reviews.set('a', { id: 'a', ...said })
    await world.sync()
    const { id } = await rowOf()
    // The person asks while the automatic reply is between its last look at the row and the platform.
    const late = (owner: OwnerContext): OwnerContext => ({
      ...owner,
      outbound: {
        ...owner.outbound,
        async ask(request) {
          if (request.method === 'POST') {
            await asked(id)
            acting = world.act(id).catch(() => {})
          }
          return owner.outbound.ask(request)
        },
      },
    })
    let acting: Promise<unknown> = Promise.resolve()
    await world.reply(id, 1, late)
    await acting
    expect(world.facebook.replies).toHaveLength(1)
    expect(world.facebook.complaints).toEqual([])
    expect(await stateOf(id)).toBe('failed')
  })

  test('that Google rejects says why, keeps its words and may be replaced', async () => {
    const id = await begin()
    await asked(id)
    world.google.replyFaults.push('rejected')
    await world.act(id)
    expect(await act(id)).toMatchObject({ state: 'rejected', error: 'Google rejected the reply: "SPAM"' })
    expect(await rowOf()).toMatchObject({ ai_suggested_response: text, needs_response: true })
    await asked(id, { text: 'Dear Ann, sorry.' })
    await world.act(id)
    expect([await stateOf(id), (await rowOf()).reply_text]).toEqual(['sent', 'Dear Ann, sorry.'])
  })

  test('is tried again where its location is connected to no account', async () => {
    const id = await begin()
    await asked(id)
    await world.owner
      .rows(BusinessLocation)
      .update(world.location_id, { google_account_id: undefined, google_location_id: undefined })
    await expect(world.act(id)).rejects.toMatchObject({ kind: 'unsupported' })
    expect(await stateOf(id)).toBe('queued')
    expect(world.google.replies).toEqual([])
  })

  test('fails where the review is deleted between the look and the reply', async () => {
    const id = await begin()
    await asked(id)
    const late = (owner: OwnerContext): OwnerContext => ({
      ...owner,
      outbound: {
        ...owner.outbound,
        ask(request) {
          if (request.method === 'PUT') world.google.reviews.delete('a')
          return owner.outbound.ask(request)
        },
      },
    })
    await world.act(id, 1, late)
    expect(await act(id)).toMatchObject({
      state: 'failed',
      error: 'The platform no longer has this review.',
    })
    expect(world.google.replies).toEqual([])
  })

  test('is asked for once when the button is pressed twice, and another text waits its turn', async () => {
    const id = await begin()
    const first = await asked(id)
    expect((await asked(id)).act_id).toBe(first.act_id)
    await expect(asked(id, { text: 'Another one' })).rejects.toMatchObject({ code: 'conflict' })
    await world.act(id)
    expect(world.google.replies).toHaveLength(1)
  })

  test('of two people who answer at the same time, the second is refused and changes nothing', async () => {
    const id = await begin()
    const seenAs = (known: readonly object[], insert?: () => Promise<never>) =>
      ({
        ...world.owner,
        rows: (entity) => {
          const rows = world.owner.rows(entity)
          const list = async () => known
          return entity.name === 'ReviewReply' ? { ...rows, list, ...(insert ? { insert } : {}) } : rows
        },
      }) as OwnerContext
    const late = (known: readonly object[], insert?: () => Promise<never>) =>
      requestReply(seenAs(known, insert), { review_id: id, text: 'Another one' })
    await expect(late([], () => Promise.reject(new Error('no store')))).rejects.toThrow('no store')
    const first = await asked(id)
    const refused = { code: 'conflict', message: expect.stringContaining('at the same time') }
    await expect(late([])).rejects.toMatchObject(refused)
    await expect(late([{ ...first, state: 'failed' }])).rejects.toMatchObject(refused)
    expect(await act(id)).toEqual(first)
  })

  test('can be taken back before it is sent, and not after', async () => {
    const id = await begin()
    await asked(id)
    expect(await cancelReply(world.owner, await rowOf())).toMatchObject({ state: 'cancelled' })
    await world.act(id)
    expect(world.google.replies).toEqual([])
    await asked(id)
    await world.act(id)
    expect(await cancelReply(world.owner, await rowOf())).toBeNull()
  })

  test('is queued by the next reading when the process died before it had queued it', async () => {
    const id = await begin()
    const dying = { ...world.owner, enqueue: () => Promise.reject(new Error('killed')) }
    await expect(requestReply(dying, { review_id: id, text })).rejects.toThrow('killed')
    const queued = () => world.owner.rows(Job).list({ where: where.eq('queue', 'send-person-reply') })
    expect(await queued()).toEqual([])
    world.later(20 * minute)
    await world.sync()
    expect(await queued()).toMatchObject([{ key: (await act(id))?.act_id }])
  })

  test('has failed when all tries are used up, and people are told what to do', async () => {
    const id = await begin()
    const { act_id } = await asked(id)
    const fault = { kind: 'permission', message: 'Google refused: the caller may not' } as const
    const job = { id: 'job_1', workspace_id: world.workspace_id, attempt: 6, saved: {} }
    await sendPersonReply.onDeadLetter?.(world.owner, { review_id: id, act_id }, fault, job)
    expect(await act(id)).toMatchObject({ state: 'failed', error: fault.message })
    expect((await act(id))?.settled_at).toBeDefined()
    expect((await told()).map(({ title, body }) => [title, body])).toEqual([
      [
        'Your reply was not sent',
        'Google refused: the caller may not. Check that the account under Settings, Connections may manage this profile.',
      ],
    ])
  })

  test('is queued again without the error, the time and the replaced reply of the last attempt', async () => {
    const id = await begin('google', { reply: { text: 'Thanks', at: 1 } })
    const shown = (await rowOf()).reply_text
    expect(shown).toBe('Thanks')
    const { act_id } = await asked(id, { replaces: shown })
    const fault = { kind: 'permission', message: 'Google refused' } as const
    const job = { id: 'job_1', workspace_id: world.workspace_id, attempt: 6, saved: {} }
    await sendPersonReply.onDeadLetter?.(world.owner, { review_id: id, act_id }, fault, job)
    expect(await act(id)).toMatchObject({ state: 'failed', text, replaces: shown, error: fault.message })
    await requestReply(world.owner, { review_id: id, replaces: shown })
    const again = await act(id)
    expect(again).toMatchObject({ state: 'queued', act: 'delete', replaces: shown })
    expect([again?.text, again?.error, again?.settled_at]).toEqual([undefined, undefined, undefined])
    expect(again?.act_id).not.toBe(act_id)
  })

  test('approved among others is judged again right before it is sent', async () => {
    const id = await begin()
    await asked(id, { is_approved: true, text: 'Thank you! You get a full refund.' })
    await world.act(id)
    expect(world.google.replies).toEqual([])
    expect(await act(id)).toMatchObject({ state: 'failed', error: expect.stringMatching(/^Held back: /) })
    const kind = 'Hello Ann,\n\nthank you very much for your review.'
    await asked(id, { is_approved: true, text: kind })
    await world.owner.rows(Review).update(id, { is_flagged: true, flag_reason: 'Call her' })
    await world.act(id)
    expect(await act(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('Call her') })
    await world.owner.rows(Review).update(id, { is_flagged: false })
    await asked(id, { is_approved: true, text: kind })
    await world.act(id)
    expect(world.google.replies.map((one) => one.text)).toEqual([kind])
  })
})

describe('Asking for a reply', () => {
  beforeEach(async () => {
    await begin()
  })

  test.each([
    ['is empty', { text: '  ' }, 'must not be empty'],
    ['is too long', { text: 'x'.repeat(4_001) }, 'at most 4000 characters'],
    ['has too many bytes', { text: 'ü'.repeat(3_000) }, 'at most 4096 bytes'],
    ['is empty to the eye', { text: '\u200b\u2060 \ufeff' }, 'must not be empty'],
    ['holds what cannot be seen', { text: 'a\u0000b' }, 'cannot be shown'],
    ['is reversed for the eye', { text: 'a\u202eb' }, 'cannot be shown'],
    ['edits a reply that is not there', { replaces: 'an older one' }, 'no longer has a reply'],
    ['answers older words', { basis: 'another' }, 'changed since you opened it'],
    ['deletes nothing', { text: undefined }, 'no reply to delete'],
  ])('is refused where it %s', async (_, more, why) => {
    const { id } = await rowOf()
    await expect(asked(id, more)).rejects.toThrow(why)
    expect(await act(id)).toBeNull()
  })

  test('is refused where another reply stands there than the person saw', async () => {
    const { id } = await rowOf()
    await world.owner.rows(Review).update(id, { reply_text: 'Thank you, from a colleague.' })
    await expect(asked(id)).rejects.toThrow('has another reply now')
    await expect(asked(id, { replaces: 'an older one' })).rejects.toThrow('has another reply now')
    expect(await act(id)).toBeNull()
  })

  test('is refused for what the platform removed, for the demo, and without an account', async () => {
    const { id } = await rowOf()
    const reviews = world.owner.rows(Review)
    await reviews.update(id, { removed_at_source_at: world.bench.now.toISOString() })
    await expect(asked(id)).rejects.toThrow('no longer shows this review')
    await reviews.update(id, { removed_at_source_at: null, source: 'facebook' })
    await expect(asked(id)).rejects.toThrow('Connect the account')
    await expect(asked('rev_none')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('works on the command line, which replaces no reply unasked', async () => {
    const { id: review_id } = await rowOf()
    await expect(world.bench.command('review reply', { review_id })).rejects.toThrow('no draft')
    await world.owner.rows(Review).update(review_id, { ai_suggested_response: text })
    expect(await world.bench.command('review reply', { review_id })).toMatchObject({ state: 'queued', text })
    expect(await world.bench.command('review reply cancel', { review_id })).toMatchObject({
      state: 'cancelled',
    })
    await expect(world.bench.command('review reply cancel', { review_id })).rejects.toMatchObject({
      code: 'conflict',
      message: 'It is too late: no reply to this review is waiting to be sent.',
    })
    await world.bench.command('review reply', { review_id })
    await world.act(review_id)
    await expect(world.bench.command('review reply', { review_id, text: 'x' })).rejects.toThrow('--replace')
    await world.bench.command('review reply delete', { review_id })
    await world.act(review_id)
    expect(world.google.deleted).toEqual(['a'])
  })
})
