import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { where } from '../../../core/contracts/where'
import { Job } from '../../../core/jobs/Job'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { AutoResponseRules } from '../../../plugins/reviews/AutoResponseRules'
import { Review } from '../../../plugins/reviews/Review'
import { sendReply } from '../../../plugins/reviews/sendReply'
import { platformWorld } from './support/platform-world'

const minute = 60_000
const day = 24 * 60 * minute
let world: Awaited<ReturnType<typeof platformWorld>>
beforeEach(async () => {
  world = await platformWorld({ random: () => 0.25 })
})
afterEach(() => world.bench.stop())

async function written(changes: object = {}, rules: object | null = {}) {
  if (rules) await world.rules(rules)
  const at = world.bench.now.getTime()
  const review = {
    id: 'a',
    stars: 5,
    text: 'Lovely',
    author: 'Ann Lee',
    created: at,
    updated: at,
    ...changes,
  }
  world.google.reviews.set('a', review)
  await world.sync()
  return rowOf()
}
const rowOf = async () => {
  const [row] = await world.owner.rows(Review).list({ where: where.eq('source_id', 'a') })
  if (!row) throw new Error('no row')
  return row
}

describe('A new review', () => {
  test('gets an instant in the window of the agency, drawn once and kept', async () => {
    const row = await written()
    const due = new Date(world.bench.now.getTime() + 75 * minute).toISOString()
    expect(row).toMatchObject({ auto_response_status: 'pending', auto_response_scheduled_at: due })
    const [job] = await world.owner.rows(Job).list({ where: where.eq('queue', 'send-reply') })
    expect([job?.key, job?.due_at]).toEqual([row.id, due])
    world.later(day)
    Object.assign(world.google.reviews.get('a') ?? {}, { text: 'edited', updated: world.bench.now.getTime() })
    await world.sync()
    expect((await rowOf()).auto_response_scheduled_at).toBe(due)
  })

  test('has no status without rules', async () => {
    expect((await written({}, null)).auto_response_status ?? null).toBeNull()
  })

  test.each([
    ['its stars are not answered', { stars: 3 }, {}],
    ['it has none and those are not answered', { stars: 0 }, {}],
    ['replies are off', {}, { is_enabled: false }],
    ['it has a reply', { reply: { text: 'hi', at: 0 } }, {}],
    ['it is old', { created: Date.parse('2020-01-01') }, {}],
  ])('is skipped when %s', async (_, changes, rules) => {
    const row = await written(changes, rules)
    expect([row.auto_response_status, row.auto_response_scheduled_at]).toEqual(['skipped', undefined])
  })

  test('is skipped where the location did not opt in', async () => {
    await world.owner.rows(BusinessLocation).update(world.location_id, { auto_response_enabled: false })
    expect((await written()).auto_response_status).toBe('skipped')
  })
})

describe('A reply whose time has come', () => {
  test('is sent once, and says who wrote it', async () => {
    const { id } = await written()
    await world.reply(id)
    await world.reply(id)
    expect(world.google.replies).toHaveLength(1)
    expect(world.google.replies[0]?.text).toStartWith('Hello Ann,\n\n')
    expect(await rowOf()).toMatchObject({
      ...{ auto_response_status: 'sent', reply_updated_by: 'auto-response', needs_response: false },
      reply_text: world.google.replies[0]?.text,
    })
  })

  test('is not sent again when its answer was lost or the process died before writing it down', async () => {
    const { id } = await written()
    world.google.replyFaults.push('lost')
    await expect(world.reply(id)).rejects.toMatchObject({ kind: 'transient' })
    expect((await rowOf()).auto_response_status).toBe('pending')
    await world.reply(id, 2)
    expect(world.google.replies).toHaveLength(1)
    expect((await rowOf()).auto_response_status).toBe('sent')
  })

  test('is skipped where somebody answered meanwhile, at the platform too', async () => {
    const { id } = await written()
    Object.assign(world.google.reviews.get('a') ?? {}, {
      reply: { text: 'by hand', at: world.bench.now.getTime() },
    })
    await world.reply(id)
    expect(world.google.replies).toEqual([])
    expect(await rowOf()).toMatchObject({ auto_response_status: 'skipped', reply_text: 'by hand' })
  })

  test.each([
    [
      'the review was removed',
      async () => {
        world.google.reviews.clear()
        for (let n = 0; n < 3; n++) {
          world.later(day)
          await world.sync()
        }
      },
    ],
    [
      'the location opted out',
      () => world.owner.rows(BusinessLocation).update(world.location_id, { auto_response_enabled: false }),
    ],
    [
      'the location is worked on no more',
      () => world.owner.rows(BusinessLocation).update(world.location_id, { is_active: false }),
    ],
    [
      'the agency turned replies off',
      () => world.owner.rows(AutoResponseRules).update(world.agency_id, { is_enabled: false }),
    ],
  ] as [string, () => Promise<unknown>][])('is skipped when %s', async (_, happen) => {
    const { id } = await written()
    await happen()
    await world.reply(id)
    expect(world.google.replies).toEqual([])
    expect((await rowOf()).auto_response_status).toBe('skipped')
  })

  test('that the platform rejects has failed, with the reason', async () => {
    const { id } = await written()
    world.google.replyFaults.push('rejected')
    await world.reply(id)
    expect(await rowOf()).toMatchObject({
      auto_response_status: 'failed',
      auto_response_error: 'Google rejected the reply: "SPAM"',
    })
    world.later(day)
    await world.sync()
    expect(await rowOf()).toMatchObject({ auto_response_status: 'failed', needs_response: true })
    expect((await rowOf()).reply_text).toBeUndefined()
  })

  test('is skipped where the platform holds a reply of somebody else that it rejected, and that is no reply', async () => {
    const { id } = await written()
    const reply = { text: 'by hand', at: world.bench.now.getTime(), state: 'REJECTED' }
    Object.assign(world.google.reviews.get('a') ?? {}, { reply })
    await world.reply(id)
    expect(world.google.replies).toEqual([])
    expect(await rowOf()).toMatchObject({ auto_response_status: 'skipped', needs_response: true })
    expect((await rowOf()).reply_text).toBeUndefined()
  })

  test('that nothing may write has failed, and nothing was sent in silence', async () => {
    const { id } = await written({}, { allow_templates: false })
    const fault = await world.reply(id).catch((error: Error) => error)
    expect(fault).toMatchObject({ kind: 'permanent' })
    const info = { kind: 'permanent', message: String((fault as Error).message) } as const
    const job = { id: 'job_1', workspace_id: world.workspace_id, attempt: 1, saved: {} }
    await sendReply.buried?.(world.owner, { review_id: id }, info, job)
    expect(await rowOf()).toMatchObject({
      auto_response_status: 'failed',
      auto_response_error: 'No text generator is configured, and the rules allow no templates',
    })
    expect(world.google.replies).toEqual([])
  })
})

test('instants are drawn evenly over the window', async () => {
  const { scheduleReply } = await import('../../../plugins/reviews/scheduleReply')
  const rules = await world.rules()
  const now = world.bench.now
  const counts = Array.from({ length: 6 }, () => 0)
  for (let n = 0; n < 6_000; n++) {
    const review = { source_id: 'a', star_rating: 5 }
    const drawn = scheduleReply(review, rules, { auto_response_enabled: true }, now, Math.random)
    const minutes = (Date.parse(drawn.auto_response_scheduled_at ?? '') - now.getTime()) / minute
    counts[Math.min(5, Math.floor((minutes - 60) / 10))]!++
  }
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(200)
})
