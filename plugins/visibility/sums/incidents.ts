import { field, type ReadContext } from 'renown'
import * as v from 'valibot'
import { incidentsOf } from '../measure/incidents'
import type { RunSpan } from './run-span'
import { answersIn, type RunSum, sumRuns } from './sum-runs'

const count = (description: string) => field.integer(description, { min: 0 })

/** The output field of days on which an engine answered much less often than usual. */
export const incidents = v.pipe(
  v.array(
    v.object({
      engine: field.code('Answer engine'),
      day: field.day('Day, in the time zone of the workspace'),
      answered: count('Runs with an answer'),
      unanswered: count('Runs without an answer'),
    }),
  ),
  v.description(
    'Days of both periods on which an engine answered much less often than on its other days. mention_rate_v2 and change leave them out',
  ),
)

/** Returns the incidents among the runs of a span. */
export async function findIncidents(ctx: ReadContext, span: RunSpan) {
  return incidentsOfDays(await sumRuns(ctx, span, { of: ['statuses'], by: ['engine'], stretch: 'day' }))
}

/** Returns the incidents among the runs of engines by day. An answer that is not judged is an answer. */
export const incidentsOfDays = (days: readonly RunSum[]) =>
  incidentsAmong(
    days.map(({ engine, stretch, sums }) => ({
      engine,
      stretch,
      sums: { runs: sums.runs, answers: answersIn(sums) },
    })),
  )

/** Returns the incidents among sums of engines by day. */
export function incidentsAmong(
  sums: readonly (Pick<RunSum, 'engine' | 'stretch'> & {
    readonly sums: Pick<RunSum['sums'], 'runs' | 'answers'>
  })[],
) {
  const days = sums.map(({ engine, stretch: day, sums: { runs, answers } }) => ({
    engine,
    day,
    answered: answers,
    unanswered: runs - answers,
  }))
  return incidentsOf(days)
    .map(({ engine, day, answered, unanswered }) => ({ engine, day, answered, unanswered }))
    .sort((a, b) => (`${a.day} ${a.engine}` < `${b.day} ${b.engine}` ? -1 : 1))
}
