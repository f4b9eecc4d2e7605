import { type GroupRow, type ReadContext, type Row, where } from 'renown'
import { VisibilityRun } from '../records/VisibilityRun'
import { sumVersion, VisibilitySum } from '../records/VisibilitySum'
import type { VisibilityTracker } from '../records/VisibilityTracker'

type Tracker = Pick<Row<typeof VisibilityTracker>, 'id' | 'sealed'>

/** Trackers with fewer runs together are read from documents. */
export const sealedMin = 20_000
/** With more days that are not sealed, all runs are read from documents. */
const openDaysMax = 62

/** The runs of a request whose sums are in columns: those of all days but these. */
export interface Sealed {
  /** Days with a run that no sum contains, or that changed since. Their runs are read from documents. */
  readonly open: ReadonlySet<string>
  /** The ids of the trackers, each with the version of its newest row. */
  readonly revisions: readonly (readonly [id: string, rev: number])[]
  /** Sums of columns, by the statement that they were read with. All sums of a request share them. */
  readonly reads: Map<string, Promise<readonly GroupRow[]>>
  /** Groups of the runs of these days, by the condition that they were read with. All sums of a request share them. */
  readonly groups: Map<string, Promise<readonly GroupRow[]>>
}

/**
 * Returns which days of these trackers can be read from columns. Null for few runs, and if the columns do not have
 * exactly what the documents say: after a restore of one of them, and between the two writes of a sealing.
 */
export async function readSealed(ctx: ReadContext, trackers: readonly Tracker[]): Promise<Sealed | null> {
  const { timezone } = ctx.workspace
  const runs = trackers.reduce((sum, { sealed }) => sum + (sealed?.runs ?? 0), 0)
  if (runs < sealedMin) return null
  const version = sumVersion(timezone)
  if (trackers.some(({ sealed }) => sealed !== undefined && sealed.version !== version)) return null
  const ids = trackers.map(({ id }) => id)
  const [revisions, open] = await Promise.all([
    ctx.rows(VisibilitySum).group({
      where: where.and(where.in('tracker_id', ids), where.eq('kind', 'engine')),
      by: ['tracker_id'],
      measures: [{ as: 'rev', fn: 'max', field: 'rev' }],
    }),
    ctx.rows(VisibilityRun).group({
      where: where.and(where.in('tracker_id', ids), where.eq('is_sealed', null)),
      by: [{ field: 'started_at', unit: 'day', timezone }],
      measures: [{ as: 'n', fn: 'count' }],
      limit: openDaysMax + 1,
    }),
  ])
  const stored = new Map(revisions.map(({ tracker_id, rev }) => [String(tracker_id), Number(rev)]))
  const isWhole = trackers.every(({ id, sealed }) => (stored.get(id) ?? 0) === (sealed?.rev ?? 0))
  if (!isWhole || open.length > openDaysMax) return null
  return {
    open: new Set(open.map(({ started_at }) => String(started_at))),
    revisions: trackers.map(({ id, sealed }) => [id, sealed?.rev ?? 0]),
    reads: new Map(),
    groups: new Map(),
  }
}
