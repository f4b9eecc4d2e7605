import type { OwnerContext, OwnerRows } from '../../../../core/contracts/plugin'
import { where } from '../../../../core/contracts/where'
import { Job } from '../../../../core/jobs/Job'
import { SyncStatus } from '../../../../core/tenancy/news/SyncStatus'
import { Review } from '../../../../plugins/reviews/records/Review'
import { sendReply } from '../../../../plugins/reviews/reply/sendReply'
import { type LivePlatform, livePlatform } from './live-platform'
import { platformWorld } from './platform-world'
import { withoutTransactions } from './without-transactions'
import { createJudge, Finding } from './year-judge'
import type { Platform, Step } from './year-steps'

const hourMs = 3_600_000
/** Tries of a reply, as its queue gives them. */
const triesMax = 5

export type World = Awaited<ReturnType<typeof platformWorld>>

/** What a year held, so that one that held too little does not pass for a proof. */
export interface Tally {
  readings: number
  whole: number
  faults: number
  kills: number
  jumps: number
  hiccups: number
  replies: number
  flagged: number
}

export interface Year {
  readonly world: World
  readonly life: LivePlatform
  readonly tally: Tally
  /** Lets the platform come to rest, and the readings with it, and holds everything against the truth. */
  end(): Promise<void>
  stop(): Promise<void>
}

/** Plays steps from the beginning. Throws a Finding where something that is stored is not the truth, with the step. */
export async function liveYear(
  steps: readonly Step[],
  platform: Platform,
  chance: () => number,
): Promise<Year> {
  const world = await platformWorld({ random: chance, platform })
  world.facebook.figures = 'counted'
  await world.rules({ ratings: [4, 5], include_unrated: true, newest_days: 365 })
  const life = livePlatform(world, platform)
  const tally = { readings: 0, whole: 0, faults: 0, kills: 0, jumps: 0, hiccups: 0, replies: 0, flagged: 0 }
  const play = createPlayer(world, platform, life, tally)
  try {
    for (const [n, step] of steps.entries()) {
      await play.step(step).catch((error) => {
        throw error instanceof Finding ? error.at(n) : error
      })
    }
  } catch (error) {
    await world.bench.stop()
    throw error
  }
  return { world, life, tally, end: play.end, stop: () => world.bench.stop() }
}

