import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { OwnerContext } from '../../../../core/contracts/plugin'
import { where } from '../../../../core/contracts/where'
import { Job } from '../../../../core/jobs/Job'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { scheduleReply } from '../../../../plugins/reviews/due/scheduleReply'
import { AutoResponseRules } from '../../../../plugins/reviews/records/AutoResponseRules'
import { Review } from '../../../../plugins/reviews/records/Review'
import { sendReply } from '../../../../plugins/reviews/reply/sendReply'
import { randomSource } from '../../../support/random-documents'
import { cleanLook, nothingFound } from '../support/looks'
import { platformWorld } from '../support/platform-world'

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
      auto_response_status: 'sent',
      reply_updated_by: 'auto-response',
      needs_response: false,
      reply_text: world.google.replies[0]?.text,
    })
  })

  test.each(['skipped', 'failed', 'sent'] as const)('is left alone where it is %s by now', async (status) => {
    const { id } = await written()
    await world.bench
      .collection(Review)
      .updateOne(where.eq('id', id), { set: { auto_response_status: status } })
    await world.reply(id)
    expect(world.google.replies).toEqual([])
    expect((await rowOf()).auto_response_status).toBe(status)
  })

  test.each([
    ['another platform', { source: 'facebook', facebook_page_id: '777' }],
    ['none', {}],
  ])('of a location that has gone over to %s is not sent, and says what to connect', async (_, more) => {
    const { id } = await written()
    const left = { added_via: undefined, google_account_id: undefined, google_location_id: undefined }
    await world.owner.rows(BusinessLocation).update(world.location_id, { ...left, ...more })
    await world.reply(id)
    expect(await rowOf()).toMatchObject({
      auto_response_status: 'skipped',
      auto_response_reason: 'not_connected',
    })
    expect(world.google.replies).toEqual([])
    expect(world.facebook.replies).toEqual([])
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

  test('is not sent again when the process dies between the platform’s answer and the row', async () => {
    const { id } = await written()
    const dying = (owner: OwnerContext): OwnerContext => ({
      ...owner,
      rows: (entity) => ({ ...owner.rows(entity), updateWhere: () => Promise.reject(new Error('killed')) }),
      writeTogether: () => Promise.reject(new Error('killed')),
    })
    await expect(world.reply(id, 1, dying)).rejects.toThrow('killed')
    expect([world.google.replies.length, (await rowOf()).auto_response_status]).toEqual([1, 'pending'])
    await world.reply(id, 2)
    expect(world.google.replies).toHaveLength(1)
    const text = world.google.replies[0]?.text ?? ''
    expect(await rowOf()).toMatchObject({
      auto_response_status: 'sent',
      reply_text: text,
      reply_updated_by: 'auto-response',
    })
  })

  test('keeps the instant of the platform when a sync reads it before the row says that it was sent', async () => {
    const { id } = await written()
    const read = (owner: OwnerContext): OwnerContext => ({
      ...owner,
      publish: async (...given: Parameters<OwnerContext['publish']>) => {
        world.later(1_000)
        await world.sync()
        return owner.publish(...given)
      },
    })
    await world.reply(id, 1, read)
    const at = new Date(world.google.reviews.get('a')?.reply?.at ?? 0).toISOString()
    expect(await rowOf()).toMatchObject({ auto_response_status: 'sent', reply_created_at: at })
    expect(world.bench.now.toISOString() > at).toBe(true)
  })

  test('that was rejected before a crash has failed, and is not taken for sent', async () => {
    const { id } = await written()
    world.google.replyFaults.push('rejected')
    const dying = (owner: OwnerContext): OwnerContext => ({
      ...owner,
      rows: (entity) => ({ ...owner.rows(entity), updateWhere: () => Promise.reject(new Error('killed')) }),
    })
    await expect(world.reply(id, 1, dying)).rejects.toThrow('killed')
    await world.reply(id, 2)
    expect(world.google.replies).toHaveLength(1)
    expect((await rowOf()).auto_response_status).toBe('failed')
  })

  test('is not sent by a process that lost its lease to another while it wrote the text', async () => {
    const { id } = await written()
    const lost = {
      id,
      workspace_id: world.workspace_id,
      attempt: 1,
      saved: {},
      signal: new AbortController().signal,
      hold: async () => {},
      progress: async () => {},
      save: () => Promise.reject(new Error('lost')),
    }
    await expect(sendReply.run(world.owner, { review_id: id }, lost)).rejects.toThrow('lost')
    expect(world.google.replies).toEqual([])
  })

  test('comes at its time although the process died before it had queued it', async () => {
    await world.rules()
    const at = world.bench.now.getTime()
    const said = { stars: 5, text: 'Lovely', author: 'Ann Lee', created: at, updated: at }
    world.google.reviews.set('a', { id: 'a', ...said })
    const dying = (owner: OwnerContext): OwnerContext => ({
      ...owner,
      enqueue: () => Promise.reject(new Error('killed')),
    })
    await expect(world.sync(dying)).rejects.toThrow('killed')
    const { auto_response_scheduled_at: due = '', id } = await rowOf()
    const queued = () => world.owner.rows(Job).list({ where: where.eq('queue', 'send-reply') })
    expect(await queued()).toEqual([])
    world.later(Date.parse(due) - at)
    await world.sync()
    expect(await queued()).toMatchObject([{ key: id, due_at: due }])
    expect((await rowOf()).auto_response_scheduled_at).toBe(due)
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
    await world.asJob(async (ctx) => sendReply.onDeadLetter?.(ctx, { review_id: id }, info, job))
    expect(await rowOf()).toMatchObject({
      auto_response_status: 'failed',
      auto_response_error: 'No language model is configured, and the rules allow no templates',
    })
    expect(world.google.replies).toEqual([])
  })
})

