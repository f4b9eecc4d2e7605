import {
  defineOperation,
  deprecated,
  field,
  periodInput,
  periodOf,
  periodSchema,
  type ReadContext,
  todayOf,
  where,
} from 'renown'
import * as v from 'valibot'
import { VisibilityRun } from '../records/VisibilityRun'
import { type BothPeriods, readBothPeriods } from '../sums/both-periods'
import { definitionOf } from '../sums/definitionOf'
import { emptiness, emptyFields } from '../sums/emptiness'
import { incidents } from '../sums/incidents'
import { cellMetrics } from '../sums/mention-rate'
import {
  addUp,
  changedBetween,
  changeSignificant,
  definitionIds,
  definitions,
  type Grouped,
  mentionRate,
  metrics,
  metricsOf,
  splitBy,
  tallyRuns,
} from '../sums/metrics'
import { modelChanges } from '../sums/model-changes'
import { choosing, narrowing, runsOf, type Scope, type Tracker } from '../sums/scope'
import { trackedBy } from '../sums/tracked'

/** Maximum trackers in an answer. */
const trackersMax = 200
const statuses = ['ok', 'no_answer', 'error', 'refused'] as const
const count = (description: string) => field.integer(description, { min: 0 })
const rate = v.nullable(field.number('mentions / runs; null where there are none', { min: 0, max: 1 }))
const previousRate = deprecated(
  v.nullable(
    field.number('The rate of `previous`. `previous` also has its n and its interval', { min: 0, max: 1 }),
  ),
  { since: '2026-11-23', sunset: '2027-11-23', use: 'previous.mention_rate' },
)

/** Returns how AI assistants present the brands of a workspace. */
export const getVisibilitySummary = defineOperation({
  name: 'getVisibilitySummary',
  summary:
    'How often AI assistants name and cite the brands, by engine and tracker, compared with the previous period',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({ ...periodInput, ...choosing, ...narrowing }),
  output: v.object({
    period: periodSchema('The requested period. Default 30 days'),
    previous_period: periodSchema('The period of the same length before it'),
    definition_version: v.nullable(
      field.text('Version of the rules that evaluated the latest run of the period. Null if there is none'),
    ),
    definitions: v.object(definitions),
    ...emptyFields,
    totals: v.object({ ...metrics, ...cellMetrics }),
    previous: v.object(metrics),
    change_significant: changeSignificant,
    incidents,
    model_changes: modelChanges,
    by_status: v.pipe(
      v.array(v.object({ status: field.oneOf(statuses, 'How runs ended'), runs: count('Runs') })),
      v.description('All runs of the period. All other figures count only runs with status ok'),
    ),
    by_engine: v.array(
      v.object({
        engine: field.text('Answer engine'),
        ...metrics,
        previous: v.object(metrics),
        previous_mention_rate: previousRate,
        ...cellMetrics,
      }),
    ),
    by_tracker: v.pipe(
      v.array(
        v.object({
          tracker_id: field.text('Tracker'),
          name: field.text('Its name'),
          brand_name: field.text('Brand it looks for'),
          location_id: field.text('Business location of the brand'),
          ...metrics,
          previous: v.object(metrics),
          previous_mention_rate: previousRate,
          ...cellMetrics,
        }),
      ),
      v.description(`Trackers, including those without runs, oldest first, at most ${trackersMax}`),
    ),
    trend: v.pipe(
      v.array(
        v.object({
          week: field.day('Monday of the week, even if the period starts later in the week'),
          runs: count('Answers'),
          mentions: count('Answers that name the brand'),
          mention_rate: rate,
          mention_rate_ci: metrics.mention_rate_ci,
        }),
      ),
      v.description('Weeks with answers, in order'),
    ),
  }),
  async run(ctx, { tracker_id, location_id, engine, country, ...input }) {
    const { period, previous } = periodOf(input, { today: todayOf(ctx), days: 30 })
    const scope: Scope = { tracker_id, location_id, engine, country }
    const tracked = await trackedBy(ctx, scope)
    const inside = runsOf(ctx, scope, period)
    const [cells, now, before, by_status, trend, definition_version] = await Promise.all([
      readBothPeriods(ctx, tracked, period, previous),
      tallyRuns(ctx, inside, ['tracker_id', 'engine']),
      tallyRuns(ctx, runsOf(ctx, scope, previous), ['tracker_id', 'engine']),
      statusesOf(ctx, scope, period),
      trendOf(ctx, scope, period),
      definitionOf(ctx, inside),
    ])
    const [all, earlier] = [addUp(now), addUp(before)]
    return {
      period,
      previous_period: previous,
      definition_version,
      definitions: definitionIds,
      ...(await emptiness(ctx, tracked, period, all.runs)),
      totals: { ...metricsOf(all), ...cells.all },
      previous: metricsOf(earlier),
      change_significant: changedBetween(all, earlier),
      incidents: cells.incidents,
      model_changes: cells.model_changes,
      by_status,
      by_engine: byEngine(now, before, cells),
      by_tracker: byTracker(tracked.trackers.slice(0, trackersMax), now, before, cells),
      trend,
    }
  },
})

