import { instantsOf, type Row, todayOf, type Where, where } from 'renown'
import type { ListSource, PageContext } from 'renown/pages'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityRun } from '../records/VisibilityRun'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { answered } from '../sums/scope'
import { type AnswerFilters, answerDays } from './answer-filters'
import { type AnswerMark, excerptOf, markFinder } from './answer-marks'
import { type AnswerState, positionWords, stateOf } from './answer-words'
import { engineLabels } from './engine-labels'

type RunRow = Row<typeof VisibilityRun>

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

const readAtOnce = 200
const excerptMax = 400

/** Returns the answers of the filters, newest first. Files have the oldest first. */
export function listAnswers(ctx: PageContext, asked: AnswerFilters): ListSource<RunRow> {
  const matching = answersWhere(ctx, asked)
  const runs = ctx.rows(VisibilityRun)
  return {
    async after({ after, limit }) {
      const found = await runs.list({
        where: isInstant(after) ? where.and(matching, where.lt('started_at', after)) : matching,
        sort: [{ field: 'started_at', direction: 'desc' }],
        limit: limit + 1,
      })
      const rows = firstOf(found, limit)
      return { rows, next: found.length > limit ? (rows.at(-1)?.started_at ?? null) : null }
    },
    pages: () =>
      runs.pages({ where: matching, by: ['started_at', 'id'], size: readAtOnce }) as AsyncIterable<RunRow[]>,
  }
}

const isInstant = (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text))

/** The first rows. Runs of the same instant stay together, because the next page begins before an instant. */
function firstOf<T extends { readonly started_at: string }>(runs: readonly T[], limit: number): readonly T[] {
  const next = runs[limit]?.started_at
  const whole = runs.slice(0, limit).filter(({ started_at }) => started_at !== next)
  return whole.length > 0 ? whole : runs.slice(0, limit)
}

/** Returns the condition for the filters in the address, without the page. */
export function answersWhere(ctx: PageContext, asked: AnswerFilters): Where {
  const days = answerDays(asked, todayOf(ctx))
  const { from, before } = instantsOf({ date_from: days.from, date_to: days.to }, ctx.workspace.timezone)
  const { prompt: prompt_id, tracker: tracker_id, engine, country, named } = asked
  return where.and(
    where.gte('started_at', from),
    where.lt('started_at', before),
    ...Object.entries({ prompt_id, tracker_id, engine, country }).flatMap(([name, value]) =>
      value === '' ? [] : [where.eq(name, value)],
    ),
    ...(named === '' ? [] : [answered, where.eq('brand_mentioned', named === 'yes')]),
  )
}

/** What the list says about answers besides their rows. */
export interface AroundAnswers {
  labelOf(engine: string): string
  promptOf(run: RunRow): string | null
  lineOf(run: RunRow): AnswerLine
}

/** Reads what the list says about these answers. An answer of a removed tracker has no marks. */
export async function aroundAnswers(
  ctx: PageContext,
  asked: AnswerFilters,
  runs: readonly RunRow[],
): Promise<AroundAnswers> {
  const labelOf = engineLabels(ctx)
  const trackerIds = [...new Set(runs.map(({ tracker_id }) => tracker_id))]
  const promptIds = [...new Set(runs.map(({ prompt_id }) => prompt_id))]
  const [trackers, prompts] =
    runs.length === 0
      ? [[], []]
      : await Promise.all([
          ctx.rows(VisibilityTracker).list({ where: where.in('id', trackerIds), limit: trackerIds.length }),
          ctx.rows(VisibilityPrompt).list({ where: where.in('id', promptIds), limit: promptIds.length }),
        ])
  const finders = new Map(trackers.map((tracker) => [tracker.id, markFinder(tracker)]))
  const byId = new Map(prompts.map((prompt) => [prompt.id, prompt]))
  return {
    labelOf,
    promptOf: ({ prompt_id }) => byId.get(prompt_id)?.text ?? null,
    lineOf(run) {
      const text = run.answer_text ?? ''
      const prompt = byId.get(run.prompt_id)
      return {
        id: run.id,
        engine: labelOf(run.engine),
        country: run.country,
        at: run.started_at,
        model: run.model ?? null,
        state: stateOf(run),
        position: positionWords(run),
        prompt: asked.prompt === '' ? (prompt?.text ?? null) : null,
        language: prompt?.language,
        error: run.error ?? null,
        ...excerptOf(text, finders.get(run.tracker_id)?.(text) ?? [], excerptMax),
      }
    },
  }
}
