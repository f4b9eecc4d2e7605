import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { OwnerContext } from '../../../../core/contracts/plugin'
import { where } from '../../../../core/contracts/where'
import { explainReviewCount } from '../../../../plugins/reviews/operations/explainReviewCount'
import { explainChain } from '../../../../plugins/reviews/operations/explainReviews'
import { Review } from '../../../../plugins/reviews/records/Review'
import { ReviewedLocation } from '../../../../plugins/reviews/records/ReviewedLocation'
import { ReviewListing } from '../../../../plugins/reviews/records/ReviewListing'
import { platformWorld } from '../support/platform-world'
import { withoutTransactions } from '../support/without-transactions'

const hour = 3_600_000
const day = 24 * hour
type World = Awaited<ReturnType<typeof platformWorld>>
let world: World
const begin = async (platform: 'google' | 'facebook' = 'google', count = 12) => {
  world = await platformWorld({ platform })
  for (let n = 0; n < count; n++) write(`r${n}`, platform)
  await world.sync()
}
beforeEach(() => begin())
afterEach(() => world.bench.stop())

const write = (id: string, platform: 'google' | 'facebook' = 'google') => {
  const at = Math.floor(world.bench.now.getTime() / 1_000) * 1_000
  const said = { stars: 5, text: `text ${id}`, author: `Ann ${id}`, created: at, updated: at }
  world[platform].reviews.set(id, { id, ...said })
}
const next = async (laterMs = 25 * hour) => {
  world.later(laterMs)
  await world.sync().catch(() => {})
}
/** A process that is killed before it writes the first review. */
const dying = (owner: OwnerContext): OwnerContext =>
  withoutTransactions({
    ...owner,
    rows: (entity) => {
      const rows = owner.rows(entity)
      const insert = () => Promise.reject(new Error('killed'))
      return entity.name === 'Review' ? { ...rows, insert } : rows
    },
  })
interface Answer {
  sources: { says: string; source_shows: number | null; we_list: number; difference: number | null }[]
  differences: { reviews: number; kind: string; why: string }[]
  reviews?: { kind: string; source_id: string; reviewer_name?: string; begins: string; removed_at?: string }[]
}
/** The answer, whose parts must always add up to the difference. */
const explain = async () => {
  const said = await world.bench.command('review explain', { location_id: world.location_id })
  const { sources, differences, reviews = [] } = said as unknown as Answer
  const [answer] = sources
  if (!answer) throw new Error('no answer')
  const at = { workspace: world.workspace_id }
  const asked = await world.bench.ask(explainReviewCount, { location_id: world.location_id }, at)
  // Agents are told the same as the command line.
  expect({ differences: asked.differences, names: namesOf(asked.reviews) }).toEqual({
    differences: differences as typeof asked.differences,
    names: namesOf(reviews),
  })
  const sum = differences.reduce((total, { reviews }) => total + reviews, 0)
  if (answer.difference !== null) expect(sum).toBe(answer.difference)
  const named = (kind: string) =>
    reviews.filter((one) => one.kind === kind).sort((a, b) => (a.source_id < b.source_id ? -1 : 1))
  return { ...answer, differences, reviews, named }
}
const namesOf = (reviews: readonly { readonly kind: string; readonly source_id: string }[]) =>
  reviews.map(({ kind, source_id }) => `${kind} ${source_id}`)

/** Each part: how many, of which kind, and the reviews that are named. */
const parts = ({ differences, named }: Awaited<ReturnType<typeof explain>>) =>
  differences.map(({ reviews, kind }) => [reviews, kind, named(kind).map((one) => one.source_id)])

