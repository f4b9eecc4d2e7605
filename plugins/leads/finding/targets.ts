import { isConflict, type OwnerContext, where } from 'renown'
import { termsToAsk } from '../keywords/terms'
import { BrandTracker } from '../records/BrandTracker'
import { groupsOf } from '../records/groups-of'
import { SourceTarget } from '../records/SourceTarget'
import type { MentionSource } from '../sources/source'
import { type ActiveTrackers, searchKey, type Tracker } from './active-trackers'
import { fairIntervals } from './intervals'

/** Targets belong to no workspace. */
export const sharedId = 'shared'
/** Maximum terms of one tracker that are asked from one source. */
const termsMax = 25

/** Whether a tracker wants posts of a source. */
export const isWanted = ({ sources }: Pick<Tracker, 'sources'>, { channels }: MentionSource): boolean =>
  sources.length === 0 || channels.some((channel) => sources.includes(channel))

/** Returns the targets that a source must read for a tracker. */
export function targetsOf(tracker: Tracker, source: MentionSource): string[] {
  if (!isWanted(tracker, source)) return []
  if (source.reach === 'everything') return ['']
  if (source.reach === 'feed') return (tracker.feeds ?? []).filter((feed) => takesFeed(source, feed))
  const terms = asked(tracker).flatMap((term) => source.termFor?.(term) ?? (source.termFor ? [] : [term]))
  return [...new Set(terms)].slice(0, termsMax)
}

/** Whether an address is a feed of this source. */
export function takesFeed(source: MentionSource, feed: string): boolean {
  const address = URL.parse(feed)
  return address !== null && source.reach === 'feed' && (source.takes?.(address) ?? true)
}

function asked(tracker: Tracker): string[] {
  try {
    return termsToAsk(tracker)
  } catch {
    // A keyword that was valid in an earlier version. The list of trackers shows it.
    return []
  }
}

/**
 * Stores what must be read for the trackers, and removes what no tracker needs. Trackers that are new or search for
 * something else get older posts: their targets are read again from the beginning.
 */
export async function planTargets(
  ctx: OwnerContext,
  { trackers }: ActiveTrackers,
  sources: readonly MentionSource[],
  signal: AbortSignal,
): Promise<void> {
  const wanted = new Map<string, Wanted>()
  const changed: { readonly tracker: Tracker; readonly plan: string }[] = []
  for (const tracker of trackers.values()) {
    const plan = planOf(tracker, sources)
    const isNew = plan !== tracker.planned_as
    if (isNew) changed.push({ tracker, plan })
    for (const source of sources) {
      for (const target of targetsOf(tracker, source)) {
        const key = targetKey(source.name, target)
        const known = wanted.get(key) ?? { source, target, isNew: false, workspaces: new Set() }
        known.workspaces.add(tracker.workspace_id)
        wanted.set(key, { ...known, isNew: isNew || known.isNew })
      }
    }
  }
  const intervals = intervalsOf(ctx, wanted)
  const firstDue = spreader(ctx.now(), wanted)
  const rows = ctx.rows(SourceTarget)
  const gone: string[] = []
  for await (const row of rows.each({ fields: ['source', 'target', 'every_ms'], signal })) {
    const key = targetKey(row.source, row.target)
    const want = wanted.get(key)
    wanted.delete(key)
    if (!want) {
      gone.push(row.id)
      continue
    }
    const every_ms = intervals.get(key)
    const isAgain = want.isNew && want.source.reach !== 'everything'
    if (!isAgain && every_ms === row.every_ms) continue
    const again = isAgain ? { cursor: undefined, read_at: undefined, due_at: firstDue(want, every_ms) } : {}
    await rows.update(row.id, { every_ms, ...again })
  }
  for (const [key, want] of wanted) {
    const { source, target } = want
    const every_ms = intervals.get(key)
    const fresh = {
      posts_seen: 0,
      unread_seen: 0,
      failures: 0,
      due_at: firstDue(want, every_ms),
      ...(every_ms === undefined ? {} : { every_ms }),
    }
    try {
      await rows.insert({ workspace_id: sharedId, source: source.name, target, ...fresh })
    } catch (error) {
      if (!isConflict(error)) throw error
    }
  }
  for (const group of groupsOf(gone)) await rows.removeWhere(where.in('id', group))
  // Stored last. After a kill before this, the targets are read again, which adds nothing twice.
  for (const { tracker, plan } of changed)
    await ctx.rows(BrandTracker).update(tracker.id, { planned_as: plan })
}

interface Wanted {
  readonly source: MentionSource
  readonly target: string
  readonly isNew: boolean
  readonly workspaces: Set<string>
}

/**
 * Returns the function that says when a target is first read. If a budget is too small for all terms, the first readings of a
 * workspace are spread over its interval. So one with many new terms does not delay the others.
 */
function spreader(now: Date, wanted: ReadonlyMap<string, Wanted>) {
  const laneOf = ({ source, workspaces }: Wanted) => `${source.name} ${workspaces.values().next().value}`
  const counts = new Map<string, number>()
  for (const want of wanted.values()) counts.set(laneOf(want), (counts.get(laneOf(want)) ?? 0) + 1)
  const given = new Map<string, number>()
  return (want: Wanted, everyMs: number | undefined): string => {
    const lane = laneOf(want)
    const place = given.get(lane) ?? 0
    given.set(lane, place + 1)
    const waitMs = everyMs === undefined ? 0 : (everyMs * place) / (counts.get(lane) ?? 1)
    return new Date(now.getTime() + waitMs).toISOString()
  }
}

/** Identifies the host whose readings are counted: that of a feed, or the source itself. */
export const budgetKey = ({ name, reach }: MentionSource, target: string): string =>
  reach === 'feed' ? `${name} ${URL.parse(target)?.host ?? ''}` : name

/** Returns the intervals that are longer than those of the sources, because all targets of a host share its budget. */
function intervalsOf(
  ctx: Pick<OwnerContext, 'settings'>,
  wanted: ReadonlyMap<string, Wanted>,
): ReadonlyMap<string, number> {
  const limited = [...wanted].filter(([, { source }]) => source.perHour !== undefined)
  const longer = new Map<string, number>()
  for (const group of Map.groupBy(limited, ([, { source, target }]) => budgetKey(source, target)).values()) {
    const source = group[0]?.[1].source
    const perHour = source?.perHour?.(ctx)
    if (source === undefined || perHour === undefined) continue
    const targets = group.map(([key, { workspaces }]) => ({ key, workspaces }))
    for (const [key, ms] of fairIntervals(targets, source.everyMs, perHour)) {
      if (ms > source.everyMs) longer.set(key, ms)
    }
  }
  return longer
}

/** Identifies a target. */
export const targetKey = (source: string, target: string): string => `${source}\n${target}`

/** Identifies what a tracker searches for, and in which sources. */
const planOf = (tracker: Tracker, sources: readonly MentionSource[]) =>
  Bun.hash
    .wyhash(`${searchKey(tracker)}${sources.filter((one) => isWanted(tracker, one)).map((one) => one.name)}`)
    .toString(36)
