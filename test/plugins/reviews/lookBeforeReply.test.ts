import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { where } from '../../../core/contracts/where'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { Notification } from '../../../core/tenancy/news/Notification'
import { AutoResponseRules } from '../../../plugins/reviews/records/AutoResponseRules'
import { Review } from '../../../plugins/reviews/records/Review'
import { ReviewListing } from '../../../plugins/reviews/records/ReviewListing'
import { cleanLook } from './support/looks'
import { platformWorld } from './support/platform-world'

const hour = 3_600_000
let world: Awaited<ReturnType<typeof platformWorld>>
const begin = async (options: Parameters<typeof platformWorld>[0] = {}) => {
  world = await platformWorld(options)
}
beforeEach(() => begin())
afterEach(() => world.bench.stop())

/** A review that waits for its reply, and whose platform changes it since. */
async function waiting(platform: 'google' | 'facebook' = 'google', rules: object = {}) {
  await world.rules({ include_unrated: true, ...rules })
  const at = Math.floor(world.bench.now.getTime() / 1_000) * 1_000
  const said = { stars: 5, text: 'Lovely cake', author: 'Ann Lee', created: at, updated: at }
  world[platform].reviews.set('a', { id: 'a', ...said })
  await world.sync()
  world.later(hour)
  return rowOf()
}
const rowOf = async () => {
  const [row] = await world.owner.rows(Review).list({ where: where.eq('source_id', 'a') })
  if (!row) throw new Error('no row')
  return row
}
const edit = (changes: object, platform: 'google' | 'facebook' = 'google') =>
  Object.assign(world[platform].reviews.get('a') ?? {}, { updated: world.bench.now.getTime(), ...changes })
const verify = () => world.bench.command('review verify', {})
const flagNews = () => world.owner.rows(Notification).list({ where: where.eq('type', 'review_flagged') })

describe('An edit that only the look before sending sees', () => {
  test('from five stars to one, with a hurt child, is stored, flagged, told and not answered', async () => {
    const { id } = await waiting()
    edit({ stars: 1, text: 'Found glass in the bread, my child was hurt' })
    await world.reply(id)
    expect(world.google.replies).toEqual([])
    expect(await rowOf()).toMatchObject({
      auto_response_status: 'skipped',
      star_rating: 1,
      sentiment: 'negative',
      priority: 'urgent',
      review_text: 'Found glass in the bread, my child was hurt',
      is_flagged: true,
    })
    expect(await flagNews()).toHaveLength(1)
    expect(await verify()).toMatchObject({ sound: true })
  })

  test('of the stars alone is judged by the rules', async () => {
    const { id } = await waiting()
    edit({ stars: 3 })
    await world.reply(id)
    expect(world.google.replies).toEqual([])
    expect(await rowOf()).toMatchObject({
      auto_response_status: 'skipped',
      star_rating: 3,
      is_flagged: false,
    })
  })

  test('of the words that the rules still want is answered as it is now', async () => {
    await world.bench.stop()
    await begin({ settings: { LLM_BASE_URL: 'http://llm.test/v1', LLM_MODEL: 'small' } })
    const { id } = await waiting()
    edit({ text: 'Lovely soup' })
    world.model.answers.push(
      {
        reply: 'Thank you, we are glad that you liked the soup.',
        needs_person: false,
      },
      cleanLook,
    )
    await world.reply(id)
    expect(JSON.stringify(world.model.asked.at(-1))).toContain('Lovely soup')
    expect(world.google.replies).toMatchObject([{ text: 'Thank you, we are glad that you liked the soup.' }])
    expect(await rowOf()).toMatchObject({ auto_response_status: 'sent', review_text: 'Lovely soup' })
    expect(await verify()).toMatchObject({ sound: true })
  })

  test('while the model writes throws the draft away', async () => {
    await world.bench.stop()
    await begin({ settings: { LLM_BASE_URL: 'http://llm.test/v1', LLM_MODEL: 'small' } })
    const { id } = await waiting()
    world.model.answers.push(
      {
        toJSON: () => {
          edit({ text: 'Lovely soup' })
          return { reply: 'Thank you, we are glad that you liked the cake.', needs_person: false }
        },
      },
      cleanLook,
      { reply: 'Thank you, we are glad that you liked the soup.', needs_person: false },
      cleanLook,
    )
    await world.reply(id)
    expect(world.google.replies).toMatchObject([{ text: 'Thank you, we are glad that you liked the soup.' }])
  })

  test('is not needed where a person flags the review while the model writes', async () => {
    await world.bench.stop()
    await begin({ settings: { LLM_BASE_URL: 'http://llm.test/v1', LLM_MODEL: 'small' } })
    const { id } = await waiting()
    world.model.answers.push(
      {
        reply: 'Thank you, we are glad that you liked the cake.',
        needs_person: false,
      },
      cleanLook,
    )
    await world.reply(id, 1, (owner) => {
      const ask: typeof owner.outbound.model.ask = async (asked) => {
        const said = await owner.outbound.model.ask(asked)
        await world.bench.command('review flag', { review_id: id, reason: 'Call her first' })
        return said
      }
      return { ...owner, outbound: { ...owner.outbound, model: { ...owner.outbound.model, ask } } }
    })
    expect(world.google.replies).toEqual([])
    expect(await rowOf()).toMatchObject({ auto_response_status: 'skipped', flag_reason: 'Call her first' })
  })

  test('between a lost try and the next throws the draft away', async () => {
    const { id } = await waiting()
    world.google.singleFaults.push(null, null, { kind: 'status', status: 503 })
    await expect(world.reply(id)).rejects.toMatchObject({ kind: 'transient' })
    edit({ text: 'I was ill for days after this', stars: 4 })
    await world.reply(id, 2)
    expect(world.google.replies).toEqual([])
    expect(await rowOf()).toMatchObject({ auto_response_status: 'skipped', is_flagged: true })
  })

  test('of a recommendation that turned is judged by the rules', async () => {
    await world.bench.stop()
    await begin({ platform: 'facebook' })
    const { id } = await waiting('facebook')
    edit({ stars: 1, text: 'Never again' }, 'facebook')
    await world.reply(id)
    expect(world.facebook.replies).toEqual([])
    expect(await rowOf()).toMatchObject({
      auto_response_status: 'skipped',
      review_text: 'Never again',
      sentiment: 'negative',
    })
    expect(await verify()).toMatchObject({ sound: true })
  })

  test('keeps the place where the chain is known to end', async () => {
    const { id } = await waiting()
    edit({ text: 'Lovely soup' })
    await world.reply(id)
    const [listing] = await world.owner.rows(ReviewListing).list()
    const { chains } = (await verify()) as unknown as { chains: { head: string }[] }
    const heads = listing?.heads as { google: { hash: string } }
    expect(chains.map(({ head }) => head)).toEqual([heads.google.hash])
  })
})