describe('Google shows another number than is listed here', () => {
  test('not at all: it says so, and when that was found', async () => {
    expect(await explain()).toMatchObject({
      source_shows: 12,
      we_list: 12,
      difference: 0,
      differences: [],
      reviews: [],
      says: 'Google shows 12 reviews, 12 are listed here. The last full sync, at 2026-03-15T12:00:00.000Z, returned 12 on 1 page and was complete.',
    })
  })

  test('because some were removed: these are named, with when', async () => {
    for (const id of ['r1', 'r2', 'r3']) world.google.reviews.delete(id)
    await next()
    const answer = await explain()
    expect(answer).toMatchObject({ source_shows: 9, we_list: 9, difference: 0, removed_at_source: 3 })
    expect(answer.says).toContain('3 more are kept and left out, because Google no longer has them.')
    expect(answer.named('removed').map(({ source_id }) => source_id)).toEqual(['r1', 'r2', 'r3'])
    expect(answer.named('removed')[0]).toMatchObject({
      removed_at: world.bench.now.toISOString(),
      star_rating: 5,
      begins: expect.stringMatching(/^text r/),
    })
  })

  test('because it has counted others since', async () => {
    const at = where.eq('location_id', world.location_id)
    await world.owner.rows(ReviewListing).updateWhere(at, { total: 20 })
    await world.owner.rows(ReviewedLocation).update(world.location_id, { total_reviews: 20 })
    const answer = await explain()
    expect(answer).toMatchObject({ source_shows: 20, we_list: 12, difference: 8 })
    expect(parts(answer)).toEqual([[8, 'since', []]])
  })

  test('because it counts some that it lists nowhere', async () => {
    world.google.faults.push(...Array.from({ length: 2 }, () => ({ kind: 'drift' }) as const))
    await next()
    const answer = await explain()
    expect(answer).toMatchObject({ source_shows: 13, we_list: 12, difference: 1 })
    expect(parts(answer)).toEqual([[1, 'uncounted', []]])
    expect(answer.says).toContain('not complete: the count differs from the number of reviews on the pages.')
  })

  test('because many are missing at once, and a second reading has yet to miss them', async () => {
    for (let n = 0; n < 7; n++) world.google.reviews.delete(`r${n}`)
    await next()
    const answer = await explain()
    expect(answer).toMatchObject({ source_shows: 5, we_list: 12, difference: -7 })
    expect(parts(answer)).toMatchObject([[-7, 'missing_once', { length: 7 }]])
    expect(answer.named('missing_once')[0]?.reviewer_name).toBe('Ann r0')
  })

  test('because a process died before it had written down what it read', async () => {
    write('new')
    world.later(day + hour)
    await expect(world.sync(dying)).rejects.toThrow('killed')
    const answer = await explain()
    expect(parts(answer)).toContainEqual([1, 'unwritten', ['new']])
    expect(answer.named('unwritten')).toMatchObject([
      { source_id: 'new', reviewer_name: 'Ann new', begins: 'text new' },
    ])
    await next()
    expect((await explain()).differences).toEqual([])
  })

  test('because one came from another source and Google’s own list has never shown it', async () => {
    await world.owner.rows(Review).insert({
      workspace_id: world.workspace_id,
      location_id: world.location_id,
      source: 'google',
      source_id: 'ChZDx',
      star_rating: 4,
      reviewer_name: 'Bo',
      synced_at: '2026-03-01T00:00:00.000Z',
    })
    await next()
    expect(parts(await explain())).toEqual([[-1, 'imported', ['ChZDx']]])
  })

  test('because the last whole reading was not complete and missed some', async () => {
    world.google.reviews.delete('r4')
    world.google.faults.push(...Array.from({ length: 2 }, () => ({ kind: 'drift' }) as const))
    await next()
    const answer = await explain()
    expect(answer).toMatchObject({ source_shows: 12, we_list: 12, difference: 0 })
    expect(parts(answer)).toEqual([
      [1, 'uncounted', []],
      [-1, 'missed', ['r4']],
    ])
  })

  test('because it counted again since', async () => {
    world.google.faults.push(...Array.from({ length: 2 }, () => ({ kind: 'drift' }) as const))
    await next()
    world.google.reviews.delete('r5')
    await next(hour)
    expect((await explain()).difference).toBe(-1)
    expect(parts(await explain())).toEqual([
      [1, 'uncounted', []],
      [-2, 'since', []],
    ])
  })
})

test('Facebook reports no count: what is missing once is named all the same', async () => {
  await world.bench.stop()
  await begin('facebook', 3)
  world.facebook.reviews.delete('r1')
  await next()
  const answer = await explain()
  expect(answer).toMatchObject({ source_shows: null, we_list: 3, difference: null })
  expect(answer.says).toStartWith('Facebook reports no count, 3 are listed here.')
  expect(parts(answer)).toMatchObject([[-1, 'missing_once', ['r1']]])
})

const explained = (shows?: number) =>
  explainChain(world.owner, {
    shows,
    chain: { workspace_id: world.workspace_id, location_id: world.location_id, source: 'google' },
    platform: { label: 'Google' } as Parameters<typeof explainChain>[1]['platform'],
  })

test('Without a newer count, that of the last reading is shown', async () => {
  expect((await explained())?.answer).toMatchObject({ source_shows: 12, we_list: 12, difference: 0 })
})

describe('A review that no sync returned', () => {
  type Asked = Parameters<typeof explainChain>[1]
  const foreign = (source: string) =>
    world.owner.rows(Review).insert({
      workspace_id: world.workspace_id,
      location_id: world.location_id,
      source,
      source_id: 'foreign',
      star_rating: 4,
      synced_at: '2026-03-01T00:00:00.000Z',
    })
  const kinds = async (source: string, hasOwnListing: boolean, suspects?: Asked['suspects']) => {
    const chain = { workspace_id: world.workspace_id, location_id: world.location_id, source }
    const platform = { label: source, hasOwnListing } as Asked['platform']
    const more = suspects === undefined ? {} : { suspects }
    const found = await explainChain(world.owner, { chain, platform, ...more })
    return found?.differences.map(({ kind }) => kind)
  }

  test('is from another source where the platform has a listing of its own that counts', async () => {
    await foreign('google')
    await next()
    expect(await kinds('google', true)).toEqual(['imported'])
    expect(await kinds('google', true, {})).toEqual(['imported'])
    expect(await kinds('google', false)).toEqual(['missing_once'])
    expect(await kinds('google', false, {})).toEqual(['missed'])
  })

  test('is missing where the platform has no count', async () => {
    await world.bench.stop()
    await begin('facebook', 3)
    await foreign('facebook')
    await next()
    expect(await kinds('facebook', true)).toEqual(['missing_once'])
    expect(await kinds('facebook', true, {})).toEqual(['missed'])
  })
})

test('No count is shown where the first reading was killed before its end', async () => {
  await world.bench.stop()
  world = await platformWorld()
  write('r1')
  await expect(world.sync(dying)).rejects.toThrow('killed')
  const { answer, differences } = (await explained()) ?? {}
  expect(answer).toMatchObject({ source_shows: null, we_list: 0, difference: null })
  expect(differences).toMatchObject([{ reviews: 1, kind: 'unwritten' }])
  const newer = await explained(3)
  expect(newer?.differences.map(({ reviews, kind }) => [reviews, kind])).toEqual([
    [1, 'unwritten'],
    [2, 'since'],
  ])
})

test('A location that was never read says so, and one that is not there is refused', async () => {
  await world.bench.stop()
  world = await platformWorld()
  expect(await world.bench.command('review explain', { location_id: world.location_id })).toMatchObject({
    says: 'No review of this location has been read yet.',
    sources: [],
  })
  await expect(world.bench.command('review explain', { location_id: 'loc_none' })).rejects.toThrow(
    'There is no location loc_none.',
  )
})
