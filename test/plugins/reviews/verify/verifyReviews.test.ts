import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { where } from '../../../../core/contracts/where'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import type { ReviewRow } from '../../../../plugins/reviews/analysis/reconcile'
import type { SourceReview } from '../../../../plugins/reviews/contract'
import { logHeads } from '../../../../plugins/reviews/proof/logHeads'
import { Review } from '../../../../plugins/reviews/records/Review'
import { ReviewListing } from '../../../../plugins/reviews/records/ReviewListing'
import { ReviewObservation } from '../../../../plugins/reviews/records/ReviewObservation'
import { part } from '../../../support/part'
import { platformWorld } from '../support/platform-world'

type World = Awaited<ReturnType<typeof platformWorld>>
let world: World

/** Five readings: found, edited, removed, nothing new, one more found. Entries 1–8. */
let bought: Record<string, unknown>
beforeEach(async () => {
  world = await platformWorld()
  bought = {
    workspace_id: world.workspace_id,
    location_id: world.location_id,
    source: 'google',
    star_rating: 5,
    review_created_at: '2026-03-15T00:00:00.000Z',
  }
  for (let n = 0; n < 8; n++) write(`r${n}`)
  await next()
  Object.assign(world.google.reviews.get('r0') ?? {}, { text: 'edited', updated: world.bench.now.getTime() })
  await next()
  world.google.reviews.delete('r7')
  await next()
  await next()
  write('late')
  await next()
})
afterEach(() => world.bench.stop())

const write = (id: string) => {
  const at = world.bench.now.getTime()
  world.google.reviews.set(id, { id, stars: 5, text: `text ${id}`, author: 'Ann', created: at, updated: at })
}
const next = async () => {
  await world.sync()
  world.later(25 * 3_600_000)
}
interface Verdict {
  sound: boolean
  holds_head?: boolean
  chains: { sound: boolean; fault?: string; strays?: string[]; head: string; entries: number }[]
}
const verify = async (input: object = {}) =>
  (await world.bench.command('review verify', { ...input })) as unknown as Verdict
const rows = () => world.bench.collection(Review)
const entries = () => world.bench.collection(ReviewObservation)
const chain = () =>
  world.owner.rows(ReviewObservation).list({ sort: [{ field: 'seq', direction: 'asc' }], limit: 100 })
const entry = async (seq: number) => {
  const [found] = await world.owner.rows(ReviewObservation).list({ where: where.eq('seq', seq) })
  if (!found) throw new Error(`no entry ${seq}`)
  return found
}
const change = (seq: number, set: object) => entries().updateOne(where.eq('seq', seq), { set: { ...set } })
const drop = (seq: number) => entries().remove(where.eq('seq', seq))
const alter = async (id: string, set: Partial<ReviewRow>) => {
  const [row] = await world.owner.rows(Review).list({ where: where.eq('source_id', id) })
  await world.owner.rows(Review).update(row?.id ?? '', set)
}

const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')

/** What the hash of an entry covers of a review: the hash of its content, and what figures need. */
const hashed = (entry: {
  readonly reviews?: readonly { readonly digest: string; readonly review: SourceReview }[]
}) =>
  entry.reviews === undefined
    ? entry
    : {
        ...entry,
        reviews: entry.reviews.map(({ digest, review }) => ({
          digest,
          content: sha256(canonical(JSON.parse(JSON.stringify(review)))),
          source_id: review.source_id,
          star_rating: review.star_rating,
          recommends: review.recommends,
          review_created_at: review.review_created_at,
          review_updated_at: review.review_updated_at,
        })),
      }

/** Makes every hash anew from an entry on, as one would who can write to the store and knows how. */
async function rehash(from: number): Promise<string> {
  let prev_hash = from === 1 ? '0'.repeat(64) : (await entry(from - 1)).hash
  for (const row of (await chain()).filter(({ seq }) => seq >= from)) {
    const { workspace_id, location_id, source, seq, at } = row
    const body = canonical({
      workspace_id,
      location_id,
      source,
      seq,
      at,
      entry: JSON.parse(JSON.stringify(hashed(row.entry as never))),
    })
    const hash = sha256(`${prev_hash}\n${body}`)
    await change(seq, { prev_hash, hash })
    prev_hash = hash
  }
  return prev_hash
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`).join(',')}}`
}

const seenReviews = async (seq: number) =>
  structuredClone((await entry(seq)).entry) as {
    reviews: { digest: string; review: { star_rating: number } }[]
  }

