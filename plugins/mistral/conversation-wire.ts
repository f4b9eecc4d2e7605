import { jsonBounds, parseForeignJson } from 'renown'
import { joined, type PieceSchema, pieceByType } from 'renown/visibility'
import * as v from 'valibot'

const line = v.nullish(v.string())
const count = v.pipe(v.number(), v.minValue(0))

/** A source. It follows the text that it belongs to. */
const reference: PieceSchema = v.pipe(
  v.object({ title: line, url: line }),
  v.transform(({ title, url }) => ({ cited: [{ url: url ?? '', title }] })),
)
const chunk = pieceByType({ text: v.object({ text: v.string() }), tool_reference: reference })
const entry: PieceSchema = v.pipe(
  v.object({ content: v.union([v.string(), v.array(chunk)]) }),
  v.transform(({ content }) => (typeof content === 'string' ? { text: content } : joined(content))),
)

/** A search. Its arguments are JSON in a text. */
const execution: PieceSchema = v.pipe(
  v.object({ name: v.string(), arguments: v.string() }),
  v.transform(({ name, arguments: given }) =>
    name.startsWith('web_search') ? { searches: 1, queries: queriesOf(given) } : {},
  ),
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

/** The JSON of an answer. */
export const conversation = v.object({
  outputs: v.array(pieceByType({ 'message.output': entry, 'tool.execution': execution })),
  usage: v.object({
    ...{ prompt_tokens: count, completion_tokens: count, connector_tokens: v.nullish(count) },
    connectors: v.nullish(v.record(v.string(), count)),
  }),
})
const named = v.object({ type: v.literal('message.output'), model: v.string() })
const modelIn = v.object({ outputs: v.array(v.unknown()) })

/** Returns the model that answered, or null if the answer does not name it. */
export function modelOf(raw: unknown): string | null {
  const answering = v.parse(modelIn, raw).outputs.find((one) => v.is(named, one))
  return v.is(named, answering) ? answering.model : null
}