describe('A reply that is due is judged anew by', () => {
  const rules = (changes: object) => world.owner.rows(AutoResponseRules).update(world.agency_id, changes)
  const location = (changes: object) => world.owner.rows(BusinessLocation).update(world.location_id, changes)
  test.each([
    ['a rating filter that changed', () => rules({ ratings: [1, 2, 3] })],
    [
      'an age limit that changed',
      async () => {
        edit({ created: world.bench.now.getTime() - 48 * hour })
        await rules({ newest_days: 1 })
      },
    ],
    ['an opt-in that was taken back', () => location({ auto_response_enabled: false })],
    ['a location that was paused', () => location({ is_active: false })],
    [
      'a flag that a person set',
      async () => world.bench.command('review flag', { review_id: (await rowOf()).id, reason: 'I know her' }),
    ],
    ['a review that was deleted', async () => void world.google.reviews.clear()],
    [
      'the language model, which calls it urgent',
      async () =>
        world.owner
          .rows(Review)
          .update((await rowOf()).id, { priority: 'urgent', analysis_method: 'llm:small' }),
    ],
  ] as [string, () => Promise<unknown>][])('%s', async (_, happen) => {
    const { id } = await waiting()
    await happen()
    await world.reply(id)
    expect(world.google.replies).toEqual([])
    const row = await rowOf()
    expect([row.auto_response_status, row.auto_response_error]).toEqual(['skipped', undefined])
    // A review that a look does not find is not taken for removed: only a complete reading says so.
    expect(row.removed_at_source_at ?? null).toBeNull()
  })

  test('an answer that can be read: one that cannot sends nothing and decides nothing', async () => {
    const { id } = await waiting()
    world.google.singleFaults.push({ kind: 'status', status: 200 })
    await expect(world.reply(id)).rejects.toMatchObject({ kind: 'transient' })
    expect([world.google.replies, (await rowOf()).auto_response_status]).toEqual([[], 'pending'])
  })

  test('words that were stored before they were judged by today’s lists', async () => {
    const { id } = await waiting()
    edit({ text: 'My lawyer will write to you' })
    await world.owner
      .rows(Review)
      .update(id, { review_text: 'My lawyer will write to you', review_updated_at: new Date().toISOString() })
    await world.reply(id)
    expect(world.google.replies).toEqual([])
    expect(await rowOf()).toMatchObject({ auto_response_status: 'skipped', is_flagged: true })
    expect(await flagNews()).toHaveLength(1)
  })
})

describe('A reply of ours that a sync finds before the worker wrote it down', () => {
  test('counts as sent', async () => {
    const { id } = await waiting()
    const killed = () => Promise.reject(new Error('killed'))
    await expect(
      world.reply(id, 1, (owner) => ({
        ...owner,
        rows: (entity) => ({ ...owner.rows(entity), updateWhere: killed }),
        writeTogether: killed,
      })),
    ).rejects.toThrow('killed')
    world.later(25 * hour)
    await world.sync()
    expect(await rowOf()).toMatchObject({ auto_response_status: 'pending', reply_text: expect.any(String) })
    await world.reply(id, 2)
    expect(world.google.replies).toHaveLength(1)
    expect(await rowOf()).toMatchObject({ auto_response_status: 'sent', reply_updated_by: 'auto-response' })
  })
})
