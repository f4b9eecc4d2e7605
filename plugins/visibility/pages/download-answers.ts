import { type Row, refuseIgnored, todayOf } from 'renown'
import { type FileTable, fileColumns, type PageContext } from 'renown/pages'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityRun } from '../records/VisibilityRun'
import { readAnswerFilters } from './answer-filters'
import { stateOf } from './answer-words'
import { withoutUnknown } from './check-answer-filters'
import { engineLabels } from './engine-labels'
import { answersWhere } from './load-answers'

const size = 200

/** Returns all answers that the filters select, the oldest first, with their whole text. */
export async function downloadAnswers(ctx: PageContext, query: URLSearchParams): Promise<FileTable> {
  const { filters } = refuseIgnored(await withoutUnknown(ctx, readAnswerFilters(query, todayOf(ctx))))
  const labelOf = engineLabels(ctx)
  const prompts = new Map<string, string>()
  const promptOf = async (id: string) => {
    const known = prompts.get(id)
    if (known !== undefined) return known
    const text = (await ctx.rows(VisibilityPrompt).get(id))?.text ?? ''
    prompts.set(id, text)
    return text
  }
  const lineOf = async (run: Row<typeof VisibilityRun>) => [
    run.id,
    run.started_at,
    labelOf(run.engine),
    run.model ?? null,
    run.country,
    await promptOf(run.prompt_id),
    stateOf(run).word,
    run.brand_mentioned ?? null,
    run.brand_position ?? null,
    run.answer_text ?? null,
    run.error ?? null,
  ]
  return {
    columns: fileColumns({
      id: null,
      asked_at: 'instant',
      engine: null,
      model: null,
      country: null,
      prompt: null,
      state: null,
      named: null,
      position: 'number',
      answer: null,
      error: null,
    }),
    rows: (async function* () {
      const by = ['started_at', 'id']
      for await (const run of ctx.rows(VisibilityRun).each({ where: answersWhere(ctx, filters), by, size })) {
        yield await lineOf(run)
      }
    })(),
  }
}
