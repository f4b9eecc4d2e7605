import { jsonBounds, parseForeignJson } from 'renown/sources'
import {
  joined,
  oddIn,
  type Piece,
  type PieceSchema,
  pieceByType,
  sideField,
  usedCount,
  valueOr,
} from 'renown/visibility'
import * as v from 'valibot'

const line = v.string()
const count = usedCount

/** A source. It follows the text that it belongs to. */
const reference: PieceSchema = v.pipe(
  v.object({
    title: sideField('the title of a reference', line),
    // The documentation allows a reference without an address.
    url: sideField('the url of a reference', line, 'none'),
  }),
  v.transform(({ title, url }): Piece => {
    const isNamed = title.is === 'value' || url.is === 'value'
    const source = { url: valueOr(url, ''), title: valueOr(title, null) }
    return { cited: isNamed ? [source] : [], odd: oddIn(title, url) }
  }),
)
const chunk = pieceByType({ text: v.object({ text: v.string() }), tool_reference: reference }, ['thinking'])
const entry: PieceSchema = v.pipe(
  v.object({ content: v.union([v.string(), v.pipe(v.array(v.unknown()), v.array(chunk))]) }),
  v.transform(({ content }) => (typeof content === 'string' ? { text: content } : joined(content))),
)

/** A search. Its arguments are JSON in a text. */
const execution: PieceSchema = v.pipe(
  v.object({
    name: sideField('the name of a tool', line),
    arguments: sideField('the arguments of a tool', line),
  }),
  v.transform(({ name, arguments: given }): Piece => {
    // A tool without a name may be a search.
    if (!valueOr(name, 'web_search').startsWith('web_search')) return {}
    const queries = queriesOf(valueOr(given, ''))
    const silent = queries.length === 0 && given.is === 'value' ? ['the query of a search is missing'] : []
    return { searches: 1, queries, odd: [...oddIn(name, given), ...silent] }
  }),
)
const withQuery = v.object({ query: v.string() })
function queriesOf(given: string): string[] {
  try {
    const read = v.safeParse(withQuery, parseForeignJson(given, jsonBounds))
    return read.success ? [read.output.query] : []
  } catch {
    return []
  }
}

const usage = v.object({
  prompt_tokens: sideField('usage.prompt_tokens', count),
  completion_tokens: sideField('usage.completion_tokens', count),
  total_tokens: sideField('usage.total_tokens', count),
  // Absent and null in an answer without tools.
  connector_tokens: sideField('usage.connector_tokens', count, 'none'),
  connectors: sideField('usage.connectors', v.record(v.string(), count), 'none'),
})

/** The JSON of an answer. */
export const conversation = v.object({
  outputs: v.array(pieceByType({ 'message.output': entry, 'tool.execution': execution })),
  usage: sideField('usage', usage),
})
type Told = v.InferOutput<typeof conversation>

/** Returns what an answer used. `counted` are the searches among its parts. */
export function usageOf({ usage: told }: Told, { searches: counted, odd }: Required<Piece>) {
  // A part that could not be read may have been a search.
  const seen = odd.length > 0 ? null : counted
  if (told.is !== 'value') return { used: { input: null, output: null, searches: seen }, odd: oddIn(told) }
  const { prompt_tokens, completion_tokens, total_tokens, connector_tokens, connectors } = told.value
  const [prompt, output, total] = [prompt_tokens, completion_tokens, total_tokens].map((one) =>
    valueOr(one, null),
  ) as [number | null, number | null, number | null]
  const tools = valueOr(connector_tokens, 0)
  // The sum counts each token once, also those that another field leaves out.
  const read = total === null || output === null ? null : Math.max(0, total - output)
  const input =
    prompt === null || connector_tokens.is === 'unknown' ? read : Math.max(prompt + tools, read ?? 0)
  // Each name is a tool that is billed, such as `web_search_premium`.
  const named = Object.values(valueOr(connectors, {})).reduce((sum, one) => sum + one, 0)
  const isLost = connectors.is === 'unknown' || (connectors.is === 'none' && seen === null)
  return {
    used: {
      input: total === null && connector_tokens.is !== 'value' ? null : input,
      output: output ?? (total === null || prompt === null ? null : Math.max(0, total - prompt)),
      searches: isLost ? null : Math.max(named, counted),
    },
    odd: oddIn(prompt_tokens, completion_tokens, total_tokens, connector_tokens, connectors),
  }
}

const named = v.object({ type: v.literal('message.output'), model: v.string() })
const modelIn = v.object({ outputs: v.array(v.unknown()) })

/** Returns the model that answered, or null if the answer does not name it. */
export function modelOf(raw: unknown): string | null {
  const answering = v.parse(modelIn, raw).outputs.find((one) => v.is(named, one))
  return v.is(named, answering) ? answering.model : null
}
