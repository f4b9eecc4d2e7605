import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { isPassing, isServiceFault, type ServiceFault } from '../../../core/contracts/service-fault'
import { where } from '../../../core/contracts/where'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { Notification } from '../../../core/tenancy/news/Notification'
import { Review } from '../../../plugins/reviews/records/Review'
import { sendReply } from '../../../plugins/reviews/reply/sendReply'
import { syncReviews } from '../../../plugins/reviews/sync/syncReviews'
import { platformWorld } from './support/platform-world'

const hour = 3_600_000
const day = 24 * hour
let world: Awaited<ReturnType<typeof platformWorld>>
beforeEach(async () => {
  world = await platformWorld()
  await world.rules()
})
afterEach(() => world.bench.stop())

async function waiting(source_id = 'a') {
  const at = world.bench.now.getTime()
  const said = { stars: 5, text: 'Lovely', author: 'Ann Lee', created: at, updated: at }
  world.google.reviews.set(source_id, { id: source_id, ...said })
  await world.sync()
  return rowOf(source_id)
}
const rowOf = async (id = 'a') => {
  const [row] = await world.owner.rows(Review).list({ where: where.eq('source_id', id) })
  if (!row) throw new Error('no row')
  return row
}
const news = async (type: string) => {
  const rows = await world.owner.rows(Notification).list({ where: where.eq('type', type) })
  return rows.map(({ body }) => body)
}
/** Runs a reply as its queue does, and lets the time go by that each fault asks for. Answers the waits. */
async function drive(review_id: string, triesMax = 200): Promise<number[]> {
  const waits: number[] = []
  for (let attempt = 1; attempt <= triesMax; attempt++) {
    const fault = await world.reply(review_id, attempt).then(
      () => null,
      (error: ServiceFault) => error,
    )
    if (fault === null) return waits
    if (!isServiceFault(fault)) throw fault
    if (!isPassing(fault)) {
      const job = { id: 'job_1', workspace_id: world.workspace_id, attempt, saved: {} }
      // Called twice, as after a crash.
      for (let n = 0; n < 2; n++)
        await world.asJob(async (ctx) => sendReply.onDeadLetter?.(ctx, { review_id }, fault, job))
      return waits
    }
    waits.push(fault.retryAfterMs ?? 0)
    world.later(fault.retryAfterMs ?? 0)
  }
  return waits
}
const faults = (status: number, count: number, retryAfter?: string) =>
  world.google.singleFaults.push(
    ...Array.from({ length: count }, () => ({
      kind: 'status' as const,
      status,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    })),
  )

describe('A reply that is due outlives', () => {
  test.each([
    ['hours of 503', 503],
    ['hours of 429', 429],
  ])('%s, and is sent once', async (_, status) => {
    const { id } = await waiting()
    faults(status, 12)
    const waits = await drive(id)
    expect(waits).toHaveLength(12)
    expect(waits.reduce((sum, ms) => sum + ms)).toBeGreaterThan(6 * hour)
    expect(world.google.replies).toHaveLength(1)
    expect([(await rowOf()).auto_response_status, await news('reply_failed')]).toEqual(['sent', []])
  })

  test('a platform that says when to come again', async () => {
    const { id } = await waiting()
    faults(429, 1, '7200')
    expect((await drive(id))[0]).toBeGreaterThanOrEqual(2 * hour)
    expect(world.google.replies).toHaveLength(1)
  })

  test('permissions that go and come back', async () => {
    const { id } = await waiting()
    faults(403, 4)
    expect(await drive(id)).toHaveLength(4)
    expect(world.google.replies).toHaveLength(1)
    expect(await news('reply_failed')).toEqual([])
  })
})