test('A chain that nobody touched is proved, and its rows with it', async () => {
  const { sound, chains } = await verify()
  expect([sound, chains.length, chains[0]?.entries]).toEqual([true, 1, 8])
  expect((await verify({ location_id: world.location_id })).sound).toBe(true)
  expect(await verify({ head: (await entry(3)).hash })).toMatchObject({ sound: true, holds_head: true })
})

test('The end that each report has outside the database is one that verify accepts', async () => {
  const heads = await logHeads(world.bench.read(world.workspace_id), world.location_id)
  const last = await entry(8)
  expect(heads).toEqual([{ source: 'google', entry: 8, hash: last.hash }])
  await next()
  expect(await verify({ head: heads[0]?.hash })).toMatchObject({ sound: true, holds_head: true })
  await entries().remove(where.eq('location_id', world.location_id))
  expect(await verify({ head: heads[0]?.hash })).toMatchObject({ sound: false, holds_head: false })
})

describe('Who tampers with the chain is found:', () => {
  const found: [string, () => Promise<unknown>, RegExp][] = [
    [
      'what was seen is changed',
      async () => {
        const body = await seenReviews(1)
        for (const { review } of body.reviews) review.star_rating = 1
        await change(1, { entry: body })
      },
      /^entry 1: it was changed/,
    ],
    [
      'when it was seen is changed',
      () => change(3, { at: '2020-01-01T00:00:00.000Z' }),
      /^entry 3: it was changed/,
    ],
    ['a hash is changed', () => change(4, { hash: 'f'.repeat(64) }), /^entry 4: it was changed/],
    ['a bond is changed', () => change(4, { prev_hash: 'f'.repeat(64) }), /^entry 4: it does not follow/],
    ['the first entry is taken out', () => drop(1), /^entry 1: entry 1 is missing/],
    ['one from the middle is taken out', () => drop(4), /^entry 4: entry 4 is missing/],
    [
      'one is taken out and those behind it move up',
      async () => {
        await drop(4)
        for (let seq = 5; seq <= 8; seq++) await change(seq, { seq: seq - 1 })
      },
      /^entry 4: it does not follow/,
    ],
    ['the last one is taken out', () => drop(8), /^entry 7: the chain ends before entry 8, which was noted/],
    [
      'all of it is taken out',
      () => entries().remove(where.eq('location_id', world.location_id)),
      /^entry 0: the chain ends before entry 8/,
    ],
    [
      'two change places',
      async () => {
        await change(5, { seq: 50 })
        await change(6, { seq: 5 })
        await change(50, { seq: 6 })
      },
      /^entry 5: it does not follow/,
    ],
    [
      'one is put in at the end, rightly bound',
      async () => {
        const { id: _, ...last } = await entry(8)
        const removed = { ...(last.entry as object), removed: ['r1'], standing: 7 }
        await entries().insert({ ...last, id: 'rob_forged', seq: 9, entry: removed })
        await rehash(9)
      },
      /^entry 9: the current reviews are not those that it names/,
    ],
    [
      'a review is changed with its digest and every hash behind it',
      async () => {
        const body = await seenReviews(7)
        const [{ review } = { review: { star_rating: 0 } }] = body.reviews
        review.star_rating = 1
        await change(7, { entry: body })
        await rehash(7)
      },
      /^entry 7: a review does not match its digest/,
    ],
    [
      'a removal loses the statement of the platform, with every hash behind it',
      async () => {
        await change(5, { entry: { ...((await entry(5)).entry as object), statements: {} } })
        await rehash(5)
      },
      /^entry 5: it removes r7 without a statement of the platform/,
    ],
    [
      'a removal follows from a reading that was not complete, with every hash behind it',
      async () => {
        const body = (await entry(5)).entry as { proof: object }
        await change(5, { entry: { ...body, proof: { ...body.proof, complete: false } } })
        await rehash(5)
      },
      /^entry 5: it removes reviews after an incomplete sync/,
    ],
    [
      'the chain is made anew from its beginning',
      async () => {
        await change(1, { at: '2020-01-01T00:00:00.000Z' })
        await rehash(1)
      },
      /^entry 8: it differs from the noted one/,
    ],
  ]
  test.each(found)('%s', async (_, tamper, fault) => {
    await tamper()
    const { sound, chains } = await verify()
    expect([sound, chains[0]?.sound]).toEqual([false, false])
    expect(chains[0]?.fault).toMatch(fault)
  })

  test('chain and note are made anew together: a head that was kept elsewhere tells', async () => {
    const kept = (await entry(8)).hash
    await change(1, { at: '2020-01-01T00:00:00.000Z' })
    const head = { seq: 8, hash: await rehash(1) }
    const [listing] = await world.owner.rows(ReviewListing).list()
    await world.owner.rows(ReviewListing).update(listing?.id ?? '', { heads: { google: head } })
    expect((await verify()).sound).toBe(true)
    expect(await verify({ head: kept })).toMatchObject({ sound: false, holds_head: false })
  })
})

