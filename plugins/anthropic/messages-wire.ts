import { type FaultKind, ServiceFault } from 'renown'
import { joined, type Piece, type PieceSchema, pieceByType } from 'renown/visibility'
import * as v from 'valibot'

const line = v.nullish(v.string())
const count = v.pipe(v.number(), v.minValue(0))

/** Each citation belongs to the whole text of its block. */
const citation = pieceByType({
  web_search_result_location: v.pipe(
    v.object({ url: v.string(), title: line }),
    v.transform((source): Piece => ({ cited: [source] })),
  ),
})
const text: PieceSchema = v.pipe(
  v.object({ text: v.string(), citations: v.nullish(v.array(citation), []) }),
  v.transform(({ text, citations }) => {
    const span = { start: 0, end: text.length }
    return { text, cited: joined(citations).cited.map((source) => ({ ...source, span })) }
  }),
)

const toolUse: PieceSchema = v.pipe(
  v.object({ name: v.string(), input: v.object({ query: line }) }),
  v.transform(({ name, input }) => (name === 'web_search' && input.query ? { queries: [input.query] } : {})),
)

/** The results of a search, or the code of an error that comes with status 200. */
const toolResult: PieceSchema = v.pipe(
  v.object({
    content: v.union([
      v.array(v.object({ type: v.literal('web_search_result'), url: v.string(), title: line })),
      v.object({ type: v.literal('web_search_tool_result_error'), error_code: v.string() }),
    ]),
  }),
  v.transform(({ content }) =>
    'error_code' in content
      ? { failed: [content.error_code] }
      : { searches: 1, consulted: content.map(({ url, title }) => ({ url, title })) },
  ),
)

/** An answer of the Messages API. `pause_turn` means that it must be continued. */
export const message = v.object({
  type: v.literal('message'),
  model: line,
  content: v.array(pieceByType({ text, server_tool_use: toolUse, web_search_tool_result: toolResult })),
  stop_reason: v.picklist([
    ...(['end_turn', 'stop_sequence', 'max_tokens', 'model_context_window_exceeded'] as const),
    ...(['pause_turn', 'refusal'] as const),
  ]),
  usage: v.object({
    ...{ input_tokens: count, output_tokens: count },
    server_tool_use: v.nullish(v.object({ web_search_requests: v.nullish(count) })),
  }),
})

const failure = v.object({
  type: v.literal('error'),
  error: v.object({ type: v.string(), message: v.string() }),
})
const kinds: Readonly<Record<string, FaultKind>> = {
  ...{ overloaded_error: 'transient', api_error: 'transient', timeout_error: 'transient' },
  rate_limit_error: 'rate',
}

/** Returns the fault of an error that came with status 200. */
export function inBand(json: unknown): ServiceFault | null {
  const said = v.safeParse(failure, json)
  if (!said.success) return null
  const { type, message } = said.output.error
  const words = `Anthropic failed: ${message}`.slice(0, 300)
  return new ServiceFault(kinds[type] ?? 'permanent', words, { code: type })
}

const searchKinds: Readonly<Record<string, FaultKind>> = {
  too_many_requests: 'rate',
  unavailable: 'transient',
}

/**
 * Throws if searches failed and none succeeded, because the model then answers from memory, which answers
 * another question. A used-up number of searches is not a failure.
 */
export function checkSearches({ failed, searches }: Required<Piece>): void {
  const [code] = failed.filter((one) => one !== 'max_uses_exceeded')
  if (code === undefined || searches > 0) return
  const words = `Anthropic could not search the web: ${code}`.slice(0, 300)
  throw new ServiceFault(searchKinds[code] ?? 'permanent', words, { code })
}
