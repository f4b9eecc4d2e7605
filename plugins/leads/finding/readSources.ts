import {
  dayMs,
  hourMs,
  isServiceFault,
  type JobDeclaration,
  messageOf,
  minuteMs,
  type OwnerContext,
  oneLine,
  type Row,
  ServiceFault,
  throwIfStoreAway,
  where,
} from 'renown'
import { productState } from 'renown/pages'
import { BrandTracker } from '../records/BrandTracker'
import { groupsOf } from '../records/groups-of'
import { SourceTarget } from '../records/SourceTarget'
import { readSource } from '../sources/read-source'
import { leadsSource, type MentionSource } from '../sources/source'
import { type ActiveTrackers, activeTrackers } from './active-trackers'
import { addPage, loopFault, noPages, type PagesSoFar } from './page-loop'
import { budgetWait } from './reading-budgets'
import { storePosts } from './store-posts'
import { planTargets, targetKey, targetsOf } from './targets'

/** How far back the first reading of a target goes. */
export const firstDays = 7
/** A reading begins this much before the last one, because sources list posts late. The index keeps copies out. */
const overlapMs = hourMs
/** Readings of one source at the same time. */
const atOnce = 3
/** A run ends after this time, so that new trackers are seen. */
const runMs = 45_000
/** A reading that the end of a run stops after this time hangs. A shorter one began late. */
const hangsMs = 20_000
const replanMs = 5 * minuteMs

type Target = Row<typeof SourceTarget>
const state = productState<{
  planned?: { readonly version: string; readonly at: number }
  /** The pages of each target that is read page by page, by its id. */
  readonly pages: Map<string, PagesSoFar>
}>(() => ({ pages: new Map() }))

/** Reads the sources that are due, and stores the posts that match a tracker. */
export const readSources: JobDeclaration = {
  summary: 'Reads public posts from the sources that are due, and stores those that match a tracker',
  everyMs: 10_000,
  async run(ctx, signal) {
    const active = await activeTrackers(ctx, signal)
    const sources = ctx.extensions(leadsSource).filter((source) => source.needs(ctx).length === 0)
    const known = state(ctx)
    const version = `${active.version} ${sources.map(({ name }) => name)}`
    const now = ctx.now().getTime()
    if (known.planned?.version !== version || Math.abs(now - known.planned.at) > replanMs) {
      await planTargets(ctx, active, sources, signal)
      known.planned = { version, at: now }
    }
    if (active.trackers.size === 0) return
    const ends = AbortSignal.any([signal, AbortSignal.timeout(runMs)])
    const run: Run = { active, signal: ends, stopped: signal, read: new Map() }
    const lanes = await Promise.allSettled(sources.map((source) => readLane(ctx, source, run)))
    await stampTrackers(ctx, run, sources)
    const failed = lanes.find((lane) => lane.status === 'rejected')
    if (failed && !ends.aborted) throw failed.reason
  },
}

interface Run {
  readonly active: ActiveTrackers
  /** Ends the run. */
  readonly signal: AbortSignal
  /** Stops the job from outside. */
  readonly stopped: AbortSignal
  /** The interval of each target that was read, in milliseconds, by its key. */
  readonly read: Map<string, number>
}

/** Reads the due targets of one source, those that have waited longest first. */
async function readLane(ctx: OwnerContext, source: MentionSource, run: Run): Promise<void> {
  const done = new Set<string>()
  let isSpent = false
  while (!run.signal.aborted && !isSpent) {
    const due = await ctx.rows(SourceTarget).list({
      where: where.and(where.eq('source', source.name), dueAt(ctx)),
      sort: [{ field: 'due_at', direction: 'asc' }],
      limit: 20 * atOnce,
    })
    const open = due.filter(({ id }) => !done.has(id))
    if (open.length === 0) return
    const queue = open.values()
    const line = async () => {
      for (const target of queue) {
        if (run.signal.aborted || isSpent) return
        const waitMs = budgetWait(ctx, source, target.target)
        if (waitMs > 0 && source.reach !== 'feed') {
          isSpent = true
          return
        }
        if (waitMs > 0) {
          // Other hosts may have a budget left, so it leaves the front of the queue.
          const due_at = new Date(ctx.now().getTime() + waitMs).toISOString()
          await ctx.rows(SourceTarget).update(target.id, { due_at })
          done.add(target.id)
          continue
        }
        const isMore = await readTarget(ctx, source, target, run)
        if (!isMore) done.add(target.id)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, line))
  }
}

const intervalOf = ({ everyMs }: MentionSource, { every_ms }: Target) => Math.max(everyMs, every_ms ?? 0)

/** No reading is due more than two days ahead. A later time was stored by a wrong clock. */
const dueAt = (ctx: OwnerContext) =>
  where.or(
    where.lte('due_at', ctx.now().toISOString()),
    where.gt('due_at', new Date(ctx.now().getTime() + 2 * dayMs).toISOString()),
  )

/**
 * Reads one target once, and returns whether there is more. The cursor is stored after the posts, so that a kill in
 * between loses none.
 */