describe('A reply that cannot be sent', () => {
  test('for permissions that stay away fails after hours, and is told once for all of the location', async () => {
    const first = await waiting('a')
    const second = await waiting('b')
    faults(403, 1_000)
    expect((await drive(first.id)).reduce((sum, ms) => sum + ms)).toBeGreaterThan(6 * hour)
    await drive(second.id)
    const ends = [(await rowOf('a')).auto_response_status, (await rowOf('b')).auto_response_status]
    expect(ends).toEqual(['failed', 'failed'])
    const told = await news('reply_failed')
    expect(told).toHaveLength(1)
    expect(told[0]).toContain('Check that the account under Settings, Connections may manage this profile.')
    expect((await rowOf('a')).auto_response_error).toContain('Google refused')
  })

  test('for a day of 503 fails then, and is told once with what to do', async () => {
    const { id } = await waiting()
    faults(503, 1_000)
    const waits = await drive(id)
    expect(waits.reduce((sum, ms) => sum + ms)).toBeGreaterThanOrEqual(day)
    expect((await rowOf()).auto_response_status).toBe('failed')
    const told = await news('reply_failed')
    expect(told).toHaveLength(1)
    expect(told[0]).toContain('Answer the review yourself on the platform')
  })

  test('is told again after a reply of the location was sent', async () => {
    const first = await waiting('a')
    faults(403, 6)
    await drive(first.id)
    await drive((await waiting('b')).id)
    const third = await waiting('c')
    faults(403, 6)
    await drive(third.id)
    expect(world.google.replies).toMatchObject([{ review: 'b' }])
    expect(await news('reply_failed')).toHaveLength(2)
  })

  test('because its review was deleted is skipped, also when it goes between the look and the reply', async () => {
    const { id } = await waiting()
    const { reviews, hidden } = world.google
    const get = reviews.get.bind(reviews)
    let asked = 0
    // Two looks come before the reply.
    reviews.get = (one) => {
      if (++asked === 3) hidden.add(one)
      return get(one)
    }
    expect(await drive(id)).toEqual([])
    const row = await rowOf()
    expect([row.auto_response_status, row.auto_response_error]).toEqual(['skipped', undefined])
    expect(await news('reply_failed')).toEqual([])
  })

  test('because a process stops is put back, and no try is counted', async () => {
    const { id } = await waiting()
    const stopping = new AbortController()
    stopping.abort(new Error('stopping'))
    const saves: object[] = []
    const task = {
      id,
      workspace_id: world.workspace_id,
      attempt: 1,
      saved: {},
      signal: stopping.signal,
      hold: async () => {},
      progress: async () => {},
      save: async (state: object) => void saves.push(state),
    }
    faults(503, 1)
    await expect(sendReply.run(world.owner, { review_id: id }, task)).rejects.toThrow('Google')
    expect(saves).toEqual([])
  })
})

describe('A reply that Google rejects', () => {
  test('after it took it is shown as rejected, told once, and its text is kept for people', async () => {
    const { id } = await waiting()
    await drive(id)
    const { reply_text = '' } = await rowOf()
    world.later(day + hour)
    await world.sync()
    expect((await rowOf()).auto_response_status).toBe('sent')
    const review = world.google.reviews.get('a')
    Object.assign(review ?? {}, { reply: { ...review?.reply, state: 'REJECTED', violation: 'SPAM' } })
    for (let n = 0; n < 3; n++) {
      world.later(day + hour)
      await world.sync()
    }
    const row = await rowOf()
    expect(row).toMatchObject({
      auto_response_status: 'failed',
      needs_response: true,
      ai_suggested_response: reply_text,
      auto_response_error: 'Google rejected the reply: "SPAM"',
      source_metadata: { reply_state: 'REJECTED', reply_policy_violation: 'SPAM' },
    })
    expect(row.reply_text).toBeUndefined()
    const told = await news('reply_rejected')
    expect(told).toHaveLength(1)
    expect(told[0]).toContain('Google rejected the reply: "SPAM". Nobody sees the reply.')
    expect(await world.bench.command('review verify', {})).toMatchObject({ sound: true })
  })

  test('is told although the process died before the row said so', async () => {
    await drive((await waiting()).id)
    const review = world.google.reviews.get('a')
    Object.assign(review ?? {}, { reply: { ...review?.reply, state: 'REJECTED' } })
    world.later(day + hour)
    const killed = () => Promise.reject(new Error('killed'))
    await expect(
      world.sync((owner) => ({ ...owner, rows: (entity) => ({ ...owner.rows(entity), update: killed }) })),
    ).rejects.toThrow('killed')
    await world.sync()
    expect([(await rowOf()).auto_response_status, (await news('reply_rejected')).length]).toEqual([
      'failed',
      1,
    ])
  })

  test('at once is told once too', async () => {
    const { id } = await waiting()
    world.google.replyFaults.push('rejected')
    await drive(id)
    world.later(day + hour)
    await world.sync()
    expect([(await rowOf()).auto_response_status, (await news('reply_rejected')).length]).toEqual([
      'failed',
      1,
    ])
  })
})

