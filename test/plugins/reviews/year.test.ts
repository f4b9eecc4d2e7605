import { describe, expect, test } from 'bun:test'
import type { Row } from '../../../core/contracts/entity'
import type { OwnerContext, OwnerRows } from '../../../core/contracts/plugin'
import { where } from '../../../core/contracts/where'
import { replay } from '../../../plugins/reviews/ledger'
import { Review } from '../../../plugins/reviews/Review'
import { type Random, randomSource } from '../../support/random-documents'
import type { FacebookFault } from '../../support/stand-ins/facebook'
import type { GoogleFault } from '../../support/stand-ins/google'
import { platformWorld } from './support/platform-world'

const isLong = process.env.RENOWN_LONG === '1'
const years = isLong ? 40 : 2
const steps = isLong ? 2 * 365 : 150
const hour = 3_600_000

type World = Awaited<ReturnType<typeof platformWorld>>
type Platform = 'google' | 'facebook'

/** Everything that happens at the platform: written, changed, deleted, moderated away and back, answered by hand. */
function createLife(world: World, platform: Platform, random: Random) {
  const { bench } = world
  const google = world[platform]
  let written = 0
  const hidden = new Map<string, Parameters<typeof google.reviews.set>[1]>()
  const gone = new Set<string>()
  const pick = () => [...google.reviews.values()][random.below(google.reviews.size)]
  const write = () => {
    // Facebook tells whole seconds.
    const at = Math.floor((bench.now.getTime() - random.below(hour)) / 1_000) * 1_000
    const id = `r${++written}`
    google.reviews.set(id, {
      ...{ id, stars: 1 + random.below(5), text: random.below(4) === 0 ? '' : `text ${written}` },
      ...{ author: `Author ${written}`, created: at, updated: at },
    })
  }
  const events = [
    write,
    write,
    () => {
      const review = pick()
      if (!review) return
      review.text = `${review.text} edited`
      review.stars = 1 + random.below(5)
      review.updated = bench.now.getTime()
    },
    () => {
      const review = pick()
      if (!review) return
      google.reviews.delete(review.id)
      gone.add(review.id)
      if (random.below(2) === 0) hidden.set(review.id, review)
    },
    () => {
      const [first] = hidden
      if (!first) return
      hidden.delete(first[0])
      google.reviews.set(first[0], first[1])
    },
    // A reply typed at the platform leaves the review's own time of change as it was.
    () => {
      const review = pick()
      if (review) review.reply = { text: `answer ${bench.now.getTime()}`, at: bench.now.getTime() }
    },
  ]
  const wipe = () => {
    for (const [id, review] of [...google.reviews].slice(0, 1 + random.below(google.reviews.size + 1))) {
      google.reviews.delete(id)
      hidden.set(id, review)
      gone.add(id)
    }
  }
  return {
    written: () => written,
    gone,
    happen() {
      for (let n = random.below(4); n > 0; n--) events[random.below(events.length)]?.()
      if (random.below(400) === 0) wipe()
    },
  }
}

const googleFaults: readonly (GoogleFault | null)[] = [
  ...[null, null, null, null, null, null, null, null],
  ...([
    { kind: 'status', status: 500 },
    { kind: 'status', status: 429, retryAfter: '30' },
  ] as const),
  ...([
    { kind: 'empty' },
    { kind: 'loop' },
    { kind: 'overlap' },
    { kind: 'drift' },
    { kind: 'cut' },
  ] as const),
  { kind: 'status', status: 401 },
]
const facebookFaults: readonly (FacebookFault | null)[] = [
  ...[null, null, null, null, null, null, null, null],
  ...([
    { kind: 'error', code: 2 },
    { kind: 'error', code: 32 },
    { kind: 'error', code: 12 },
  ] as const),
  ...([{ kind: 'html' }, { kind: 'empty' }, { kind: 'loop' }, { kind: 'overlap' }] as const),
  ...([{ kind: 'slip' }, { kind: 'slip' }, { kind: 'cut' }, { kind: 'cut' }, { kind: 'storyless' }] as const),
]

/** A process that dies at its n-th write: every write after it is refused. */
function dying(writes: number) {
  let left = writes
  const wrap = <T extends object>(rows: T): T => {
    const die = () => {
      if (left-- <= 0) throw new Error('killed')
    }
    const killable = (name: 'insert' | 'update' | 'updateWhere' | 'removeWhere') => {
      const write = (rows as unknown as Record<string, (...given: unknown[]) => unknown>)[name]
      return async (...given: unknown[]) => {
        die()
        return write?.(...given)
      }
    }
    const names = ['insert', 'update', 'updateWhere', 'removeWhere'] as const
    return { ...rows, ...Object.fromEntries(names.map((name) => [name, killable(name)])) }
  }
  return (owner: OwnerContext): OwnerContext => ({
    ...owner,
    rows: (entity) => wrap(owner.rows(entity) as OwnerRows<typeof entity>),
  })
}

