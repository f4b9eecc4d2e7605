import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  type FoundReview,
  notReadyCode,
  type ReviewSource,
  reviewSource,
  type SendableText,
  type SourcePage,
  type SourceReview,
  starsOf,
} from 'renown/reviews'
import { isPassing, isServiceFault } from '../../core/contracts/service-fault'
import { unreadableAnswers } from './liar'
import { isOfRow, oddAnswers, unstorableTexts } from './odd-texts'
import { passingFaults, type SourceSetup, type SourceWorld, sourceWorld } from './source-world'

/** A review that the suite puts on the platform. */
export interface StandInReview {
  readonly id: string
  readonly stars: number
  readonly text: string
  readonly at: Date
}

/** A platform as far as the suite drives it. */
export interface ReviewStandIn {
  /** Answers a request as the platform does. */
  fetch(request: Request): Promise<Response>
  /** Makes the platform hold exactly these reviews, newest first, without replies. */
  set(reviews: readonly StandInReview[]): void
}

/** How `testReviewSource` drives a review source. */
export interface ReviewSourceSuite extends SourceSetup {
  /** Makes the stand-in of the service, which answers requests as the service does. */
  standIn(clock: { now(): number }): ReviewStandIn
  /** The most reviews that the platform lists. It lists all when this is left out. */
  readonly listsAtMost?: number
}

type World = SourceWorld<ReviewSource> & { readonly set: ReviewStandIn['set'] }

/**
 * Writes the tests of the contract of `reviews.source`: pages, ids, unread rows, answers that cannot be read, passing faults, missing
 * reviews and replies. Call it in a test file.
 */
export function testReviewSource(suite: ReviewSourceSuite): void {
  const held: { world?: World } = {}
  const world = () => held.world as World
  describe(`the review source ${suite.name}`, () => {
    beforeAll(async () => {
      const clock: { now(): number } = { now: () => held.world?.bench.now.getTime() ?? 0 }
      const standIn = suite.standIn(clock)
      const made = await sourceWorld(reviewSource, suite, (request) => standIn.fetch(request))
      held.world = { ...made, set: (reviews) => standIn.set(reviews) }
    })
    afterAll(() => held.world?.stop())
    testListing(world, suite.listsAtMost ?? Number.POSITIVE_INFINITY)
    testFaults(world)
    testRows(world, suite.listsAtMost ?? Number.POSITIVE_INFINITY)
    testLists(world)
    testOddTexts(world, suite.listsAtMost ?? Number.POSITIVE_INFINITY)
    testGone(world)
    testReplies(world)
  })
}

const day = 86_400_000
const reviewsOf = ({ bench }: World, count: number): StandInReview[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `r${n}`,
    stars: (n % 5) + 1,
    text: `Text of review ${n}`,
    at: new Date(bench.now.getTime() - (n + 1) * day),
  }))

/** Puts that many reviews on the platform; the location knows their number, as after a sync. */
function fill(world: World, count: number): void {
  world.meddle(null)
  world.set(reviewsOf(world, count))
}

/** Reads one page. Waits for a source that has to prepare its answer. */
async function pageOf(world: World, token: string | null = null, count = 0): Promise<SourcePage> {
  const task = world.task()
  for (let attempt = 1; ; attempt++) {
    try {
      const known = { ...world.location, total_reviews: count }
      const listing = await world.extension.open(world.ctx, known, {
        ...world.task(attempt, task.saved),
        save: task.save,
      })
      return await listing.page(token)
    } catch (error) {
      if (attempt > 10 || !isServiceFault(error) || error.code !== notReadyCode) throw error
    }
  }
}

/** Reads all pages. Fails when the source asks for a page twice. */
async function readAll(world: World, count: number) {
  const pages: SourcePage[] = []
  const tokens = new Set<string | null>()
  for (let token: string | null = null; ; ) {
    expect(tokens.has(token)).toBe(false)
    tokens.add(token)
    const page: SourcePage = await pageOf(world, token, count)
    pages.push(page)
    if (page.next === null) return { pages, reviews: pages.flatMap(({ reviews }) => reviews) }
    token = page.next
  }
}

const idsOf = (reviews: readonly SourceReview[]) => reviews.map(({ source_id }) => source_id)

