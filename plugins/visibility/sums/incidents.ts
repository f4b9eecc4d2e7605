import { field, instantsOf, type ReadContext, type Where, where } from 'renown'
import * as v from 'valibot'
import { type EngineDay, incidentsOf } from '../measure/incidents'
import { VisibilityRun } from '../records/VisibilityRun'

const count = (description: string) => field.integer(description, { min: 0 })

/** The output field of days on which an engine answered much less often than usual. */
export const incidents = v.pipe(
  v.array(
    v.object({
      engine: field.text('Answer engine'),
      day: field.day('Day, in the time zone of the workspace'),
      answered: count('Runs with an answer'),
      unanswered: count('Runs without an answer'),
    }),
  ),
  v.description(
    'Days of both periods on which an engine answered much less often than on its other days. mention_rate_v2 and change leave them out',
  ),
)

/** Returns the incidents among these runs of any status. */
export async function findIncidents(ctx: ReadContext, matching: Where) {
  const { timezone } = ctx.workspace
  const groups = await ctx.rows(VisibilityRun).group({
    where: matching,
    by: ['engine', { field: 'started_at', unit: 'day', timezone }, 'status'],
    measures: [{ as: 'n', fn: 'count' }],
  })
  const days = new Map<string, EngineDay & { answered: number; unanswered: number }>()
  for (const row of groups) {
    const [engine, day] = [String(row.engine), String(row.started_at)]
    const key = JSON.stringify([engine, day])
    const counts = days.get(key) ?? { engine, day, answered: 0, unanswered: 0 }
    days.set(key, counts)
    counts[row.status === 'ok' ? 'answered' : 'unanswered'] += Number(row.n)
  }
  return incidentsOf([...days.values()])
    .map(({ engine, day, answered, unanswered }) => ({ engine, day, answered, unanswered }))
    .sort((a, b) => (`${a.day} ${a.engine}` < `${b.day} ${b.engine}` ? -1 : 1))
}

/** Returns the conditions that exclude incidents. */
export const without = (ctx: ReadContext, found: readonly Pick<EngineDay, 'engine' | 'day'>[]): Where[] =>
  found.map(({ engine, day }) => {
    const { from, before } = instantsOf({ date_from: day, date_to: day }, ctx.workspace.timezone)
    return where.not(
      where.and(where.eq('engine', engine), where.gte('started_at', from), where.lt('started_at', before)),
    )
  })
