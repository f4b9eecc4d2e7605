import {
  defineOperation,
  deprecated,
  field,
  type Period,
  periodInput,
  periodOf,
  periodSchema,
  type ReadContext,
  todayOf,
} from 'renown'
import * as v from 'valibot'
import { type BothPeriods, readBothPeriods } from '../sums/both-periods'
import { definitionOf } from '../sums/definitionOf'
import { emptiness, emptyFields } from '../sums/emptiness'
import { incidents } from '../sums/incidents'
import { cellMetrics } from '../sums/mention-rate'
import {
  addUp,
  changeSignificant,
  definitionIds,
  definitions,
  type Grouped,
  mentionRate,
  metrics,
  metricsIn,
  splitBy,
  tallied,
} from '../sums/metrics'
import { modelChanges } from '../sums/model-changes'
import { roundsIn, type TrackedRound } from '../sums/rounds'
import { choosing, narrowing, runsOf, type Scope, type Tracker } from '../sums/scope'
import { startOf } from '../sums/stretches'
import type { RunSum } from '../sums/sum-runs'
import { spanOf, trackedBy } from '../sums/tracked'

/** Maximum trackers in an answer. */
const trackersMax = 200
const statuses = ['ok', 'not_judged', 'no_answer', 'error', 'refused'] as const
const count = (description: string) => field.integer(description, { min: 0 })
const rate = v.nullable(field.number('mentions / runs; null where there are none', { min: 0, max: 1 }))
const previousRate = deprecated(
  v.nullable(
    field.number('The rate of `previous`. `previous` also has its n and its interval', { min: 0, max: 1 }),
  ),
  { since: '2026-11-23', sunset: '2027-11-23', use: 'previous.mention_rate' },
)

/** What engines and trackers have twice: the rate over all answers, which the totals have too, and parts of the other rate. */
const repeated = [
  'mentions',
  'mention_rate',
  'mention_rate_ci',
  'citations',
  'positions',
  'previous',
  'previous_mention_rate',
  ...['definition', 'interval_basis', 'cells', 'effective_n', 'rounds'].map(
    (name) => `mention_rate_v2.${name}`,
  ),
  ...['definition', 'now', 'common', 'came', 'left'].map((name) => `change.${name}`),
  ...['definition', 'k', 'ci95'].map((name) => `change.before.${name}`),
]

