import { type IgnoredValue, instantsOf, todayOf, type Where, where } from 'renown'
import type { PageContext } from 'renown/pages'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityRun } from '../records/VisibilityRun'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { answered } from '../sums/scope'
import { type AnswerFilters, readAnswerFilters } from './answer-filters'
import { type AnswerMark, excerptOf, markFinder } from './answer-marks'
import { type AnswerState, positionWords, stateOf } from './answer-words'
import { withoutUnknown } from './check-answer-filters'
import { engineLabels } from './engine-labels'

/** An answer in the list. */
export interface AnswerLine {
  readonly id: string
  readonly engine: string
  readonly country: string
  /** The model that answered. Null: the engine does not say. */
  readonly model: string | null
  readonly at: string
  readonly state: AnswerState
  readonly position: string | null
  readonly prompt: string | null
  readonly language: string | undefined
  readonly error: string | null
  readonly text: string
  readonly marks: readonly AnswerMark[]
  readonly isCut: boolean
}

export interface AnswersData {
  readonly filters: AnswerFilters
  readonly ignored: readonly IgnoredValue[]
  readonly prompt: { readonly text: string; readonly language: string } | null
  readonly brand_name: string | null
  readonly engine_name: string | null
  readonly lines: readonly AnswerLine[]
  /** Matching runs. */
  readonly total: number
  /** Those of them with an answer that is judged. */
  readonly answers: number
  readonly api_url: string
  /** The `until` of the next page. Null on the last one. */
  readonly next: string | null
}

const pageSize = 20
const excerptMax = 400

/** Loads the answers behind a cell: newest first. */
export async function loadAnswers(ctx: PageContext, query: URLSearchParams): Promise<AnswersData> {
  const today = todayOf(ctx)
  const { filters, ignored } = await withoutUnknown(ctx, readAnswerFilters(query, today))
  const { prompt: prompt_id, tracker: tracker_id, engine, until } = filters
  const matching = answersWhere(ctx, filters)
  const [runs, total, answers, prompt, tracker] = await Promise.all([
    ctx.rows(VisibilityRun).list({
      where: until === '' ? matching : where.and(matching, where.lt('started_at', until)),
      sort: [{ field: 'started_at', direction: 'desc' }],
      limit: pageSize + 1,
    }),
    ctx.rows(VisibilityRun).count(matching),
    ctx.rows(VisibilityRun).count(where.and(matching, answered)),
    prompt_id === '' ? null : ctx.rows(VisibilityPrompt).get(prompt_id),
    tracker_id === '' ? null : ctx.rows(VisibilityTracker).get(tracker_id),
  ])
  const shown = pageOf(runs)
  const [finders, prompts] = await Promise.all([findersOf(ctx, shown), promptsOf(ctx, shown)])
  const labelOf = engineLabels(ctx)
  return {
    api_url: ctx.apiUrl,
    filters,
    ignored,
    total,
    answers,
    brand_name: tracker?.brand_name ?? null,
    prompt: prompt && { text: prompt.text, language: prompt.language },
    engine_name: engine === '' ? null : labelOf(engine),
    next: runs.length > pageSize ? (shown.at(-1)?.started_at ?? null) : null,
    lines: shown.map((run) => {
      const text = run.answer_text ?? ''
      const asked = prompts.get(run.prompt_id)
      return {
        id: run.id,
        engine: labelOf(run.engine),
        country: run.country,
        at: run.started_at,
        model: run.model ?? null,
        state: stateOf(run),
        position: positionWords(run),
        prompt: prompt_id === '' ? (asked?.text ?? null) : null,
        language: asked?.language,
        error: run.error ?? null,
        ...excerptOf(text, finders.get(run.tracker_id)?.(text) ?? [], excerptMax),
      }
    }),
  }
}

/** Returns the condition for the filters in the address, without the page. */
export function answersWhere({ workspace }: Pick<PageContext, 'workspace'>, filters: AnswerFilters): Where {
  const { from, before } = instantsOf({ date_from: filters.from, date_to: filters.to }, workspace.timezone)
  const { prompt: prompt_id, tracker: tracker_id, engine, country, named } = filters
  return where.and(
    where.gte('started_at', from),
    where.lt('started_at', before),
    ...Object.entries({ prompt_id, tracker_id, engine, country }).flatMap(([name, value]) =>
      value === '' ? [] : [where.eq(name, value)],
    ),
    ...(named === '' ? [] : [answered, where.eq('brand_mentioned', named === 'yes')]),
  )
}

/** The first page. Runs of the same instant stay together, because the next page begins before an instant. */
function pageOf<T extends { readonly started_at: string }>(runs: readonly T[]): readonly T[] {
  const next = runs[pageSize]?.started_at
  const whole = runs.slice(0, pageSize).filter(({ started_at }) => started_at !== next)
  return whole.length > 0 ? whole : runs.slice(0, pageSize)
}

type Listed = readonly { readonly tracker_id: string; readonly prompt_id: string }[]

/** The finders of names, by tracker. An answer of a removed tracker has none. */
async function findersOf(ctx: PageContext, runs: Listed) {
  const ids = [...new Set(runs.map(({ tracker_id }) => tracker_id))]
  const trackers = await ctx.rows(VisibilityTracker).list({ where: where.in('id', ids), limit: pageSize })
  return new Map(trackers.map((tracker) => [tracker.id, markFinder(tracker)]))
}

async function promptsOf(ctx: PageContext, runs: Listed) {
  const ids = [...new Set(runs.map(({ prompt_id }) => prompt_id))]
  const prompts = await ctx.rows(VisibilityPrompt).list({ where: where.in('id', ids), limit: pageSize })
  return new Map(prompts.map((prompt) => [prompt.id, prompt]))
}
