import { type Row, where } from 'renown'
import type { PageContext, PageRecord } from 'renown/pages'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityRun } from '../records/VisibilityRun'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { type AnswerMark, markFinder } from './answer-marks'
import { type AnswerState, positionWords, stateOf } from './answer-words'
import { engineLabels } from './engine-labels'

type Run = Row<typeof VisibilityRun>

/** One run in full. */
export interface AnswerData {
  readonly run: Pick<
    Run,
    | 'id'
    | 'prompt_id'
    | 'tracker_id'
    | 'country'
    | 'started_at'
    | 'access'
    | 'citations'
    | 'search_queries'
    | 'stance_evidence'
    | 'sentiment'
    | 'sentiment_evidence'
    | 'model'
    | 'model_asked'
    | 'place_pinned'
    | 'cost'
    | 'cost_basis'
    | 'error'
    | 'odd_parts'
    | 'definition_version'
    | 'competitor_mentions'
  >
  readonly engine: string
  readonly prompt: { readonly text: string; readonly language: string } | null
  readonly brand_name: string | null
  readonly state: AnswerState
  readonly position: string | null
  readonly text: string
  readonly marks: readonly AnswerMark[]
  /** The answers to the same question before and after it. */
  readonly earlier: string | null
  readonly later: string | null
  readonly api_url: string
}

/** Loads one run. */
export async function loadAnswer(
  ctx: PageContext,
  _query: URLSearchParams,
  { row: run }: PageRecord<typeof VisibilityRun>,
): Promise<AnswerData> {
  const [prompt, tracker, earlier, later] = await Promise.all([
    ctx.rows(VisibilityPrompt).get(run.prompt_id),
    ctx.rows(VisibilityTracker).get(run.tracker_id),
    neighbourOf(ctx, run, 'earlier'),
    neighbourOf(ctx, run, 'later'),
  ])
  const text = run.answer_text ?? ''
  return {
    run,
    text,
    earlier,
    later,
    state: stateOf(run),
    position: positionWords(run),
    api_url: ctx.apiUrl,
    engine: engineLabels(ctx)(run.engine),
    prompt: prompt && { text: prompt.text, language: prompt.language },
    brand_name: tracker?.brand_name ?? null,
    marks: tracker ? markFinder(tracker)(text) : [],
  }
}

async function neighbourOf(
  ctx: PageContext,
  { prompt_id, engine, country, started_at }: Run,
  way: 'earlier' | 'later',
): Promise<string | null> {
  const side = way === 'earlier' ? where.lt('started_at', started_at) : where.gt('started_at', started_at)
  const same = [where.eq('prompt_id', prompt_id), where.eq('engine', engine), where.eq('country', country)]
  const [found] = await ctx.rows(VisibilityRun).list({
    where: where.and(...same, side),
    limit: 1,
    fields: ['started_at'],
    sort: [{ field: 'started_at', direction: way === 'earlier' ? 'desc' : 'asc' }],
  })
  return found?.id ?? null
}
