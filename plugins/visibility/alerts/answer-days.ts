import { dayStart, type OwnerContext, type Row, shiftDay, type Where, where } from 'renown'
import { type EngineDay, incidentsOf } from '../measure/incidents'
import { hasAnswer } from '../records/runStatus'
import { VisibilityRun } from '../records/VisibilityRun'
import type { VisibilityTracker } from '../records/VisibilityTracker'
import type { Days } from './baseline'

/** What one engine answered on one day, by one model and one version of the rules. */
interface SeriesDay {
  readonly engine: string
  readonly model: string | null
  readonly definition: string
  readonly day: string
}

/** The days of a tracker with answers. */
export interface AnswerDays {
  /** In order, each once. */
  readonly answered: readonly string[]
  /** The latest model and rules of each engine. Other answers belong to an earlier series. */
  readonly series: readonly SeriesDay[]
  /** Days on which an engine answered much less often than usual. */
  readonly incidents: readonly Pick<EngineDay, 'engine' | 'day'>[]
}

/** Reads which days of a tracker have answers, and by which models. One read. */
export async function readAnswerDays(
  ctx: OwnerContext,
  tracker: Row<typeof VisibilityTracker>,
  days: Days,
  timezone: string,
): Promise<AnswerDays> {
  const groups = await ctx.rows(VisibilityRun).group({
    where: runsIn(tracker, days, timezone),
    by: [
      'engine',
      'model_asked',
      'definition_version',
      'status',
      { field: 'started_at', unit: 'day', timezone },
    ],
    measures: [{ as: 'n', fn: 'count' }],
  })
  const engineDays = new Map<string, EngineDay & { answered: number; unanswered: number }>()
  const series = new Map<string, SeriesDay>()
  const answered = new Set<string>()
  for (const { model_asked, definition_version, status, n, ...row } of groups) {
    const engine = String(row.engine)
    const day = String(row.started_at)
    const key = JSON.stringify([engine, day])
    const counts = engineDays.get(key) ?? { engine, day, answered: 0, unanswered: 0 }
    engineDays.set(key, counts)
    counts[hasAnswer(status) ? 'answered' : 'unanswered'] += Number(n)
    if (status !== 'ok') continue
    answered.add(day)
    const model = model_asked === null || model_asked === undefined ? null : String(model_asked)
    if ((series.get(engine)?.day ?? '') <= day)
      series.set(engine, { engine, model, definition: String(definition_version), day })
  }
  return {
    answered: [...answered].sort(),
    series: [...series.values()],
    incidents: incidentsOf([...engineDays.values()]),
  }
}

/** The condition for runs of a tracker in a period. */
export const runsIn = (
  { id, workspace_id }: Row<typeof VisibilityTracker>,
  { from, until }: Days,
  timezone: string,
): Where =>
  where.and(
    where.eq('workspace_id', workspace_id),
    where.eq('tracker_id', id),
    where.gte('started_at', dayStart(timezone, from)),
    where.lt('started_at', dayStart(timezone, shiftDay(until, 1))),
  )

/** The condition for answers of the latest series, without incidents. */
export const inSeries = ({ series, incidents }: AnswerDays, timezone: string): Where =>
  where.and(
    where.or(
      ...series.map(({ engine, model, definition }) =>
        where.and(
          where.eq('engine', engine),
          where.eq('model_asked', model),
          where.eq('definition_version', definition),
        ),
      ),
    ),
    ...incidents.map(({ engine, day }) =>
      where.not(
        where.and(
          where.eq('engine', engine),
          where.gte('started_at', dayStart(timezone, day)),
          where.lt('started_at', dayStart(timezone, shiftDay(day, 1))),
        ),
      ),
    ),
  )
