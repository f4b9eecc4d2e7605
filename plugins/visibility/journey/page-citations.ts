import { defineRate, field, type ReadContext, type Where } from 'renown'
import * as v from 'valibot'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { everyRun } from '../sums/scope'
import { isPage, type PageAddress } from './page-address'

const pageCited = defineRate('visibility.page_cited@1', 'Answers that cite this page, among all answers')
const examplesMax = 5

/** The output field of the citations of one page. */
export const pageCitations = v.object({
  cited: pageCited.schema,
  consulted: field.integer('Answers whose engine read the page and did not cite it', { min: 0 }),
  left_out: v.pipe(
    v.object({
      answers: field.integer('How many', { min: 0 }),
      citing: field.integer('Those of them that cite the page', { min: 0 }),
    }),
    v.description('Answers in a language whose verdicts are not measured. No other figure here counts them'),
  ),
  first_at: v.nullable(field.instant('First answer that cites it. Null if none does')),
  last_at: v.nullable(field.instant('Last answer that cites it. Null if none does')),
  by_engine: v.array(v.object({ engine: field.code('Answer engine'), cited: pageCited.schema })),
  examples: v.pipe(
    v.array(
      v.object({
        run_id: field.code('Run with the answer. getAnswer returns it in full'),
        question: v.nullable(field.text('Text of the prompt. Null if the prompt was removed')),
        engine: field.code('Answer engine'),
        at: field.instant('When it was asked'),
        url: field.text('Address as it was cited'),
      }),
    ),
    v.description(`The latest answers that cite the page, at most ${examplesMax}`),
  ),
})

interface Citing {
  readonly run_id: string
  readonly prompt_id: string
  readonly engine: string
  readonly at: string
  readonly url: string
}

/** Returns how often answers cite a page. */
export async function citationsOf(ctx: ReadContext, matching: Where, page: PageAddress) {
  const engines = new Map<string, { answers: number; cited: number }>()
  const citing: Citing[] = []
  const left_out = { answers: 0, citing: 0 }
  let consulted = 0
  for await (const run of everyRun(ctx, matching)) {
    const mine = run.citations.filter((one) => isPage(page, one))
    const cited = mine.find((one) => one.cited)
    if (run.status === 'not_judged') {
      left_out.answers++
      if (cited) left_out.citing++
      continue
    }
    const engine = engines.get(run.engine) ?? { answers: 0, cited: 0 }
    engines.set(run.engine, engine)
    engine.answers++
    if (!cited && mine.length > 0) consulted++
    if (!cited) continue
    engine.cited++
    const { id: run_id, prompt_id, started_at: at } = run
    citing.push({ run_id, prompt_id, engine: run.engine, at, url: cited.url ?? '' })
  }
  const answers = [...engines.values()].reduce((sum, one) => sum + one.answers, 0)
  return {
    cited: pageCited.of(citing.length, answers),
    consulted,
    left_out,
    first_at: citing[0]?.at ?? null,
    last_at: citing.at(-1)?.at ?? null,
    by_engine: [...engines]
      .map(([engine, one]) => ({ engine, cited: pageCited.of(one.cited, one.answers) }))
      .sort((a, b) => (a.engine < b.engine ? -1 : 1)),
    examples: await Promise.all(
      citing
        .slice(-examplesMax)
        .reverse()
        .map((one) => exampleOf(ctx, one)),
    ),
  }
}

async function exampleOf(ctx: ReadContext, { prompt_id, ...citing }: Citing) {
  const prompt = await ctx.rows(VisibilityPrompt).get(prompt_id)
  return { ...citing, question: prompt?.text ?? null }
}
