import { isConflict, type OwnerContext, where } from 'renown'
import { termsToAsk } from '../keywords/terms'
import { BrandTracker } from '../records/BrandTracker'
import { groupsOf } from '../records/groups-of'
import { SourceTarget } from '../records/SourceTarget'
import type { MentionSource } from '../sources/source'
import { type ActiveTrackers, searchKey, type Tracker } from './active-trackers'

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
  const wanted = new Map<string, { source: MentionSource; target: string; isNew: boolean }>()
  const changed: { readonly tracker: Tracker; readonly plan: string }[] = []
  for (const tracker of trackers.values()) {
    const plan = planOf(tracker, sources)
    const isNew = plan !== tracker.planned_as
    if (isNew) changed.push({ tracker, plan })
    for (const source of sources) {
      for (const target of targetsOf(tracker, source)) {
        const key = targetKey(source.name, target)
        wanted.set(key, { source, target, isNew: isNew || (wanted.get(key)?.isNew ?? false) })
      }
    }
  }
  const now = ctx.now().toISOString()
  const rows = ctx.rows(SourceTarget)
  const gone: string[] = []
  for await (const row of rows.each({ fields: ['source', 'target'], signal })) {
    const key = targetKey(row.source, row.target)
    const want = wanted.get(key)
    wanted.delete(key)
    if (!want) gone.push(row.id)
    else if (want.isNew && want.source.reach !== 'everything') {
      await rows.update(row.id, { cursor: undefined, read_at: undefined, due_at: now })
    }
  }
  for (const { source, target } of wanted.values()) {
    const fresh = { posts_seen: 0, unread_seen: 0, failures: 0, due_at: now }
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

/** Identifies a target. */
export const targetKey = (source: string, target: string): string => `${source}\n${target}`

/** Identifies what a tracker searches for, and in which sources. */
const planOf = (tracker: Tracker, sources: readonly MentionSource[]) =>
  Bun.hash
    .wyhash(`${searchKey(tracker)}${sources.filter((one) => isWanted(tracker, one)).map((one) => one.name)}`)
    .toString(36)