const outcome = async <T>(work: () => Promise<T>): Promise<{ value: T } | { fault: unknown }> => {
  try {
    return { value: await work() }
  } catch (fault) {
    return { fault }
  }
}

function testListing(world: () => World, most: number) {
  test('reads its own location, and none that the platform does not know', () => {
    const { ctx, extension, location } = world()
    expect(extension.reads(ctx, location)).toBe(true)
    expect(extension.reads(ctx, { id: 'loc_1', workspace_id: location.workspace_id })).toBe(false)
  })

  test('reads a platform alone, or says which of its lists it reads', () => {
    const { ctx, extension } = world()
    const sources = ctx.extensions(reviewSource).filter(({ source }) => source === extension.source)
    const own = sources.filter(({ listing }) => listing === 'own')
    // Only a list with a count says which of the imported reviews it holds.
    expect(own.every(({ evidence }) => evidence === 'counted')).toBe(true)
    if (sources.length === 1) expect(extension.listing).toBeUndefined()
    else
      expect({ own: own.length, isSaid: extension.listing !== undefined }).toEqual({ own: 1, isSaid: true })
  })

  test('sends no request before the first page', async () => {
    const { ctx, extension, location, asked, task, meddle } = world()
    meddle(null)
    await extension.open(ctx, location, task())
    expect(asked.count).toBe(0)
  })

  test.each([1, 4, 120])('lists each of %i reviews once, and then ends', async (count) => {
    fill(world(), count)
    const { pages, reviews } = await readAll(world(), count)
    expect(reviews).toHaveLength(Math.min(count, most))
    expect(new Set(idsOf(reviews)).size).toBe(reviews.length)
    for (const review of reviews) {
      expect(review.source_id).not.toBe('')
      expect(review.star_rating).toBe(starsOf(review.star_rating))
      const { review_created_at: at } = review
      if (at !== undefined) expect(new Date(at).toISOString()).toBe(at)
    }
    expect(pages.filter(({ isPart }) => isPart)).toEqual([])
    if (world().extension.evidence === 'counted') expect(pages.at(-1)?.total).toBe(count)
  })

  test('gives each review the same id on every read, and when others come', async () => {
    fill(world(), 4)
    const before = idsOf((await readAll(world(), 4)).reviews)
    expect(idsOf((await readAll(world(), 4)).reviews)).toEqual(before)
    fill(world(), 5)
    const after = idsOf((await readAll(world(), 5)).reviews)
    expect(before.filter((id) => !after.includes(id))).toEqual([])
  })

  test('gives the same next page when the platform sends a page again, so that a loop is noticed', async () => {
    fill(world(), 120)
    const first = await pageOf(world(), null, 120)
    if (first.next === null) return
    const bodies: string[] = []
    world().meddle(async (honest) => {
      bodies.push(await honest.text())
      return new Response(bodies[0], { headers: { 'content-type': 'application/json' } })
    })
    await pageOf(world(), null, 120)
    const again = await outcome(() => pageOf(world(), first.next, 120))
    if ('fault' in again) expect(isServiceFault(again.fault)).toBe(true)
    else expect([again.value.next, idsOf(again.value.reviews)]).toEqual([first.next, idsOf(first.reviews)])
  })

  test('lists nothing where the platform has no reviews', async () => {
    fill(world(), 0)
    const { reviews, pages } = await readAll(world(), 0)
    expect([reviews, pages.length, pages[0]?.isPart ?? false]).toEqual([[], 1, false])
  })
}

function testFaults(world: () => World) {
  test.each(Object.entries(unreadableAnswers))('throws a ServiceFault for %s', async (_, answer) => {
    fill(world(), 4)
    world().meddle(answer)
    const read = await outcome(() => pageOf(world(), null, 4))
    // A page without reviews would say that all of them are gone.
    expect(read).toMatchObject({ fault: { name: 'ServiceFault' } })
  })

  test.each(Object.entries(passingFaults))('throws a fault that passes for %s', async (_, meddler) => {
    fill(world(), 4)
    world().meddle(meddler)
    const read = await outcome(() => pageOf(world(), null, 4))
    expect('fault' in read && isServiceFault(read.fault) && isPassing(read.fault)).toBe(true)
  })

  test('stops when the job is called off', async () => {
    fill(world(), 4)
    const { ctx, extension, location, task } = world()
    const listing = await extension.open(ctx, location, task(1, {}, AbortSignal.abort()))
    expect(await outcome(() => listing.page(null))).toHaveProperty('fault')
  })
}