test('A removal is kept with what the platform said, and one of an older version without it is counted', async () => {
  const { statements, ...older } = (await entry(5)).entry as { statements: object }
  expect(statements).toEqual({
    r7: expect.stringMatching(/^google: 404 NOT_FOUND, while r\d could be loaded$/),
  })
  expect((await verify()).chains[0]).not.toHaveProperty('removed_without_statement')
  await change(5, { entry: older })
  const head = { seq: 8, hash: await rehash(5) }
  const [listing] = await world.owner.rows(ReviewListing).list()
  await world.owner.rows(ReviewListing).update(listing?.id ?? '', { heads: { google: head } })
  expect(await verify()).toMatchObject({ sound: true, chains: [{ removed_without_statement: 1 }] })
})

describe('Who tampers with the rows is found:', () => {
  const found: [string, () => Promise<unknown>, string[]][] = [
    ['stars', () => alter('r1', { star_rating: 1 }), ['r1: the row says something else']],
    ['words', () => alter('r1', { review_text: 'Awful' }), ['r1: the row says something else']],
    ['a name', () => alter('r1', { reviewer_name: 'Bo' }), ['r1: the row says something else']],
    [
      'a date',
      () => alter('r1', { review_created_at: '2020-01-01T00:00:00.000Z' }),
      ['r1: the row says something else'],
    ],
    [
      'a reply that nobody wrote',
      () => alter('r1', { reply_text: 'Liar' }),
      ['r1: the row says something else'],
    ],
    [
      'one is hidden',
      () => alter('r1', { removed_at_source_at: '2026-03-16T00:00:00.000Z' }),
      ['r1: no row'],
    ],
    ['one that is gone is shown', () => alter('r7', { removed_at_source_at: null }), ['r7: never seen']],
    [
      'one passes for another',
      () => alter('r1', { source_id: 'invented' }),
      ['r1: no row', 'invented: never seen'],
    ],
    [
      'one is deleted',
      () => world.owner.rows(Review).removeWhere(where.eq('source_id', 'r1')),
      ['r1: no row'],
    ],
    [
      'when the owner answered',
      async () => {
        const reply = { text: 'Thank you', at: world.bench.now.getTime() }
        Object.assign(world.google.reviews.get('r1') ?? {}, { reply })
        await next()
        expect(await verify()).toMatchObject({ sound: true })
        await alter('r1', { reply_created_at: '2020-01-01T00:00:00.000Z' })
      },
      ['r1: the row says something else'],
    ],
    [
      'a feeling',
      () => alter('r1', { sentiment: 'negative', sentiment_score: -1 }),
      ['r1: its judgement does not follow from its words'],
    ],
    [
      'a priority',
      () => alter('r1', { priority: 'urgent' }),
      ['r1: its judgement does not follow from its words'],
    ],
    [
      'a topic',
      () => alter('r1', { key_topics: ['scam'] }),
      ['r1: its judgement does not follow from its words'],
    ],
    [
      'the words of one that is gone',
      () => alter('r7', { review_text: 'Awful' }),
      ['r7: the row says something else'],
    ],
    [
      'one is put into another workspace',
      () => rows().updateOne(where.eq('source_id', 'r1'), { set: { workspace_id: 'wsp_other' } }),
      ['r1: in another workspace'],
    ],
    [
      'one is put to another platform',
      () => rows().updateOne(where.eq('source_id', 'r1'), { set: { source: 'facebook' } }),
      ['r1: no row'],
    ],
    [
      'one is made up that was never imported by the API',
      () => world.owner.rows(Review).insert(part({ ...bought, source_id: 'bought' })),
      ['bought: never seen'],
    ],
    [
      'one is made up as removed',
      () =>
        world.owner.rows(Review).insert(
          part({
            ...bought,
            source_id: 'bought',
            removed_at_source_at: '2026-03-16T00:00:00.000Z',
          }),
        ),
      ['bought: never seen'],
    ],
    [
      "the location's average",
      () => world.owner.rows(BusinessLocation).update(world.location_id, { average_rating: 4.2 }),
      ['average_rating of the location: the platform never reported it'],
    ],
    [
      "the location's total",
      () => world.owner.rows(BusinessLocation).update(world.location_id, { total_reviews: 4_000 }),
      ['total_reviews of the location: the platform never reported it'],
    ],
    [
      "the location's average and its note",
      async () => {
        await world.owner.rows(BusinessLocation).update(world.location_id, { average_rating: 4.9 })
        const [listing] = await world.owner.rows(ReviewListing).list()
        const figures = { ...(listing?.figures as object), average: 4.9 }
        await world.owner.rows(ReviewListing).update(listing?.id ?? '', { figures })
      },
      ['average_rating of the location: the platform never reported it'],
    ],
    [
      'one is made up',
      () =>
        world.owner.rows(Review).insert({
          workspace_id: world.workspace_id,
          location_id: world.location_id,
          source: 'google',
          source_id: 'bought',
          star_rating: 5,
          gbp_api_synced_at: '2026-03-16T00:00:00.000Z',
        }),
      ['bought: never seen'],
    ],
  ]
  test.each(found)('%s', async (_, tamper, strays) => {
    const kept = (await chain()).at(-1)?.hash ?? ''
    await tamper()
    for (const input of [{}, { head: kept }]) {
      const { sound, chains } = await verify(input)
      expect([sound, chains.find(({ strays }) => strays)?.strays]).toEqual([false, strays])
    }
  })

  test('figures that stood before a note are no strays while a reading is due, and then they are', async () => {
    const locations = world.owner.rows(BusinessLocation)
    const before = { average: 4.2, total: 4_000 }
    await locations.update(world.location_id, { average_rating: before.average, total_reviews: before.total })
    const [listing] = await world.owner.rows(ReviewListing).list()
    const id = listing?.id ?? ''
    const figures = { ...(listing?.figures as object), before }
    await world.owner.rows(ReviewListing).update(id, { figures, due_at: world.bench.now.toISOString() })
    expect((await verify()).sound).toBe(true)
    await locations.update(world.location_id, { total_reviews: 4_001 })
    expect((await verify()).sound).toBe(false)
    await locations.update(world.location_id, { total_reviews: before.total })
    const due_at = new Date(world.bench.now.getTime() + 1).toISOString()
    await world.owner.rows(ReviewListing).update(id, { due_at })
    expect((await verify()).sound).toBe(false)
  })

  test('the next whole reading puts right what the platform says, and the proof is sound again', async () => {
    await alter('r1', { star_rating: 1, review_text: 'Awful' })
    await world.owner
      .rows(BusinessLocation)
      .update(world.location_id, { average_rating: 1, total_reviews: 1 })
    expect((await verify()).sound).toBe(false)
    await next()
    expect(await verify()).toMatchObject({ sound: true })
  })
})

