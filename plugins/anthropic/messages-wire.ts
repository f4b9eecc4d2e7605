import { type FaultKind, ServiceFault } from 'renown'
import {
  joined,
  oddIn,
  type Piece,
  type PieceSchema,
  pieceByType,
  sideField,
  sideList,
  usedCount,
  valueOr,
} from 'renown/visibility'
import * as v from 'valibot'

const line = v.string()
const count = usedCount

/** A page, cited or found. */
const page = (name: string) => ({
  url: sideField(`the url of ${name}`, line),
  // The documentation allows null.
  title: sideField(`the title of ${name}`, line, 'none'),
})

/** Each citation belongs to the whole text of its block. */
const citation = pieceByType({
  web_search_result_location: v.pipe(
    v.object(page('a citation')),
    v.transform(
      ({ url, title }): Piece => ({
        cited: [{ url: valueOr(url, ''), title: valueOr(title, null) }],
        odd: oddIn(url, title),
      }),
    ),
  ),
})
/** The documentation says that a text without citations has null. */
const text: PieceSchema = v.pipe(
  v.object({ text: v.string(), citations: sideList('citations', citation, 'none') }),
  v.transform(({ text, citations }): Piece => {
    const span = { start: 0, end: text.length }
    const { cited, odd } = joined(citations.items)
    return { text, cited: cited.map((source) => ({ ...source, span })), odd: [...citations.odd, ...odd] }
  }),
)

const toolUse: PieceSchema = v.pipe(
  v.object({
    name: sideField('the name of a tool', line),
    input: sideField('the input of a tool', v.object({ query: sideField('query', line) })),
  }),
  v.transform(({ name, input }): Piece => {
    if (name.is === 'value' && name.value !== 'web_search') return {}
    const query = input.is === 'value' ? input.value.query : input
    const asked = input.is === 'value' ? valueOr(input.value.query, '') : ''
    return { queries: asked === '' ? [] : [asked], odd: oddIn(name, query) }
  }),
)

const found = pieceByType({
  web_search_result: v.pipe(
    v.object(page('a result')),
    v.transform(({ url, title }): Piece => {
      const isNamed = url.is === 'value' || title.is === 'value'
      const source = { url: valueOr(url, ''), title: valueOr(title, null) }
      return { consulted: isNamed ? [source] : [], odd: oddIn(url, title) }
    }),
  ),
})
const searchError = v.object({ error_code: v.string() })

/** The results of a search, or the code of an error that comes with status 200. */
const toolResult: PieceSchema = v.pipe(
  v.object({ content: v.nullish(v.unknown(), null) }),
  v.transform(({ content }): Piece => {
    if (v.is(searchError, content)) return { failed: [content.error_code] }
    const { items, odd } = v.parse(sideList('the results of a search', found), content)
    const { consulted, odd: more } = joined(items)
    return { searches: 1, consulted, odd: [...odd, ...more] }
  }),
)

const usage = v.object({
  input_tokens: sideField('usage.input_tokens', count),
  output_tokens: sideField('usage.output_tokens', count),
  cache_creation_input_tokens: sideField('usage.cache_creation_input_tokens', count, 'none'),
  cache_read_input_tokens: sideField('usage.cache_read_input_tokens', count, 'none'),
  // Absent in an answer without tools.
  server_tool_use: sideField(
    'usage.server_tool_use',
    v.object({ web_search_requests: sideField('usage.server_tool_use.web_search_requests', count) }),
    'none',
  ),
})

/** An answer of the Messages API. `pause_turn` means that it must be continued. */
export const message = v.object({
  model: sideField('model', line),
  content: v.array(
    pieceByType({ text, server_tool_use: toolUse, web_search_tool_result: toolResult }, [
      'thinking',
      'redacted_thinking',
    ]),
  ),
  stop_reason: sideField('stop_reason', line),
  usage: sideField('usage', usage),
})

/** One turn of an answer. */
export type ReadMessage = v.InferOutput<typeof message>

/** What a turn used. Null where it is not known. */
export interface TurnUsage {
  readonly input: number | null
  readonly output: number | null
  readonly searches: number | null
  readonly odd: readonly string[]
}

/** Writing to the cache costs a quarter more than reading new tokens. */
const cacheWriteRate = 1.25

/** Returns what a turn used. `counted` are the searches among its parts. */
export function usageOf(
  { usage: told }: ReadMessage,
  { searches: counted, odd }: Required<Piece>,
): TurnUsage {
  // A part that could not be read may have been a search.
  const seen = odd.length > 0 ? null : counted
  if (told.is !== 'value') return { input: null, output: null, searches: seen, odd: oddIn(told) }
  const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = told.value
  const cached =
    valueOr(cache_creation_input_tokens, 0) * cacheWriteRate + valueOr(cache_read_input_tokens, 0)
  const isKnown = [input_tokens, cache_creation_input_tokens, cache_read_input_tokens].every(
    ({ is }) => is !== 'unknown',
  )
  const tools = told.value.server_tool_use
  const billed = tools.is === 'value' ? tools.value.web_search_requests : tools
  return {
    input: isKnown ? valueOr(input_tokens, 0) + cached : null,
    output: valueOr(output_tokens, null),
    searches:
      billed.is === 'value' ? Math.max(Number(billed.value), counted) : billed.is === 'none' ? seen : null,
    odd: oddIn(input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens, billed),
  }
}

const failure = v.object({
  type: v.literal('error'),
  error: v.object({ type: v.string(), message: v.string() }),
})
const kinds: Readonly<Record<string, FaultKind>> = {
  overloaded_error: 'transient',
  api_error: 'transient',
  timeout_error: 'transient',
  rate_limit_error: 'rate',
}

const withContent = v.object({ content: v.pipe(v.array(v.unknown()), v.minLength(1)) })

/** Returns the fault of an error that came with status 200. */
export function inBand(json: unknown): ServiceFault | null {
  const said = v.safeParse(failure, json)
  // An error beside a text does not make the text free.
  if (!said.success || v.is(withContent, json)) return null
  const { type, message } = said.output.error
  const words = `Anthropic failed: ${message}`.slice(0, 300)
  return new ServiceFault(kinds[type] ?? 'permanent', words, { code: type })
}

const searchKinds: Readonly<Record<string, FaultKind>> = {
  too_many_requests: 'rate',
  unavailable: 'transient',
}

/**
 * Returns a fault if searches failed and none succeeded, because the model then answers from memory, which answers
 * another question. A used-up number of searches is not a failure.
 */
export function searchFailure({ failed, searches }: Required<Piece>): ServiceFault | undefined {
  const [code] = failed.filter((one) => one !== 'max_uses_exceeded')
  if (code === undefined || searches > 0) return undefined
  const words = `Anthropic could not search the web: ${code}`.slice(0, 300)
  return new ServiceFault(searchKinds[code] ?? 'permanent', words, { code })
}
