import {
  defineOperation,
  field,
  type ReadContext,
  Refusal,
  type Row,
  recordSchema,
  visibleRow,
  where,
} from 'renown'
import * as v from 'valibot'
import { answerStatuses } from '../records/runStatus'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityRun } from '../records/VisibilityRun'
import { scoreFields, storedScore, VisibilityScore } from '../records/VisibilityScore'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { countryInput, engineInput } from '../sums/scope'
import { trackedBy } from '../sums/tracked'

type Run = Row<typeof VisibilityRun>
type Input = {
  readonly run_id?: string
  readonly prompt_id?: string
  readonly engine?: string
  readonly country?: string
}

/** Maximum earlier scores in an answer. */
const earlierMax = 20

/** Returns one answer in full. */
export const getAnswer = defineOperation({
  name: 'getAnswer',
  summary: 'The answer of an AI assistant to a question: one run, or the latest answer to a prompt',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({
    run_id: v.optional(field.text('Instead of prompt_id')),
    prompt_id: v.optional(field.text('Instead of run_id: the latest answer to this question')),
    engine: v.optional(engineInput('With prompt_id: the latest answer of this answer engine')),
    country: v.optional(
      countryInput('With prompt_id: the latest answer for this country, ISO 3166-1 alpha-2'),
    ),
  }),
  output: v.object({
    question: v.nullable(field.text('Text of the question. Null if the prompt was removed')),
    brand_name: v.nullable(field.text('Brand of the tracker. Null if the tracker was removed')),
    run: recordSchema(VisibilityRun),
    earlier_scores: v.pipe(
      v.array(
        v.object({
          definition_version: field.code('Version of the detection'),
          replaced_at: field.instant('When another score replaced it'),
          ...scoreFields,
        }),
      ),
      v.description(
        `What earlier versions of the detection found, or other names, the latest first, at most ${earlierMax}`,
      ),
    ),
  }),
  async run(ctx, input) {
    const run = await runOf(ctx, input)
    const [prompt, tracker, earlier] = await Promise.all([
      ctx.rows(VisibilityPrompt).get(run.prompt_id),
      ctx.rows(VisibilityTracker).get(run.tracker_id),
      earlierOf(ctx, run.id),
    ])
    return {
      question: prompt?.text ?? null,
      brand_name: tracker?.brand_name ?? null,
      run: visibleRow(VisibilityRun, run),
      earlier_scores: earlier.map((row) => ({
        definition_version: row.definition_version,
        replaced_at: row.replaced_at,
        ...storedScore(row),
      })),
    }
  },
})

const earlierOf = (ctx: ReadContext, run_id: string) =>
  ctx.rows(VisibilityScore).list({
    where: where.eq('run_id', run_id),
    sort: [{ field: 'replaced_at', direction: 'desc' }],
    limit: earlierMax,
  })

async function runOf(ctx: ReadContext, { run_id, prompt_id, engine, country }: Input): Promise<Run> {
  if ((run_id === undefined) === (prompt_id === undefined)) {
    throw wrong('/run_id', run_id === undefined ? 'required' : 'exclusive', 'send either run_id or prompt_id')
  }
  if (run_id !== undefined) {
    if (engine !== undefined || country !== undefined)
      throw wrong('/engine', 'exclusive', 'engine and country can be sent only with prompt_id')
    const run = await ctx.rows(VisibilityRun).get(run_id)
    if (run) return run
    throw new Refusal('not_found', 'There is no such run in this workspace.')
  }
  await trackedBy(ctx, { engine, country })
  const parts = Object.entries({ prompt_id, engine, country })
  const [latest] = await ctx.rows(VisibilityRun).list({
    where: where.and(
      where.in('status', answerStatuses),
      ...parts.flatMap(([name, value]) => (value === undefined ? [] : [where.eq(name, value)])),
    ),
    sort: [{ field: 'started_at', direction: 'desc' }],
    limit: 1,
  })
  if (latest) return latest
  throw new Refusal('not_found', 'There is no such answer in this workspace.')
}

const wrong = (pointer: string, code: string, message: string) =>
  new Refusal('invalid_field', message, { errors: [{ pointer, code, message }] })