describe('Rows that no chain holds are found:', () => {
  test('those of a location that nothing was ever read for, unless they are a demo', async () => {
    const location_id = await other({})
    await world.owner.rows(Review).insert(part({ ...bought, location_id, source_id: 'bought' }))
    expect(await verify()).toMatchObject({
      sound: false,
      chains: [{ sound: true }, { location_id, sound: false, strays: ['1 reviews without a chain'] }],
    })
    expect(await verify({ location_id })).toMatchObject({ sound: false })
    await world.owner.rows(BusinessLocation).update(location_id, { is_demo: true })
    expect(await verify()).toMatchObject({ sound: true })
  })

  test('those whose chain and note of it were taken out', async () => {
    const own = where.eq('location_id', world.location_id)
    await entries().remove(own)
    await world.bench.collection(ReviewListing).remove(own)
    expect(await verify()).toMatchObject({
      sound: false,
      chains: [{ strays: ['9 reviews without a chain'] }],
    })
  })

  test('those of a chain whose end is noted no more', async () => {
    await world.bench.collection(ReviewListing).updateMany(where.eq('location_id', world.location_id), {
      unset: ['heads'],
    })
    const { sound, chains } = await verify()
    expect([sound, chains[0]?.fault]).toEqual([false, "entry 8: the note of the log's end is missing"])
  })
})

const other = async (more: object) =>
  (
    await world.owner.rows(BusinessLocation).insert({
      workspace_id: world.workspace_id,
      business_name: 'Other',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
      ...more,
    })
  ).id

test('An automatic reply that was noted in the row is no stray, before the chain has seen it and after', async () => {
  await world.rules()
  write('new')
  await world.sync()
  const [row] = await world.owner.rows(Review).list({ where: where.eq('source_id', 'new') })
  world.later(60_000)
  await world.reply(row?.id ?? '')
  expect(await verify()).toMatchObject({ sound: true })
  await alter('new', { review_text: 'Awful' })
  expect((await verify()).chains[0]?.strays).toEqual(['new: the row says something else'])
  await alter('new', { review_text: 'text new' })
  world.later(25 * 3_600_000)
  await world.sync()
  expect(await verify()).toMatchObject({ sound: true })
})