async function readTarget(
  ctx: OwnerContext,
  source: MentionSource,
  target: Target,
  { active, signal, stopped, read }: Run,
): Promise<boolean> {
  const began = performance.now()
  const now = ctx.now().getTime()
  const from = target.read_at === undefined ? now - firstDays * dayMs : Date.parse(target.read_at) - overlapMs
  const since = new Date(Math.min(from, now)).toISOString()
  try {
    const request = { target: target.target, cursor: target.cursor ?? null, since, signal }
    const reading = await readSource(ctx, source, request)
    await storePosts(ctx, { source, target: target.target, active, reading })
    const [unread] = reading.unread
    const { pages } = state(ctx)
    const sofar = pages.get(target.id) ?? noPages()
    if (addPage(sofar, request.cursor, reading)) {
      pages.delete(target.id)
      await ctx.rows(SourceTarget).update(target.id, { cursor: undefined })
      throw loopFault(source)
    }
    if (reading.isMore) pages.set(target.id, sofar)
    else pages.delete(target.id)
    const [doubt] = reading.doubts ?? []
    await ctx.rows(SourceTarget).update(target.id, {
      cursor: reading.cursor ?? undefined,
      due_at: new Date(ctx.now().getTime() + (reading.isMore ? 0 : intervalOf(source, target))).toISOString(),
      // While there are more pages, the next reading has the same beginning.
      ...(reading.isMore ? {} : { read_at: new Date(now).toISOString() }),
      posts_seen: target.posts_seen + reading.posts.length,
      failures: 0,
      error: undefined,
      unread_seen: target.unread_seen + reading.unread.length,
      ...(unread ? { unread_reason: unread.reason.slice(0, 200) } : {}),
      ...(reading.isUnchanged
        ? {}
        : {
            unread_last: reading.unread.length,
            undated_last: reading.posts.filter(({ posted_at }) => posted_at === undefined).length,
            doubt: doubt?.reason.slice(0, 200),
            read_from: reading.read_from,
          }),
    })
    read.set(targetKey(source.name, target.target), intervalOf(source, target))
    return reading.isMore
  } catch (error) {
    if (!signal.aborted) await noteFailure(ctx, source, target, error)
    // Without a note, a source that hangs would seem to be read at every run.
    else if (!stopped.aborted && performance.now() - began >= hangsMs)
      await noteFailure(ctx, source, target, hangFault(source))
    return false
  }
}

const hangFault = ({ label }: MentionSource) =>
  new ServiceFault('transient', `${label} did not answer within ${hangsMs / 1_000} seconds.`)

/** Notes in the trackers when they were searched for. */
async function stampTrackers(ctx: OwnerContext, { active, read }: Run, sources: readonly MentionSource[]) {
  if (read.size === 0) return
  const now = ctx.now()
  const byWait = new Map<number, string[]>()
  for (const tracker of active.trackers.values()) {
    const waits = sources.flatMap((source) =>
      targetsOf(tracker, source).flatMap((target) => read.get(targetKey(source.name, target)) ?? []),
    )
    // The shortest real interval: a source with many terms is read less often than it allows.
    if (waits.length > 0) {
      const wait = Math.min(...waits)
      byWait.set(wait, [...(byWait.get(wait) ?? []), tracker.id])
    }
  }
  for (const [wait, ids] of byWait) {
    const stamps = {
      last_run_at: now.toISOString(),
      next_run_at: new Date(now.getTime() + wait).toISOString(),
    }
    for (const group of groupsOf(ids)) {
      await ctx.rows(BrandTracker).updateMany(where.in('id', group), stamps)
    }
  }
}

async function noteFailure(ctx: OwnerContext, source: MentionSource, target: Target, error: unknown) {
  throwIfStoreAway(error)
  const failures = target.failures + 1
  const message = oneLine(messageOf(error), 300)
  if (!isServiceFault(error))
    ctx.log.error('a source could not be read', { source: source.name, error: message })
  await ctx.rows(SourceTarget).update(target.id, {
    failures,
    error: message,
    due_at: new Date(ctx.now().getTime() + waitMsOf(source, failures, error)).toISOString(),
  })
}

/** How long a target waits after a failure: what the service asks for, else twice as long each time. */
function waitMsOf({ everyMs, reach }: MentionSource, failures: number, error: unknown): number {
  if (reach === 'feed') return feedWaitMs(everyMs, failures, error)
  const backoff = Math.min(everyMs * 2 ** Math.min(failures - 1, 10), 6 * hourMs)
  if (!isServiceFault(error)) return Math.max(backoff, minuteMs)
  if (error.retryAfterMs !== undefined) return Math.min(Math.max(error.retryAfterMs, 1_000), dayMs)
  const isFinal = error.kind === 'unsupported' || error.kind === 'permanent' || error.kind === 'permission'
  return isFinal ? dayMs : Math.max(backoff, minuteMs)
}

/** How much longer each further pause of a feed is. A feed that was away for an hour is read again within half an hour. */
const feedGrowth = 1.25

/**
 * How long a feed waits after a failure. Websites refuse and miss a page for minutes while they are changed, so no status but "gone"
 * ends the readings for a day. Pauses grow slowly, up to six hours.
 */
function feedWaitMs(everyMs: number, failures: number, error: unknown): number {
  const pause = Math.max(Math.min(everyMs * feedGrowth ** Math.min(failures - 1, 30), 6 * hourMs), minuteMs)
  if (!isServiceFault(error)) return pause
  if (error.retryAfterMs !== undefined) return Math.min(Math.max(error.retryAfterMs, minuteMs), dayMs)
  return error.kind === 'unsupported' ? dayMs : pause
}