/** Rows that nobody can read. */
const brokenRows: Readonly<Record<string, unknown>> = {
  'an empty object': {},
  null: null,
  'a text': 'x',
  'a list': [],
}

function testRows(world: () => World, most: number) {
  const kinds = Object.entries(brokenRows)
  test.each(kinds)('names a row that is %s, and says that the page is a part', async (_, row) => {
    const count = Math.min(4, most)
    fill(world(), count)
    const whole = idsOf((await pageOf(world(), null, count)).reviews)
    for (let at = 0; at < count; at++) {
      const broken = { rows: 0 }
      world().meddle(async (honest) => {
        const body: unknown = await honest.json()
        return Response.json(withRow(body, { count, at, row, broken }))
      })
      const read = await outcome(() => pageOf(world(), null, count))
      expect(broken.rows).toBeGreaterThan(0)
      if ('fault' in read) {
        expect(isServiceFault(read.fault)).toBe(true)
        continue
      }
      expect(read.value).toMatchObject({ isPart: true })
      expect(read.value.unread?.length).toBe(1)
      expect(idsOf(read.value.reviews)).toEqual(whole.filter((_, n) => n !== at))
    }
  })
}

/** Replaces the list of reviews by what is no list. */
const noLists: Readonly<Record<string, unknown>> = {
  'left out': undefined,
  null: null,
  'an empty object': {},
  'a text': '',
  zero: 0,
}

function testLists(world: () => World) {
  test.each(Object.entries(noLists))('throws when the list of reviews is %s', async (_, list) => {
    // What a source of evidence `none` misses removes nothing.
    if (world().extension.evidence === 'none') return
    fill(world(), 4)
    const replaced = { lists: 0 }
    world().meddle(async (honest) => Response.json(withList(await honest.json(), { list, replaced })))
    const read = await outcome(() => pageOf(world(), null, 4))
    expect(replaced.lists).toBeGreaterThan(0)
    expect(read).toMatchObject({ fault: { name: 'ServiceFault' } })
  })
}

function testOddTexts(world: () => World, most: number) {
  test('an odd character in one text costs at most its own review, and every text can be stored', async () => {
    const count = Math.min(3, most)
    fill(world(), count)
    const bodies: string[] = []
    world().meddle(async (honest) => {
      bodies.push(await honest.clone().text())
      return honest
    })
    const whole = idsOf((await pageOf(world(), null, count)).reviews)
    for (const [index, body] of bodies.entries()) {
      for (const odd of oddAnswers(JSON.parse(body))) {
        const where = `${index} ${odd.name}`
        world().meddle((honest, nth) => (nth === index + 1 ? Response.json(odd.body) : honest))
        const read = await outcome(() => pageOf(world(), null, count))
        if ('fault' in read) {
          // A text about the whole answer, such as its kind, may decide whether it can be read.
          expect([where, isOfRow(odd, count)]).toEqual([where, false])
          expect([where, isServiceFault(read.fault)]).toEqual([where, true])
          continue
        }
        const { reviews, unread = [] } = read.value
        expect([where, unstorableTexts(read.value)]).toEqual([where, []])
        expect([where, reviews.length + unread.length]).toEqual([where, count])
        const kept = idsOf(reviews).filter((id) => whole.includes(id))
        expect([where, kept.length >= count - 1]).toEqual([where, true])
      }
    }
  })
}

/** Replaces every list of four objects. */
function withList(
  value: unknown,
  change: { readonly list: unknown; readonly replaced: { lists: number } },
): unknown {
  if (Array.isArray(value)) {
    if (value.length !== 4 || typeof value[0] !== 'object') return value
    change.replaced.lists++
    return change.list
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withList(one, change)]))
}

interface BrokenRow {
  readonly count: number
  readonly at: number
  readonly row: unknown
  readonly broken: { rows: number }
}

/** Replaces a row of every list of that length. */
function withRow(value: unknown, change: BrokenRow): unknown {
  if (Array.isArray(value)) {
    if (value.length !== change.count || typeof value[0] !== 'object')
      return value.map((one) => withRow(one, change))
    change.broken.rows++
    return value.with(change.at, change.row)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withRow(one, change)]))
}