/** Returns how AI assistants present the brands of a workspace. */
export const getVisibilitySummary = defineOperation({
  name: 'getVisibilitySummary',
  summary:
    'How often AI assistants name and cite the brands, by engine and tracker, compared with the previous period',
  class: 'read',
  crossAgency: 'own',
  seldom: [
    'totals.change.now',
    'totals.change.definition',
    'totals.change.before.definition',
    ...['by_engine', 'by_tracker'].flatMap((list) => repeated.map((path) => `${list}.${path}`)),
  ],
  input: v.strictObject({ ...periodInput, ...choosing, ...narrowing }),
  output: v.object({
    period: periodSchema('The requested period. Default 28 days'),
    previous_period: periodSchema('The period of the same length before it'),
    definition_version: v.nullable(
      field.code('Version of the rules that evaluated the latest run of the period. Null if there is none'),
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
        engine: field.code('Answer engine'),
        ...metrics,
        previous: v.object(metrics),
        previous_mention_rate: previousRate,
        ...cellMetrics,
      }),
    ),
    by_tracker: v.pipe(
      v.array(
        v.object({
          tracker_id: field.code('Tracker'),
          name: field.text('Its name'),
          brand_name: field.text('Brand it looks for'),
          location_id: field.code('Business location of the brand'),
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
    const periods = periodOf(input, { today: todayOf(ctx), days: 28 })
    return summarizeVisibility(ctx, { tracker_id, location_id, engine, country }, periods)
  },
})

interface Periods {
  readonly period: Period
  readonly previous: Period
}

/** Returns the answer of the operation for two periods. The previous one can have another length. */
export async function summarizeVisibility(ctx: ReadContext, scope: Scope, { period, previous }: Periods) {
  const tracked = await trackedBy(ctx, scope)
  const [cells, definition_version, rounds, roundsBefore] = await Promise.all([
    readBothPeriods(ctx, tracked, period, previous),
    definitionOf(ctx, runsOf(ctx, scope, period)),
    roundsIn(ctx, spanOf(tracked, period), []),
    roundsIn(ctx, spanOf(tracked, previous), []),
  ])
  const both = { rounds, roundsBefore }
  const [now, before] = [cells.models.now, cells.models.before].map((one) =>
    tallied(one, ['tracker_id', 'engine']),
  ) as [Grouped[], Grouped[]]
  const all = addUp(now)
  const earlier = addUp(before)
  return {
    period,
    previous_period: previous,
    definition_version,
    definitions: definitionIds,
    ...(await emptiness(ctx, tracked, period, all.runs)),
    totals: { ...metricsIn(all, rounds), ...cells.all },
    previous: metricsIn(earlier, roundsBefore),
    change_significant: cells.all.change.change_significant,
    incidents: cells.incidents,
    model_changes: cells.model_changes,
    by_status: statusesOf(cells.days),
    by_engine: byEngine(now, before, cells, both),
    by_tracker: byTracker(tracked.trackers.slice(0, trackersMax), now, before, cells, both),
    trend: trendOf(cells.days),
  }
}

interface BothRounds {
  readonly rounds: readonly TrackedRound[]
  readonly roundsBefore: readonly TrackedRound[]
}

/** Returns the previous period in full, and its rate under the old field name too. */
function previousOf(groups: readonly Grouped[] = [], rounds: readonly TrackedRound[]) {
  const previous = metricsIn(addUp(groups), rounds)
  return { previous, previous_mention_rate: previous.mention_rate }
}

function byEngine(
  now: readonly Grouped[],
  before: readonly Grouped[],
  cells: BothPeriods,
  { rounds, roundsBefore }: BothRounds,
) {
  const earlier = splitBy(before, 1)
  const of = (all: readonly TrackedRound[], engine: string) => all.filter((one) => one.engine === engine)
  return [...splitBy(now, 1)]
    .map(([engine, groups]) => ({
      engine,
      ...metricsIn(addUp(groups), of(rounds, engine)),
      ...previousOf(earlier.get(engine), of(roundsBefore, engine)),
      ...cells.ofEngine(engine),
    }))
    .sort((a, b) => (a.engine < b.engine ? -1 : 1))
}

function byTracker(
  trackers: readonly Tracker[],
  now: readonly Grouped[],
  before: readonly Grouped[],
  cells: BothPeriods,
  { rounds, roundsBefore }: BothRounds,
) {
  const here = splitBy(now, 0)
  const earlier = splitBy(before, 0)
  const of = (all: readonly TrackedRound[], id: string) => all.filter((one) => one.tracker_id === id)
  return trackers.map(({ id, name, brand_name, location_id }) => ({
    tracker_id: id,
    name,
    brand_name,
    location_id,
    ...metricsIn(addUp(here.get(id) ?? []), of(rounds, id)),
    ...previousOf(earlier.get(id), of(roundsBefore, id)),
    ...cells.ofTracker(id),
  }))
}

function statusesOf(days: readonly RunSum[]) {
  const sum = (name: 'runs' | 'answers' | 'no_answer' | 'errors' | 'refused') =>
    days.reduce((total, { sums }) => total + sums[name], 0)
  const ended = {
    ok: sum('answers'),
    no_answer: sum('no_answer'),
    error: sum('errors'),
    refused: sum('refused'),
  }
  const others = Object.values(ended).reduce((all, n) => all + n, 0)
  const runs = { not_judged: sum('runs') - others, ...ended }
  return statuses.map((status) => ({ status, runs: runs[status] }))
}

function trendOf(days: readonly RunSum[]) {
  const weeks = Map.groupBy(days, ({ stretch }) => startOf(stretch, 'week'))
  return [...weeks]
    .map(([week, own]) => {
      const runs = own.reduce((sum, { sums }) => sum + sums.answers, 0)
      const mentions = own.reduce((sum, { sums }) => sum + sums.mentions, 0)
      const { rate: mention_rate, ci95: mention_rate_ci } = mentionRate.of(mentions, runs)
      return { week, runs, mentions, mention_rate, mention_rate_ci }
    })
    .filter(({ runs }) => runs > 0)
    .sort((a, b) => (a.week < b.week ? -1 : 1))
}
