import {
  field,
  instantsOf,
  type Period,
  type ReadContext,
  Refusal,
  type Row,
  type Where,
  where,
} from 'renown'
import * as v from 'valibot'
import { countryMeant, noCountry } from '../records/countries'
import { engineMeant } from '../records/engines'
import { VisibilityRun } from '../records/VisibilityRun'
import type { VisibilityTracker } from '../records/VisibilityTracker'

/** An answer engine: its key, or its name in any spelling, such as `ChatGPT` or `Google AI Overview`. */
export const engineInput = (description: string) =>
  v.pipe(v.string(), v.transform(engineMeant), v.description(description))

/** A country: its code, or its name in English. */
export const countryInput = (description: string) =>
  v.pipe(
    v.string(),
    v.transform(countryMeant),
    v.regex(/^[A-Z]{2}$/, ({ input }) => noCountry(input)),
    v.description(description),
  )

/** Input fields that limit an answer to an engine and a country. */
export const narrowing = {
  engine: v.optional(engineInput('Only runs of this answer engine, such as chatgpt')),
  country: v.optional(countryInput('Only runs asked from this country, ISO 3166-1 alpha-2')),
}

/** Input fields that select trackers. */
export const choosing = {
  tracker_id: v.optional(field.text('Only this tracker')),
  location_id: v.optional(field.text('Only trackers of this business location')),
}

export interface Scope {
  readonly tracker_id?: string | undefined
  readonly location_id?: string | undefined
  readonly engine?: string | undefined
  readonly country?: string | undefined
}

/** Returns the condition for runs of any day and status. */
export function runsEver(scope: Scope): Where {
  const parts = Object.entries({
    tracker_id: scope.tracker_id,
    location_id: scope.location_id,
    engine: scope.engine,
    country: scope.country,
  }).flatMap(([name, value]) => (value === undefined ? [] : [where.eq(name, value)]))
  return where.and(...parts)
}

/** Returns the condition for runs of a period, by days in the workspace's time zone, with any status. */
export function runsOf(ctx: ReadContext, scope: Scope, period: Period, ...more: readonly Where[]): Where {
  const { from, before } = instantsOf(period, ctx.workspace.timezone)
  return where.and(runsEver(scope), where.gte('started_at', from), where.lt('started_at', before), ...more)
}

/** Matches runs with an answer that is judged. Shares count only these. */
export const answered = where.eq('status', 'ok')

export type Tracker = Row<typeof VisibilityTracker>

const pageSize = 500
const runsMax = 10_000

/**
 * Yields matching runs page by page, oldest first. Throws before the first page if there are more than
 * 10,000.
 */
export async function* everyRun(
  ctx: ReadContext,
  matching: Where,
): AsyncGenerator<Row<typeof VisibilityRun>> {
  const rows = ctx.rows(VisibilityRun)
  if ((await rows.count(matching)) > runsMax) {
    throw new Refusal(
      'invalid_field',
      `That is more than ${runsMax.toLocaleString('en')} answers. Name an engine, a country or a shorter period.`,
      {
        errors: [{ pointer: '/days', code: 'too_many', message: 'has too many answers to search' }],
      },
    )
  }
  yield* rows.each({ where: matching, by: ['started_at', 'id'], size: pageSize })
}