function testGone(world: () => World) {
  test('says that a review is gone only when the platform says so', async () => {
    const { extension, ctx, location } = world()
    if (!extension.isGone) return
    fill(world(), 4)
    const [first = '', ...others] = idsOf((await pageOf(world(), null, 4)).reviews)
    expect(await extension.isGone(ctx, location, first, others)).toBeNull()
    world().set(reviewsOf(world(), 4).slice(1))
    expect(await extension.isGone(ctx, location, first, others)).toMatch(/./)
    for (const answer of Object.values(unreadableAnswers)) {
      world().meddle(answer)
      const asked = await outcome(async () => extension.isGone?.(ctx, location, first, others))
      expect(asked).toMatchObject({ fault: { name: 'ServiceFault' } })
    }
  })
}

function testReplies(world: () => World) {
  const text = 'Thank you for your visit.' as SendableText

  test('looks at a review, sends a reply and finds it', async () => {
    const { extension, ctx, location } = world()
    if (!extension.replies) return
    fill(world(), 4)
    const [first] = (await pageOf(world(), null, 4)).reviews
    const review = { source_id: first?.source_id ?? '', source_metadata: first?.metadata }
    const look = (): Promise<FoundReview> | undefined => extension.replies?.look(ctx, location, review)
    expect(await look()).toMatchObject({
      isGone: false,
      reply: null,
      review: { source_id: review.source_id },
    })
    await extension.replies.send(ctx, location, review, text)
    expect(await look()).toMatchObject({ isGone: false, reply: { text } })
  })

  /** A review with a reply, as the last look found it. */
  async function replied() {
    const { extension, ctx, location } = world()
    fill(world(), 4)
    const [first] = (await pageOf(world(), null, 4)).reviews
    const review = { source_id: first?.source_id ?? '', source_metadata: first?.metadata }
    await extension.replies?.send(ctx, location, review, text)
    const look = async () => {
      const found = await extension.replies?.look(ctx, location, review)
      if (!found || found.isGone) throw new Error('the review is gone')
      return found
    }
    const standing = { ...review, source_metadata: (await look()).review.metadata }
    return { extension, ctx, location, look, standing }
  }

  test('edits a reply, if it can, and leaves one reply', async () => {
    if (!world().extension.replies?.edit) return
    const { extension, ctx, location, look, standing } = await replied()
    const better = 'Thank you very much for your visit.' as SendableText
    await extension.replies?.edit?.(ctx, location, standing, better)
    expect((await look()).reply).toMatchObject({ text: better })
    world().meddle(() => new Response('', { status: 503 }))
    const again = await outcome(async () => extension.replies?.edit?.(ctx, location, standing, text))
    expect('fault' in again && isServiceFault(again.fault) && isPassing(again.fault)).toBe(true)
  })

  test('deletes a reply, if it can, and the next look finds none', async () => {
    if (!world().extension.replies?.remove) return
    const { extension, ctx, location, look, standing } = await replied()
    await extension.replies?.remove?.(ctx, location, standing)
    expect((await look()).reply).toBeNull()
  })

  test('throws a fault that passes when the answer to a deletion is lost', async () => {
    if (!world().extension.replies?.remove) return
    const { extension, ctx, location, standing } = await replied()
    world().meddle(() => new Response('', { status: 503 }))
    const lost = await outcome(async () => extension.replies?.remove?.(ctx, location, standing))
    expect('fault' in lost && isServiceFault(lost.fault) && isPassing(lost.fault)).toBe(true)
  })

  test.each(Object.entries(unreadableAnswers))(
    'does not take %s for an answer about replies',
    async (_, answer) => {
      const { extension, ctx, location } = world()
      if (!extension.replies) return
      fill(world(), 4)
      const [first] = (await pageOf(world(), null, 4)).reviews
      const review = { source_id: first?.source_id ?? '', source_metadata: first?.metadata }
      world().meddle(answer)
      const { look, send } = extension.replies
      for (const work of [() => look(ctx, location, review), () => send(ctx, location, review, text)])
        expect(await outcome<unknown>(work)).toMatchObject({ fault: { name: 'ServiceFault' } })
    },
  )
}
