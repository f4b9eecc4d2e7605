import {
  byteIndexes,
  joined,
  oddIn,
  type Piece,
  type PieceSchema,
  pieceByType,
  type SaidUsage,
  sideField,
  sideList,
  spanOf,
  usedCount,
  valueOr,
} from 'renown/visibility'
import * as v from 'valibot'

const line = v.string()
const count = usedCount

const citation: PieceSchema = v.pipe(
  v.object({
    url: sideField('the url of a citation', line),
    title: sideField('the title of a citation', line),
    // The start of the text is left out.
    start_index: sideField('start_index of a citation', count),
    end_index: sideField('end_index of a citation', count),
  }),
  v.transform(({ url, title, start_index, end_index }): Piece => {
    const span = spanOf(valueOr(start_index, 0), valueOr(end_index, null))
    const isNamed = url.is === 'value' || title.is === 'value'
    const source = { url: valueOr(url, ''), title: valueOr(title, null), ...span }
    return { cited: isNamed ? [source] : [], odd: oddIn(url, title, start_index, end_index) }
  }),
)

/** A text whose citations count bytes of UTF-8. A text without citations has no list of them. */
const text: PieceSchema = v.pipe(
  v.object({
    text: v.string(),
    annotations: sideList('annotations', pieceByType({ url_citation: citation }), 'none'),
  }),
  v.transform(({ text, annotations }): Piece => {
    const at = byteIndexes(text)
    const { cited, odd } = joined(annotations.items)
    const inText = cited.map(({ span, ...source }) =>
      span ? { ...source, span: { start: at(span.start), end: at(span.end) } } : source,
    )
    return { text, cited: inText, odd: [...annotations.odd, ...odd] }
  }),
)

const searchCall: PieceSchema = v.pipe(
  v.object({
    arguments: sideField('the arguments of a search', v.object({ queries: sideList('queries', line) })),
  }),
  v.transform(({ arguments: given }): Piece => {
    if (given.is !== 'value') return { searches: 1, odd: oddIn(given) }
    const { items, odd } = given.value.queries
    return { queries: items, searches: Math.max(1, items.length), odd }
  }),
)

const searchResult: PieceSchema = v.pipe(
  v.object({ is_error: sideField('is_error', v.boolean(), 'none') }),
  v.transform(
    ({ is_error }): Piece => ({
      failed: valueOr(is_error, false) ? ['search_failed'] : [],
      odd: oddIn(is_error),
    }),
  ),
)

const output: PieceSchema = v.pipe(
  v.object({ content: sideList('the content of an output', pieceByType({ text })) }),
  v.transform(({ content }): Piece => {
    const found = joined(content.items)
    return { ...found, odd: [...content.odd, ...found.odd] }
  }),
)

const toolCount = v.object({ type: v.string(), count: v.nullish(count, 0) })
const usage = v.object({
  total_input_tokens: sideField('usage.total_input_tokens', count),
  total_output_tokens: sideField('usage.total_output_tokens', count),
  // Left out by models without thoughts, and without tools.
  total_thought_tokens: sideField('usage.total_thought_tokens', count, 'none'),
  total_tool_use_tokens: sideField('usage.total_tool_use_tokens', count, 'none'),
  total_tokens: sideField('usage.total_tokens', count),
  grounding_tool_count: sideField('usage.grounding_tool_count', v.array(toolCount), 'none'),
})

/** The JSON of an answer of the Interactions API. */
export const interaction = v.object({
  status: sideField('status', line),
  model: sideField('model', line),
  steps: v.array(
    pieceByType(
      { model_output: output, google_search_call: searchCall, google_search_result: searchResult },
      ['thought', 'user_input'],
    ),
  ),
  usage: sideField('usage', usage),
})
type Told = v.InferOutput<typeof interaction>

/** What an answer used, and what is odd about it. */
export interface GeminiUsage {
  readonly used: SaidUsage
  readonly odd: readonly string[]
}

/** Parts of the tokens of an answer. Null where the answer does not say. */
export interface TokenParts {
  /** The question and what tools added. */
  readonly input: number | null
  /** The answer and its thoughts. */
  readonly output: number | null
  readonly total: number | null
}

/**
 * Fills in tokens from their sum. A part that is left out counts with the answer's own tokens, which are the dearer ones.
 */
export function filledTokens({ input, output, total }: TokenParts): {
  input: number | null
  output: number | null
} {
  if (total === null) return { input, output }
  if (input === null) return { input: output === null ? null : Math.max(0, total - output), output }
  return { input, output: Math.max(output ?? 0, total - input) }
}

/** Returns what an answer used. `found` are its parts. */
export function usageOf({ usage: told }: Told, { searches: counted, odd }: Required<Piece>): GeminiUsage {
  // A part that could not be read may have been a search.
  const seen = odd.length > 0 ? null : counted
  if (told.is !== 'value') return { used: { input: null, output: null, searches: seen }, odd: oddIn(told) }
  const said = told.value
  const tools = said.grounding_tool_count
  const billed = tools.is === 'value' ? searchesIn(tools.value) : null
  const [input, output, total] = [said.total_input_tokens, said.total_output_tokens, said.total_tokens].map(
    (one) => valueOr(one, null),
  ) as [number | null, number | null, number | null]
  const tool = valueOr(said.total_tool_use_tokens, total === null ? null : 0)
  const thought = valueOr(said.total_thought_tokens, total === null ? null : 0)
  const parts = {
    input: input === null || tool === null ? null : input + tool,
    output: output === null || thought === null ? null : output + thought,
    total,
  }
  return {
    used: {
      ...filledTokens(parts),
      searches: tools.is === 'unknown' ? null : billed === null ? seen : Math.max(billed, counted),
    },
    odd: oddIn(
      said.total_input_tokens,
      said.total_output_tokens,
      said.total_thought_tokens,
      said.total_tool_use_tokens,
      said.total_tokens,
      tools,
    ),
  }
}

/** The documentation of the API bills the searches that it counts here. */
const searchesIn = (counts: readonly v.InferOutput<typeof toolCount>[]): number =>
  counts.filter(({ type }) => type === 'google_search').reduce((sum, one) => sum + one.count, 0)