function createPlayer(world: World, platform: Platform, life: LivePlatform, tally: Tally) {
  const { bench } = world
  const standIn = world[platform]
  const judge = createJudge(world, platform, life)
  const tries = new Map<string, number>()
  let latest = bench.now.getTime()
  // What a process knows by heart dies with it.
  let owner: OwnerContext = world.owner

  const read = async (step: Step, hides: boolean) => {
    standIn.faults.splice(0, standIn.faults.length, ...(step.faults as never[]))
    const pages = [...step.between]
    standIn.between = () => {
      world.later(1_000)
      life.happen(pages.shift() ?? [])
    }
    if (hides) {
      tally.hiccups++
      const ids = [...standIn.reviews.keys()]
      for (const id of ids.slice(0, Math.ceil(ids.length * (step.hides ?? 0)))) standIn.hidden.add(id)
    }
    const through = step.diesAfter === undefined ? () => owner : dying(owner, step.diesAfter)
    const died = await world.sync(through, step.isManual).then(
      () => false,
      (error: Error) => error.message === 'killed',
    )
    const met = step.faults.slice(0, step.faults.length - standIn.faults.length)
    standIn.faults.splice(0)
    standIn.hidden.clear()
    standIn.between = () => {}
    tally.readings++
    tally.faults += met.filter((fault) => fault !== null).length
    if (died) {
      tally.kills++
      owner = { ...world.owner, product: {} }
    }
    return { died, met }
  }

  /** What the worker does with the replies that are due: those that the queue knows, and no others. */
  const answer = async (step: Pick<Step, 'replies'>) => {
    const jobs = world.owner.rows(Job)
    const isDue = where.and(
      where.eq('queue', 'send-reply'),
      where.eq('is_active', true),
      where.lte('due_at', bench.now.toISOString()),
    )
    const mishaps = [...step.replies]
    for (const { id, key, workspace_id } of await jobs.list({ where: isDue, limit: 50 })) {
      const attempt = (tries.get(key) ?? 0) + 1
      tries.set(key, attempt)
      const mishap = mishaps.shift() ?? null
      if (mishap === 'lost') standIn.replyFaults.push('lost')
      const through = mishap === 'dies' ? dying(world.owner, 0) : undefined
      const error = await world.reply(key, attempt, through).then(
        () => null,
        (thrown: Error) => thrown,
      )
      standIn.replyFaults.splice(0)
      if (error !== null && attempt < triesMax) continue
      if (error !== null) {
        const info = { kind: 'transient', message: error.message } as const
        await world.asJob(async (ctx) =>
          sendReply.onDeadLetter?.(ctx, { review_id: key }, info, {
            id,
            workspace_id,
            attempt,
            saved: {},
          }),
        )
      }
      await jobs.removeWhere(where.eq('id', id))
    }
    tally.replies = standIn.replies.length
  }

  const step = async (given: Step) => {
    world.later(given.laterMs)
    if (given.laterMs < 0 || given.laterMs > 48 * hourMs) tally.jumps++
    life.happen(given.changes)
    const isBack = bench.now.getTime() <= latest
    const hides = given.hides !== undefined && judge.allowsHiccup(given.hides)
    const watched = judge.watch()
    const { died, met } = await read(given, hides)
    const [status] = died ? [] : await world.owner.rows(SyncStatus).list()
    const isProved = status?.status === 'succeeded' && status.complete
    if (isProved) tally.whole++
    const isHonest = !met.some(
      (fault) => fault?.kind === 'slip' || (platform === 'facebook' && fault?.kind === 'cut'),
    )
    await judge.after(watched, { isProved, isHonest, hides, isBack })
    latest = Math.max(latest, bench.now.getTime())
    await answer(given)
    tally.flagged = judge.flagged()
  }

  const end = async () => {
    for (let n = 0; n < 4; n++) {
      world.later(25 * hourMs)
      await world.sync(() => owner)
      await answer({ replies: [] })
    }
    // What was answered last is read once more.
    world.later(25 * hourMs)
    await world.sync(() => owner)
    await judge.atRest()
    await everyPendingIsQueued(world)
  }
  return { step, end }
}

/** No reply waits for a queue that nobody told. */
async function everyPendingIsQueued({ owner }: World) {
  const isPending = where.eq('auto_response_status', 'pending')
  const pending = await owner.rows(Review).list({ where: isPending, limit: 10_000 })
  const keys = pending.map(({ id }) => id)
  const queued = await owner
    .rows(Job)
    .count(where.and(where.eq('queue', 'send-reply'), where.in('key', keys)))
  if (queued !== keys.length) throw new Finding('lost reply', `${keys.length - queued} wait for nothing`)
}

/** A process that dies at its n-th write: every write after it is refused. */
function dying(owner: OwnerContext, writes: number): () => OwnerContext {
  let left = writes
  const die = () => {
    if (left-- <= 0) throw new Error('killed')
  }
  const names = ['insert', 'update', 'updateWhere', 'updateMany', 'removeWhere'] as const
  const wrap = <T extends object>(rows: T): T => {
    const killable = (name: (typeof names)[number]) => {
      const write = (rows as unknown as Record<string, (...given: unknown[]) => unknown>)[name]
      return async (...given: unknown[]) => {
        die()
        return write?.(...given)
      }
    }
    return { ...rows, ...Object.fromEntries(names.map((name) => [name, killable(name)])) }
  }
  return () =>
    withoutTransactions({
      ...owner,
      rows: (entity) => wrap(owner.rows(entity) as OwnerRows<typeof entity>),
      enqueue: async (...given) => {
        die()
        return owner.enqueue(...given)
      },
    })
}
