import { dayIn, instantsOf, type Period, type ReadContext, Refusal, type Row } from 'renown'
import { brandedBy } from '../detection/branded'
import { createNameFinder } from '../detection/find-names'
import { brandId, entitiesOf } from '../detection/judge-answer'
import { VisibilityRun } from '../records/VisibilityRun'
import type { StoredAnswer } from '../rulers/rule'
import { roundSeriesOf } from './cells'
import { findIncidents } from './incidents'
import { runsOf, type Tracker } from './scope'
import { promptsOf, spanOf, type Tracked } from './tracked'

/** Most runs that rules are applied to at once. */
const runsMax = 50_000
/** Runs that are read within some milliseconds of the event loop. */
const rowsAtOnce = 500

const fields = [
  'tracker_id',
  'prompt_id',
  'engine',
  'country',
  'started_at',
  'status',
  'brand_mentioned',
  'brand_cited',
  'stance',
  'brand_position',
  'competitor_mentions',
  'definition_version',
] as const
type Run = Pick<Row<typeof VisibilityRun>, (typeof fields)[number] | 'id'> & {
  readonly answer_text?: string | undefined
}

/** Stored runs of a period as rules read them, and the versions of the detection that judged them. */
export interface StoredAnswers {
  readonly answers: readonly StoredAnswer[]
  /** Answers by version of the detection. */
  readonly versions: ReadonlyMap<string, number>
  readonly runs: ReadonlyMap<string, Pick<Run, 'prompt_id' | 'engine' | 'country'>>
  /** Texts of prompts by id. Removed prompts have none. */
  readonly questions: ReadonlyMap<string, string>
}

/**
 * Reads the runs of a period as rules read them. `hasTimes` also counts how often each answer has the names, for which
 * their texts are read. Throws for more than 50,000 runs.
 */
export async function readStoredAnswers(
  ctx: ReadContext,
  tracked: Tracked,
  { period, previous }: { readonly period: Period; readonly previous: Period },
  hasTimes: boolean,
): Promise<StoredAnswers> {
  const { scope, trackers } = tracked
  const matching = runsOf(ctx, scope, period)
  const rows = ctx.rows(VisibilityRun)
  if ((await rows.count(matching)) > runsMax) throw tooMany()
  const both = spanOf(tracked, { ...period, date_from: previous.date_from })
  const [incidents, prompts] = await Promise.all([findIncidents(ctx, both), promptsOf(ctx, trackers)])
  const isIncident = incidentTest(ctx, incidents)
  const known = promptTest(trackers, prompts)
  const times = hasTimes ? new Map(trackers.map((tracker) => [tracker.id, timesBy(tracker)])) : null
  const answers: StoredAnswer[] = []
  const versions = new Map<string, number>()
  const runs = new Map<string, Run>()
  const query = {
    where: matching,
    fields: times ? [...fields, 'answer_text' as const] : fields,
    size: rowsAtOnce,
  }
  for await (const run of rows.each(query)) {
    if (run.status === 'not_judged') continue
    const { answer_text, ...rest } = run as Run
    const found = times?.get(run.tracker_id)?.(answer_text ?? '')
    answers.push({
      ...answerOf(rest, ctx.workspace.timezone),
      ...known(run),
      is_incident: isIncident(run),
      ...found,
    })
    runs.set(run.id, rest)
    if (run.status === 'ok')
      versions.set(run.definition_version, (versions.get(run.definition_version) ?? 0) + 1)
  }
  const questions = new Map(prompts.map(({ id, text }) => [id, text]))
  return { answers, versions, runs, questions }
}

function answerOf(run: Run, timezone: string) {
  const { id, tracker_id, prompt_id, engine, country, started_at, status, stance } = run
  const rivals = [...new Set(run.competitor_mentions.map(({ name }) => name))]
  return {
    id,
    at: started_at,
    day: dayIn(timezone, new Date(started_at)),
    series: roundSeriesOf({ tracker_id, engine, country }),
    is_answered: status === 'ok',
    prompt: JSON.stringify([tracker_id, prompt_id]),
    cell: JSON.stringify([tracker_id, prompt_id, engine, country]),
    is_meant: run.brand_mentioned,
    is_named: run.brand_mentioned || stance !== undefined,
    is_cited: run.brand_cited,
    place: run.brand_position ?? null,
    rivals,
    times: 1,
    rivalTimes: rivals.length,
  }
}

/** Returns a function that tells whether a run lies on a day of an incident of its engine. */
function incidentTest(
  ctx: ReadContext,
  incidents: readonly { readonly engine: string; readonly day: string }[],
) {
  const spans = incidents.map(({ engine, day }) => ({
    engine,
    ...instantsOf({ date_from: day, date_to: day }, ctx.workspace.timezone),
  }))
  return ({ engine, started_at }: Pick<Run, 'engine' | 'started_at'>) =>
    spans.some((one) => one.engine === engine && one.from <= started_at && started_at < one.before)
}

function promptTest(trackers: readonly Tracker[], prompts: Awaited<ReturnType<typeof promptsOf>>) {
  const branded = new Map(trackers.map((tracker) => [tracker.id, brandedBy(tracker)]))
  const known = new Map(
    prompts.map(({ id, tracker_id, text }) => [id, branded.get(tracker_id)?.(text) === true]),
  )
  return ({ prompt_id }: Pick<Run, 'prompt_id'>) => ({
    is_removed: !known.has(prompt_id),
    is_branded: known.get(prompt_id) === true,
  })
}

/** Compiles the function that counts how often a text has the names of a tracker. */
function timesBy({ brand_name, brand_aliases, competitors }: Tracker) {
  const names = [brand_name, ...brand_aliases]
  const find = createNameFinder(
    entitiesOf({ brand: { names }, competitors: competitors.map(({ name }) => ({ name })) }),
  )
  return (text: string) => {
    const found = find(text)
    const times = found.filter(({ entity }) => entity === brandId).length
    return { times, rivalTimes: found.length - times }
  }
}

function tooMany(): Refusal {
  const message = 'has too many answers to compare'
  return new Refusal(
    'invalid_field',
    `That is more than ${runsMax.toLocaleString('en')} answers. Name an engine, a country or a shorter period.`,
    { errors: [{ pointer: '/days', code: 'too_many', message }] },
  )
}