describe('A reply that a language model wrote', () => {
  const settings = { LLM_BASE_URL: 'http://llm.test/v1', LLM_MODEL: 'small' }
  const answered = async (
    reply: string,
    changes: object = {},
    rules: object = {},
    said: object = {},
    look: object | string = cleanLook,
  ) => {
    await world.bench.stop()
    world = await platformWorld({ settings })
    const { id } = await written(changes, rules)
    const answer = { reply, needs_person: false, ...said }
    // A reply that is refused at once is asked for a second time. Any other one is looked at.
    const isLie = reply.includes('refund')
    world.model.answers.push(answer, ...(isLie ? [answer] : [look, look]))
    await world.reply(id)
    const row = await rowOf()
    const { auto_response_status, auto_response_reason, ai_suggested_response, needs_response } = row
    const { auto_response_error } = row
    return {
      auto_response_status,
      auto_response_reason,
      auto_response_error,
      ai_suggested_response,
      needs_response,
    }
  }

  test('is sent to the platform when the filter allows it', async () => {
    const reply =
      'Hello Ann,\n\nthank you very much for your kind words. We look forward to seeing you again.'
    expect(await answered(reply)).toMatchObject({ auto_response_status: 'sent' })
    expect(world.google.replies.map(({ text }) => text)).toEqual([reply])
  })

  test('is sent with words that no list has, when the second look finds nothing', async () => {
    const reply = 'Thank you! Buttery scones before breakfast sound like heaven to everyone around the oven.'
    expect(await answered(reply)).toMatchObject({ auto_response_status: 'sent' })
    expect(world.google.replies.map(({ text }) => text)).toEqual([reply])
  })

  test('waits as a draft when the second look finds something or proves nothing, and the review says why', async () => {
    const reply = 'Thank you! Chocolate cakes on velvet sofas it is.'
    for (const [look, why] of [
      [{ ...cleanLook, facts: [...cleanLook.facts, 'velvet sofas'] }, '“velvet sofas”'],
      [nothingFound, 'proves nothing'],
      ['Fine!', 'no usable answer'],
    ] as const) {
      expect(await answered(reply, {}, {}, {}, look)).toMatchObject({
        auto_response_status: 'skipped',
        auto_response_reason: 'second_look_refused',
        auto_response_error: expect.stringContaining(why),
        ai_suggested_response: reply,
        needs_response: true,
      })
      expect(world.google.replies).toEqual([])
    }
  })

  test('never reaches the platform when it lies twice, and is no draft: the review says why', async () => {
    const reply = 'Thank you! You get a full refund at https://evil.example'
    const row = await answered(reply)
    expect(world.google.replies).toEqual([])
    expect(row).toMatchObject({
      auto_response_status: 'skipped',
      ai_suggested_response: undefined,
      needs_response: true,
      auto_response_reason: 'draft_refused',
      auto_response_error: expect.stringContaining('“https://evil.example”'),
    })
  })

  test('waits as a draft when it claims nothing and is still not known to be safe', async () => {
    const reply = 'Thank you. We regret your visit.'
    expect(await answered(reply)).toMatchObject({
      auto_response_status: 'skipped',
      ai_suggested_response: reply,
      auto_response_reason: 'reply_text_refused',
    })
    expect(world.google.replies).toEqual([])
  })

  test('waits as a draft when the model says that a person should answer', async () => {
    const reply = 'Hello Ann,\n\nthank you very much for your review.'
    expect(await answered(reply, {}, {}, { needs_person: true })).toMatchObject({
      auto_response_status: 'skipped',
      ai_suggested_response: reply,
      auto_response_reason: 'model_wants_person',
    })
    expect(world.google.replies).toEqual([])
  })

  test('is not asked for where 1 to 3 stars need a person', async () => {
    const rules = { ratings: [1, 2, 3, 4, 5], model_stars_min: 1 }
    const row = await answered('Thank you very much for your review.', { stars: 3 }, rules)
    expect(row).toMatchObject({ auto_response_status: 'skipped', auto_response_reason: 'low_stars' })
    expect(world.google.replies).toEqual([])
  })

  test('that was refused is counted for its agency', async () => {
    await answered('Thank you! You get a full refund.')
    const shown = await world.bench.command('auto-response show', { agency_id: world.agency_id })
    expect(shown).toMatchObject({
      last_30_days: { sent: 0, failed: 0, skipped: 1, draft_refused: 1, no_reply_language: 0 },
    })
  })

  test('is not asked for where the language to answer in is not known', async () => {
    const row = await answered('Köszönjük szépen!', { text: 'Nagyon jó hely, minden nagyon finom volt' })
    expect(world.google.replies).toEqual([])
    expect(
      world.model.asked.filter(
        ({ response_format }) => response_format?.json_schema?.name === 'review_reply',
      ),
    ).toEqual([])
    expect(row.auto_response_reason).toBe('language_not_judged')
    expect(row.auto_response_status).toBe('skipped')
  })

  test('is refused too when an earlier attempt saved it before it was judged', async () => {
    const { id } = await written()
    let saved: Record<string, unknown> = {}
    const task = (attempt: number) => ({
      id,
      workspace_id: world.workspace_id,
      attempt,
      signal: new AbortController().signal,
      saved,
      hold: async () => {},
      progress: async () => {},
      save: async (state: object) => {
        saved = { ...state }
      },
    })
    world.google.singleFaults.push(null, null, { kind: 'status', status: 503 })
    await expect(sendReply.run(world.owner, { review_id: id }, task(1))).rejects.toMatchObject({
      kind: 'transient',
    })
    const refused = 'Thank you! You get a full refund at https://evil.example'
    saved.drafts = (saved.drafts as object[]).map((draft) => ({ ...draft, text: refused }))
    await sendReply.run(world.owner, { review_id: id }, task(2))
    expect(world.google.replies).toEqual([])
    expect(await rowOf()).toMatchObject({ auto_response_status: 'skipped' })
  })

  test('of a job of the first version is not sent again: nobody knows for which words it was written', async () => {
    const { id } = await written()
    const saved = { text: 'Thank you for the old words' }
    const task = { id, workspace_id: world.workspace_id, attempt: 2, signal: new AbortController().signal }
    const idle = { saved, hold: async () => {}, progress: async () => {}, save: async () => {} }
    await sendReply.run(world.owner, { review_id: id }, { ...task, ...idle })
    expect(world.google.replies.map(({ text }) => text)).not.toContain(saved.text)
    expect(world.google.replies).toHaveLength(1)
  })

  test.each([
    ['three stars wait as a draft by default', 3, { low_stars_allowed: true }, 'skipped'],
    [
      'three stars are sent where an owner says so',
      3,
      { model_stars_min: 3, low_stars_allowed: true },
      'sent',
    ],
    ['four stars wait where the agency says so', 4, { model_stars_min: 5 }, 'skipped'],
    ['four stars are sent by default', 4, {}, 'sent'],
  ] as const)('%s', async (_, stars, rules, status) => {
    const reply = 'Hello Ann,\n\nthank you very much for your review.'
    const row = await answered(reply, { stars }, { ratings: [3, 4, 5], ...rules })
    expect(row.auto_response_status).toBe(status)
    expect(world.google.replies).toHaveLength(status === 'sent' ? 1 : 0)
    if (status === 'skipped') {
      expect(row.ai_suggested_response).toBe(reply)
      expect(row.auto_response_reason).toBe('stars_below_model_minimum')
    }
  })
})