describe('Reviews that cannot be read', () => {
  const fail = async (kind: 'permission' | 'permanent', code: string) => {
    const job = { id: 'job_1', workspace_id: world.workspace_id, attempt: 1, saved: {} }
    const fault = { kind, code, message: `Google refused: ${code}` }
    await world.asJob(async (ctx) =>
      syncReviews.onDeadLetter?.(ctx, { location_id: world.location_id, manual: false }, fault, job),
    )
  }
  const told = async () => (await news('reviews_unread')).length

  test('are told once, whatever the refusals say and although some readings work', async () => {
    await world.sync()
    for (let n = 0; n < 40; n++) {
      world.later(hour)
      await fail(n % 2 === 0 ? 'permission' : 'permanent', n % 3 === 0 ? '403' : 'SERVICE_DISABLED')
      if (n % 5 === 0) await world.sync()
    }
    expect(await told()).toBe(1)
  })

  test('are told once through an outage of a month, and again after readings worked', async () => {
    for (let n = 0; n < 30; n++) {
      world.later(day)
      await fail('permission', '403')
    }
    expect(await told()).toBe(1)
    world.later(day)
    await world.sync()
    world.later(day)
    await fail('permission', '403')
    expect(await told()).toBe(2)
  })

  test('are told once although the process died before it wrote that down', async () => {
    const killed = () => Promise.reject(new Error('killed'))
    const dying = {
      ...world.owner,
      rows: (entity: never) => ({ ...world.owner.rows(entity), update: killed }),
    }
    const job = { id: 'job_1', workspace_id: world.workspace_id, attempt: 1, saved: {} }
    const fault = { kind: 'permission', code: '403', message: 'Google refused' } as const
    const buried = (owner: typeof world.owner) =>
      syncReviews.onDeadLetter?.(owner, { location_id: world.location_id, manual: false }, fault, job)
    await expect((async () => buried(dying))()).rejects.toThrow('killed')
    await buried(world.owner)
    expect(await told()).toBe(1)
  })

  test('end quietly where the location or the review is gone', async () => {
    const job = { id: 'job_1', workspace_id: world.workspace_id, attempt: 1, saved: {} }
    const fault = { kind: 'permission', code: '403', message: 'Google refused' } as const
    await world.asJob(async (ctx) => {
      await syncReviews.onDeadLetter?.(ctx, { location_id: 'loc_gone', manual: false }, fault, job)
      await sendReply.onDeadLetter?.(ctx, { review_id: 'rev_gone' }, fault, job)
    })
    expect(await told()).toBe(0)
  })

  test('of many locations for a key of the installation are told once a month', async () => {
    const rows = world.owner.rows(BusinessLocation)
    const added = { added_via: 'places', google_account_id: undefined, google_place_id: 'ChIJx' } as const
    await rows.update(world.location_id, added)
    await fail('permission', 'PERMISSION_DENIED')
    await fail('permission', '403')
    expect(await told()).toBe(1)
  })
})
