import {
  defineOperation,
  field,
  type Period,
  periodInput,
  periodOf,
  periodSchema,
  type ReadContext,
  type Row,
  requireRow,
  todayOf,
  where,
} from 'renown'
import { compare } from 'renown/statistics'
import * as v from 'valibot'
import { brandedBy } from '../detection/branded'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { type BothPeriods, readBothPeriods } from '../sums/both-periods'
import { cellFields, type TrackedCell } from '../sums/cells'
import { definitionOf } from '../sums/definitionOf'
import { emptiness, emptyFields } from '../sums/emptiness'
import { incidents } from '../sums/incidents'
import { lostByPrompt, lostToField } from '../sums/lost-to'
import { cellMetrics, cellRateOf, changeFieldOf } from '../sums/mention-rate'
import {
  addUp,
  changeSignificant,
  definitionIds,
  definitions,
  type Grouped,
  metrics,
  metricsOf,
  splitBy,
  tallied,
} from '../sums/metrics'
import { seriesOf } from '../sums/model-changes'
import { basketOf } from '../sums/rounds'
import { narrowing, runsOf, type Scope } from '../sums/scope'
import { sumRuns } from '../sums/sum-runs'
import { spanOf, trackedBy } from '../sums/tracked'

const sortable = ['mention_rate', 'citation_rate', 'avg_position', 'runs', 'created_date'] as const
const sort = v.pipe(
  v.picklist(sortable.flatMap((name) => [name, `-${name}` as const])),
  v.description('Field to sort on; `-` before it means descending. Prompts without a value come last'),
)
const promptsMax = 2000

/** Returns the results of each question of a tracker. */
export const getPromptPerformance = defineOperation({
  name: 'getPromptPerformance',
  summary:
    'How often answers to each question of a tracker name and cite the brand, compared with the previous period',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({
    tracker_id: field.code('The tracker'),
    ...periodInput,
    ...narrowing,
    limit: v.optional(field.integer('Maximum prompts in the answer', { min: 1, max: 200 }), 50),
    skip: v.optional(field.integer('Number of prompts to skip', { min: 0, max: 100_000 }), 0),
    sort: v.optional(sort, '-mention_rate'),
  }),
  output: v.object({
    tracker_id: field.code('The tracker'),
    ...emptyFields,
    period: periodSchema('The requested period. Default 28 days'),
    previous_period: periodSchema('The period of the same length before it'),
    definition_version: v.nullable(
      field.code('Version of the rules that evaluated the latest run of the period. Null if there is none'),
    ),
    definitions: v.object(definitions),
    incidents,
    prompts: v.array(
      v.object({
        prompt_id: field.code('The question'),
        text: field.text('Its text'),
        country: field.text('Default country of the question'),
        intent: VisibilityPrompt.fields.intent,
        status: VisibilityPrompt.fields.status,
        is_branded: field.flag(
          'The question names the brand, so most answers do too. Rates over several prompts leave it out',
        ),
        ...metrics,
        ...cellMetrics,
        by_engine: v.pipe(
          v.array(v.object({ engine: field.code('Answer engine'), ...metrics })),
          v.description('The same for each engine that answered'),
        ),
        by_country: v.pipe(
          v.array(v.object({ country: field.text('Country it was asked from'), ...metrics })),
          v.description('The same for each country with answers'),
        ),
        lost_to: lostToField,
        previous: v.pipe(v.object(metrics), v.description('The same for the previous period')),
        change_significant: changeSignificant,
      }),
    ),
    total: field.integer('Number of prompts of the tracker', { min: 0 }),
    limit: field.integer('The limit applied'),
    skip: field.integer('The number left out'),
    has_more: field.flag('Whether there are more after these'),
  }),
  async run(ctx, { tracker_id, limit, skip, sort: order, engine, country, ...input }) {
    const periods = periodOf(input, { today: todayOf(ctx), days: 28 })
    return promptPerformance(ctx, { tracker_id, engine, country }, periods, { limit, skip, sort: order })
  },
})

interface PromptPage {
  readonly limit: number
  readonly skip: number
  readonly sort: string
}