/** Returns the previous period in full, and its rate under the old field name too. */
function previousOf(groups: readonly Grouped[] = []) {
  const previous = metricsOf(addUp(groups))
  return { previous, previous_mention_rate: previous.mention_rate }
}

function byEngine(now: readonly Grouped[], before: readonly Grouped[], cells: BothPeriods) {
  const earlier = splitBy(before, 1)
  return [...splitBy(now, 1)]
    .map(([engine, groups]) => ({
      engine,
      ...metricsOf(addUp(groups)),
      ...previousOf(earlier.get(engine)),
      ...cells.ofEngine(engine),
    }))
    .sort((a, b) => (a.engine < b.engine ? -1 : 1))
}

function byTracker(
  trackers: readonly Tracker[],
  now: readonly Grouped[],
  before: readonly Grouped[],
  cells: BothPeriods,
) {
  const [here, earlier] = [splitBy(now, 0), splitBy(before, 0)]
  return trackers.map(({ id, name, brand_name, location_id }) => ({
    tracker_id: id,
    name,
    brand_name,
    location_id,
    ...metricsOf(addUp(here.get(id) ?? [])),
    ...previousOf(earlier.get(id)),
    ...cells.ofTracker(id),
  }))
}

async function statusesOf(ctx: ReadContext, scope: Scope, period: Parameters<typeof runsOf>[2]) {
  const groups = await ctx
    .rows(VisibilityRun)
    .group({ where: runsOf(ctx, scope, period), by: ['status'], measures: [{ as: 'n', fn: 'count' }] })
  return statuses.map((status) => ({
    status,
    runs: Number(groups.find((group) => group.status === status)?.n ?? 0),
  }))
}

async function trendOf(ctx: ReadContext, scope: Scope, period: Parameters<typeof runsOf>[2]) {
  const { timezone } = ctx.workspace
  const groups = await ctx.rows(VisibilityRun).group({
    where: runsOf(ctx, scope, period, where.eq('status', 'ok')),
    by: [{ field: 'started_at', unit: 'week', timezone }, 'brand_mentioned'],
    measures: [{ as: 'n', fn: 'count' }],
  })
  return [...Map.groupBy(groups, ({ started_at }) => String(started_at))].map(([week, rows]) => {
    const runs = rows.reduce((sum, { n }) => sum + Number(n), 0)
    const mentions = rows
      .filter(({ brand_mentioned }) => brand_mentioned === true)
      .reduce((sum, { n }) => sum + Number(n), 0)
    const { rate: mention_rate, ci95: mention_rate_ci } = mentionRate.of(mentions, runs)
    return { week, runs, mentions, mention_rate, mention_rate_ci }
  })
}
