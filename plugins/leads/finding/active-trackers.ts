import { type OwnerContext, type Row, where } from 'renown'
import { productState } from 'renown/pages'
import { buildMatcher, type Matcher } from '../keywords/matcher'
import { BrandTracker } from '../records/BrandTracker'
import { BusinessLocation } from '../records/foreign'
import { groupMax, groupsOf } from '../records/groups-of'

/** The fields of a tracker that finding needs. */
export type Tracker = Pick<
  Row<typeof BrandTracker>,
  | 'id'
  | 'workspace_id'
  | 'location_id'
  | 'keywords'
  | 'required_keywords'
  | 'excluded_keywords'
  | 'languages'
  | 'sources'
  | 'feeds'
  | 'planned_as'
>

/** The trackers that are searched for, and one matcher for all of them. */
export interface ActiveTrackers {
  readonly trackers: ReadonlyMap<string, Tracker>
  readonly matcher: Matcher
  /** Changes when a tracker begins, ends or changes. */
  readonly version: string
}

const fields = [
  'id',
  'workspace_id',
  'location_id',
  'keywords',
  'required_keywords',
  'excluded_keywords',
  'languages',
  'sources',
  'feeds',
  'planned_as',
] as const
const cache = productState<{ built?: ActiveTrackers }>(() => ({}))

/** Reads the active trackers of active locations. Demo data and prospects are left out. */
export async function activeTrackers(ctx: OwnerContext, signal: AbortSignal): Promise<ActiveTrackers> {
  const found: Tracker[] = []
  const isActive = where.eq('is_active', true)
  for await (const tracker of ctx.rows(BrandTracker).each({ where: isActive, fields, signal })) {
    found.push(tracker)
  }
  const locations = await workedLocations(
    ctx,
    found.map(({ location_id }) => location_id),
    signal,
  )
  const trackers = new Map(
    found.filter((one) => locations.has(one.location_id)).map((one) => [one.id, one] as const),
  )
  const version = Bun.hash.wyhash([...trackers.values()].map(searchKey).join('\n')).toString(36)
  const state = cache(ctx)
  if (state.built?.version !== version) {
    state.built = { trackers, version, matcher: buildMatcher([...trackers.values()]) }
  }
  return { ...state.built, trackers }
}

/** Returns those of the locations that are worked on. */
async function workedLocations(
  ctx: OwnerContext,
  given: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(given)]
  const worked = new Set<string>()
  for (const group of groupsOf(ids)) {
    signal.throwIfAborted()
    const rows = await ctx.rows(BusinessLocation).list({
      where: where.and(
        where.in('id', group),
        where.eq('is_active', true),
        where.ne('is_prospect', true),
        where.ne('is_demo', true),
      ),
      limit: groupMax,
    })
    for (const { id } of rows) worked.add(id)
  }
  return worked
}

/** Returns a text that is different when a tracker searches for something else. */
export const searchKey = (tracker: Tracker): string =>
  JSON.stringify([
    tracker.id,
    tracker.keywords,
    tracker.required_keywords,
    tracker.excluded_keywords,
    tracker.languages,
    tracker.sources,
    tracker.feeds ?? [],
  ])