const rowsOf = async ({ owner, location_id }: World) =>
  new Map(
    (await owner.rows(Review).list({ where: where.eq('location_id', location_id) })).map((row) => [
      row.source_id,
      row,
    ]),
  )

async function year(seed: number, platform: Platform) {
  const random = randomSource(seed)
  const world = await platformWorld({ random: () => random.below(1_000) / 1_000, platform })
  const { bench } = world
  const held = world[platform]
  const life = createLife(world, platform, random)
  const fail = () => {
    if (platform === 'google') world.google.faults.push(one(googleFaults))
    else world.facebook.faults.push(one(facebookFaults))
  }
  const one = <T>(from: readonly (T | null)[]) => from[random.below(from.length)] ?? null
  let removals = 0
  const flagged = new Set<string>()
  const judge = async (alive: ReadonlySet<string>) => {
    for (const [id, row] of await rowsOf(world)) {
      const isFlagged = typeof row.removed_at_source_at === 'string'
      if (!isFlagged) flagged.delete(id)
      else if (!flagged.has(id)) {
        flagged.add(id)
        removals++
        // It was not there for at least one moment of the reading that says so.
        if (alive.has(id)) throw new Error(`seed ${seed}: ${id} was taken for removed and is there`)
      }
    }
  }
  try {
    for (let step = 0; step < steps; step++) {
      // Clocks jump: forward by days at times, and back by minutes.
      world.later(
        random.below(60) === 0
          ? 3 * 24 * hour
          : random.below(40) === 0
            ? -5 * 60_000
            : random.below(24 * hour),
      )
      life.happen()
      const before = new Set(held.reviews.keys())
      const throughout = new Set(before)
      const stays = () => {
        for (const id of throughout) if (!held.reviews.has(id)) throughout.delete(id)
      }
      held.between = () => {
        if (random.below(3) !== 0) return
        life.happen()
        stays()
      }
      held.faults.splice(0)
      for (let n = 0; n < 6; n++) fail()
      const through = random.below(8) === 0 ? dying(random.below(12)) : undefined
      await world.sync(through, random.below(10) === 0).catch(() => {})
      stays()
      await judge(throughout)
    }
    // The platform comes to rest, and readings with it.
    held.faults.splice(0)
    held.between = () => {}
    for (let n = 0; n < 4; n++) {
      world.later(25 * hour)
      await world.sync()
    }
    return { world, life, removals }
  } catch (error) {
    await bench.stop()
    throw error
  }
}

const starsOf = ({ star_rating, source_metadata }: Row<typeof Review>) =>
  star_rating ?? source_metadata?.recommendation_type
const verdictOf = (stars = 0) => (stars >= 3 ? 'positive' : 'negative')

describe('A year of reviews', () => {
  test.each(['google', 'facebook'] as const)(
    `of %s ends with rows that equal the platform, and removes nothing that is there (${years} years)`,
    async (platform) => {
      let removals = 0
      for (let seed = 1; seed <= years; seed++) {
        const { world, life, removals: seen } = await year(seed, platform)
        removals += seen
        const { owner, workspace_id, location_id } = world
        const { reviews, complaints } = world[platform]
        const rows = await rowsOf(world)
        const visible = [...rows.values()].filter((row) => typeof row.removed_at_source_at !== 'string')
        expect(visible.map(({ source_id }) => source_id).sort()).toEqual([...reviews.keys()].sort())
        for (const row of visible) {
          const truth = reviews.get(row.source_id)
          expect([starsOf(row), row.review_text ?? '', row.reply_text]).toEqual([
            platform === 'google' ? truth?.stars : verdictOf(truth?.stars),
            truth?.text ?? '',
            truth?.reply?.text,
          ])
        }
        for (const [id, row] of rows) {
          if (typeof row.removed_at_source_at === 'string') expect(life.gone.has(id)).toBe(true)
        }
        const location = await world.location()
        const counted = platform === 'google' ? reviews.size : undefined
        expect([location.total_reviews, location.review_count_recheck_after]).toEqual([counted, undefined])
        const chain = await replay(owner, { workspace_id, location_id, source: platform })
        expect(chain.fault).toBeNull()
        expect([...chain.standing.keys()].sort()).toEqual([...reviews.keys()].sort())
        expect(complaints).toEqual([])
        expect(life.written()).toBeGreaterThan(steps / 4)
        await world.bench.stop()
      }
      expect(removals).toBeGreaterThan(years * (steps / 100))
    },
    years * 120_000,
  )
})
