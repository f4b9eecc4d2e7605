import { todayOf, where } from 'renown'
import type { ListData, PageContext, ShownList } from 'renown/pages'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityRun } from '../records/VisibilityRun'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { answered } from '../sums/scope'
import { type AnswerFilters, answerDays } from './answer-filters'
import { engineLabels } from './engine-labels'
import { type AnswerLine, answersWhere } from './list-answers'

/** What the page of answers shows besides its list. */
export interface AnswersOwn {
  readonly filters: AnswerFilters
  readonly days: { readonly from: string; readonly to: string }
  readonly prompt: { readonly text: string; readonly language: string } | null
  readonly brand_name: string | null
  readonly engine_name: string | null
  /** Matching runs. */
  readonly total: number
  /** Those of them with an answer that is judged. */
  readonly answers: number
  readonly api_url: string
}

/** The data of the page of answers. */
export type AnswersData = ListData<AnswersOwn, AnswerLine>

/** Loads what the page of answers shows besides its list. */
export async function loadAnswers(
  ctx: PageContext,
  _: URLSearchParams,
  list: ShownList,
): Promise<AnswersOwn> {
  const filters = list.asked as AnswerFilters
  const matching = answersWhere(ctx, filters)
  const [total, answers, prompt, tracker] = await Promise.all([
    ctx.rows(VisibilityRun).count(matching),
    ctx.rows(VisibilityRun).count(where.and(matching, answered)),
    filters.prompt === '' ? null : ctx.rows(VisibilityPrompt).get(filters.prompt),
    filters.tracker === '' ? null : ctx.rows(VisibilityTracker).get(filters.tracker),
  ])
  return {
    api_url: ctx.apiUrl,
    filters,
    total,
    answers,
    days: answerDays(filters, todayOf(ctx)),
    brand_name: tracker?.brand_name ?? null,
    prompt: prompt && { text: prompt.text, language: prompt.language },
    engine_name: filters.engine === '' ? null : engineLabels(ctx)(filters.engine),
  }
}