/** Returns the answer of the operation for two periods. The previous one can have another length. */
export async function promptPerformance(
  ctx: ReadContext,
  scope: Scope & { readonly tracker_id: string },
  { period, previous }: { readonly period: Period; readonly previous: Period },
  { limit, skip, sort: order }: PromptPage,
) {
  const { tracker_id } = scope
  const tracked = await trackedBy(ctx, scope)
  const isBranded = brandedBy(await requireRow(ctx.rows(VisibilityTracker), 'tracker', tracker_id))
  const inside = spanOf(tracked, period)
  const before = spanOf(tracked, previous)
  const of = ['brand', 'places'] as const
  const [prompts, now, earlier, both, definition_version] = await Promise.all([
    promptsOf(ctx, tracker_id),
    sumRuns(ctx, inside, { of, by: cellFields }).then((all) =>
      tallied(all, ['prompt_id', 'engine', 'country']),
    ),
    sumRuns(ctx, before, { of, by: ['prompt_id'] }).then((all) => tallied(all, ['prompt_id'])),
    readBothPeriods(ctx, tracked, period, previous),
    definitionOf(ctx, runsOf(ctx, scope, period)),
  ])
  const nowBy = splitBy(now, 0)
  const earlierBy = splitBy(earlier, 0)
  const changeOf = promptChanges(both)
  const all = prompts
    .map((prompt) => ({
      is_branded: isBranded(prompt.text),
      ...performanceOf(prompt, {
        now: nowBy.get(prompt.id) ?? [],
        before: earlierBy.get(prompt.id) ?? [],
        ...changeOf(prompt.id),
      }),
    }))
    .sort(ordered(order))
  const page = all.slice(skip, skip + limit)
  const unnamed = page.map(({ prompt_id, runs, mentions }) => [prompt_id, runs - mentions] as const)
  const lost = await lostByPrompt(ctx, inside, new Map(unnamed))
  return {
    tracker_id,
    ...(await emptiness(ctx, tracked, period, addUp(now).runs)),
    period,
    previous_period: previous,
    definition_version,
    definitions: definitionIds,
    incidents: both.incidents,
    prompts: page.map(({ created_date: _, ...prompt }) => ({
      ...prompt,
      lost_to: lost && (lost.get(prompt.prompt_id) ?? []),
    })),
    total: all.length,
    limit,
    skip,
    has_more: skip + page.length < all.length,
  }
}

type Prompt = Row<typeof VisibilityPrompt>

const promptsOf = (ctx: ReadContext, tracker_id: string): Promise<Prompt[]> =>
  ctx.rows(VisibilityPrompt).list({
    where: where.eq('tracker_id', tracker_id),
    sort: [{ field: 'created_date', direction: 'desc' }],
    limit: promptsMax,
  })

interface Answers {
  /** By prompt, engine and country. */
  readonly now: readonly Grouped[]
  readonly before: readonly Grouped[]
  readonly mention_rate_v2: ReturnType<typeof cellRateOf>
  readonly change: ReturnType<typeof changeFieldOf>
}

/** Returns a function with the rate and the change of one prompt. How much days differ is learned from all prompts. */
function promptChanges({ now, comparable, cells, cellsBefore, changed }: BothPeriods) {
  const byPrompt = (all: readonly TrackedCell[]) => Map.groupBy(all, ({ prompt_id }) => prompt_id)
  const here = byPrompt(cells)
  const earlier = byPrompt(cellsBefore)
  const isComparable = (cell: TrackedCell) => !changed.has(seriesOf(cell))
  const { shift } = basketOf(now)
  const shifts = { now: basketOf(comparable.now).shift, before: basketOf(comparable.before).shift }
  return (id: string) => {
    const own = here.get(id) ?? []
    const compared = compare(
      { cells: own.filter(isComparable), shift: shifts.now },
      { cells: (earlier.get(id) ?? []).filter(isComparable), shift: shifts.before },
    )
    return { mention_rate_v2: cellRateOf({ cells: own, shift }), change: changeFieldOf(compared) }
  }
}

function performanceOf(prompt: Prompt, { now, before, mention_rate_v2, change }: Answers) {
  const { id, text, country, intent, status, created_date } = prompt
  const mine = addUp(now)
  const earlier = addUp(before)
  const figuresBy = (place: number) =>
    [...splitBy(now, place)]
      .map(([name, groups]) => ({ name, ...metricsOf(addUp(groups)) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    prompt_id: id,
    text,
    country,
    intent,
    status,
    ...metricsOf(mine),
    mention_rate_v2,
    change,
    by_engine: figuresBy(1).map(({ name, ...figures }) => ({ engine: name, ...figures })),
    by_country: figuresBy(2).map(({ name, ...figures }) => ({ country: name, ...figures })),
    previous: metricsOf(earlier),
    change_significant: change.change_significant,
    created_date,
  }
}

type Performance = ReturnType<typeof performanceOf>

/** Sorts prompts. Those without a value come last in both directions. Ties are sorted by id. */
function ordered(order: string) {
  const name = order.replace('-', '') as (typeof sortable)[number]
  const turn = order.startsWith('-') ? -1 : 1
  return (a: Performance, b: Performance) => {
    const left = a[name]
    const right = b[name]
    if (left === right) return a.prompt_id < b.prompt_id ? -1 : 1
    if (left === null) return 1
    if (right === null) return -1
    return left < right ? -turn : turn
  }
}
