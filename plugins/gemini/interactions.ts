import { ServiceFault } from 'renown'
import {
  askWire,
  byteIndexes,
  joined,
  type PieceSchema,
  pieceByType,
  spanOf,
  type VisibilityEngine,
} from 'renown/visibility'
import * as v from 'valibot'
import { resolveRedirects } from './redirects'
import { base, geminiCost, serviceOf } from './service'

const line = v.nullish(v.string())
const count = v.pipe(v.number(), v.minValue(0))

const citation: PieceSchema = v.pipe(
  v.object({ url: line, title: line, start_index: v.nullish(count), end_index: v.nullish(count) }),
  v.transform(({ url, title, start_index, end_index }) => ({
    cited: [{ url: url ?? '', title, ...spanOf(start_index, end_index) }],
  })),
)

/** A text whose citations count bytes of UTF-8. */
const text: PieceSchema = v.pipe(
  v.object({
    text: v.string(),
    annotations: v.nullish(v.array(pieceByType({ url_citation: citation })), []),
  }),
  v.transform(({ text, annotations }) => {
    const at = byteIndexes(text)
    const cited = joined(annotations).cited.map(({ span, ...source }) =>
      span ? { ...source, span: { start: at(span.start), end: at(span.end) } } : source,
    )
    return { text, cited }
  }),
)

const queries = v.object({ queries: v.nullish(v.array(v.string()), []) })
const interaction = v.object({
  status: v.picklist(['completed', 'incomplete', 'budget_exceeded']),
  model: line,
  steps: v.array(
    pieceByType({
      google_search_call: v.pipe(
        v.object({ arguments: queries }),
        v.transform(({ arguments: { queries } }) => ({ queries, searches: queries.length })),
      ),
      google_search_result: v.pipe(
        v.object({ is_error: v.nullish(v.boolean()) }),
        v.transform(({ is_error }) => (is_error ? { failed: ['search_failed'] } : {})),
      ),
      model_output: v.pipe(
        v.object({ content: v.nullish(v.array(pieceByType({ text })), []) }),
        v.transform(({ content }) => joined(content)),
      ),
    }),
  ),
  usage: v.nullish(
    v.object({
      ...{ total_input_tokens: v.nullish(count, 0), total_output_tokens: v.nullish(count, 0) },
      ...{ total_thought_tokens: v.nullish(count, 0), total_tool_use_tokens: v.nullish(count, 0) },
    }),
  ),
})

/** Gemini through Google's Interactions API, with Google Search. It accepts no location. */
export const gemini: VisibilityEngine = {
  ...{ ...base, name: 'gemini', place: 'none' },
  async ask(ctx, question) {
    const model = question.model ?? base.model(ctx)
    const json = { model, input: question.prompt, store: false, tools: [{ type: 'google_search' }] }
    const asked = { path: '/interactions', json, answer: interaction }
    const { told, raw } = await askWire(ctx, serviceOf(ctx), asked, question)
    const { text, cited, queries, searches, failed } = joined(told.steps)
    if (failed.length > 0 && cited.length === 0)
      throw new ServiceFault('transient', 'Google could not search the web.', { code: 'search_failed' })
    const { usage } = told
    const used = usage && {
      ...{ input: usage.total_input_tokens + usage.total_tool_use_tokens, searches },
      output: usage.total_output_tokens + usage.total_thought_tokens,
    }
    return {
      ended: told.status === 'completed' ? 'complete' : 'truncated',
      ...{ text, queries, consulted: [], searchCalls: searches, placePinned: 'none', raw },
      cited: await resolveRedirects(ctx.outbound, cited, question.signal),
      ...{ modelAsked: model, modelAnswered: told.model ?? null },
      cost: geminiCost(ctx, model, used ?? null),
    }
  },
}
