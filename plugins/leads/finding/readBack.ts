import {
  dayMs,
  type JobDeclaration,
  messageOf,
  minuteMs,
  type OwnerContext,
  type Row,
  throwIfStoreAway,
  where,
} from 'renown'
import { productState } from 'renown/pages'
import { SourceTarget } from '../records/SourceTarget'
import { readSource } from '../sources/read-source'
import { leadsSource, type MentionSource, type SourceReading } from '../sources/source'
import { type ActiveTrackers, activeTrackers } from './active-trackers'
import { lookDays } from './looks'
import { addPage, noPages, type PagesSoFar } from './page-loop'
import { budgetWait } from './reading-budgets'
import { storePosts } from './store-posts'

/** Each term is read back once a day. */
const everyMs = dayMs
/** Readings of one source in one run, so that new posts are read in time. */
const readingsMax = 20
/** A budget of readings an hour gives a run this part of it, and at least one reading. */
const budgetPart = 1 / 60

/**
 * Reads the last week of each term again, for posts that a source lists late: a search can need hours or days to find a post, and
 * reading forwards then never asks for its time again. Uses the budget of the source and never more than a small part of it at once.
 */
export const readBack: JobDeclaration = {
  summary: 'Reads the last seven days of each search again, for posts that the source lists late',
  everyMs: 10 * minuteMs,
  async run(ctx, signal) {
    const active = await activeTrackers(ctx, signal)
    if (active.trackers.size === 0) return
    const sources = ctx
      .extensions(leadsSource)
      .filter((source) => source.reach === 'search' && source.needs(ctx).length === 0)
    const lanes = await Promise.allSettled(sources.map((source) => readLane(ctx, source, active, signal)))
    const failed = lanes.find((lane) => lane.status === 'rejected')
    if (failed && !signal.aborted) throw failed.reason
  },
}

/** The pages of each target that is read back page by page, by its id. */
const state = productState(() => new Map<string, PagesSoFar>())

/** Whether a source sends the reader in a circle, so that the reading ends. */
function isCircle(ctx: OwnerContext, id: string, cursor: string | null, reading: SourceReading): boolean {
  const pages = state(ctx)
  const sofar = (cursor === null ? undefined : pages.get(id)) ?? noPages()
  const found = addPage(sofar, cursor, reading)
  if (found) pages.delete(id)
  else pages.set(id, sofar)
  return found
}

async function readLane(
  ctx: OwnerContext,
  source: MentionSource,
  active: ActiveTrackers,
  signal: AbortSignal,
): Promise<void> {
  const perHour = source.perHour?.(ctx) ?? Number.POSITIVE_INFINITY
  let left = Math.min(readingsMax, Math.max(1, Math.floor(perHour * budgetPart)))
  const now = ctx.now().getTime()
  const before = new Date(now - everyMs).toISOString()
  const due = await ctx.rows(SourceTarget).list({
    where: where.and(
      where.eq('source', source.name),
      // The first reading of a target covers these days already.
      where.lt('created_date', before),
      where.eq('failures', 0),
      where.or(where.eq('back_at', null), where.lt('back_at', before)),
    ),
    sort: [{ field: 'back_at', direction: 'asc' }],
    limit: readingsMax,
  })
  for (const target of due) {
    while (left > 0 && !signal.aborted) {
      if (budgetWait(ctx, source, target.target) > 0) return
      left -= 1
      const isMore = await readPage(ctx, source, target, active, signal)
      if (isMore === null) return
      if (!isMore) break
    }
    if (left <= 0 || signal.aborted) return
  }
}

/** Reads one page of the last week of a target. Returns whether there are more, or null if the source cannot be read now. */
async function readPage(
  ctx: OwnerContext,
  source: MentionSource,
  target: Row<typeof SourceTarget>,
  active: ActiveTrackers,
  signal: AbortSignal,
): Promise<boolean | null> {
  const rows = ctx.rows(SourceTarget)
  const row = (await rows.get(target.id)) ?? target
  const now = ctx.now()
  const since = new Date(now.getTime() - lookDays * dayMs).toISOString()
  const cursor = row.back_cursor ?? null
  try {
    const reading = await readSource(ctx, source, { target: row.target, cursor, since, signal })
    await storePosts(ctx, { source, target: row.target, active, reading })
    if (!reading.isMore) state(ctx).delete(row.id)
    const isMore = reading.isMore && !isCircle(ctx, row.id, cursor, reading)
    await rows.update(row.id, {
      back_cursor: isMore ? (reading.cursor ?? undefined) : undefined,
      ...(isMore ? {} : { back_at: now.toISOString() }),
    })
    return isMore
  } catch (error) {
    if (signal.aborted) return null
    throwIfStoreAway(error)
    ctx.log.warn('the last week could not be read again', { source: source.name, error: messageOf(error) })
    // It is tried again tomorrow. Its usual readings say what is wrong.
    await rows.update(row.id, { back_cursor: undefined, back_at: now.toISOString() })
    return null
  }
}