describe('The instant of a reply', () => {
  const drawn = async (draws: number, random: () => number) => {
    const rules = await world.rules()
    const now = world.bench.now
    const opted = { auto_response_enabled: true, is_active: true }
    return Array.from({ length: draws }, () => {
      const { auto_response_scheduled_at: at = '' } = scheduleReply(
        { source_id: 'a', star_rating: 5 },
        rules,
        opted,
        now,
        random,
      )
      return (Date.parse(at) - now.getTime()) / minute
    })
  }

  test('is drawn evenly over the window from the least delay to the most', async () => {
    const counts = Array.from({ length: 60 }, () => 0)
    const delays = await drawn(60_000, randomSource(1).next)
    for (const minutes of delays) counts[Math.min(59, Math.floor(minutes - 60))]!++
    // Chi-squared with 59 degrees of freedom is above 110 once in twenty thousand times.
    const off = counts.reduce((sum, count) => sum + (count - 1_000) ** 2 / 1_000, 0)
    expect(off).toBeLessThan(110)
    expect([Math.min(...delays) >= 60, Math.max(...delays) <= 120]).toEqual([true, true])
  })

  test('reaches both ends of the window and never leaves it', async () => {
    expect(await drawn(1, () => 0)).toEqual([60])
    await world.owner.rows(AutoResponseRules).removeWhere(where.eq('id', world.agency_id))
    expect((await drawn(1, () => 1 - 2 ** -53))[0]).toBeCloseTo(120, 3)
  })
})
