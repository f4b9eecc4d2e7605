import { ServiceFault } from 'renown'
import * as v from 'valibot'
import type { WireSource } from './engine'
import { joined, type Piece, type PieceSchema, pieceByType, spanOf } from './pieces'
import { type Absent, oddIn, sideField, sideList, usedCount, valueOr } from './side-fields'

const count = usedCount
/** Amounts of money. A larger one is no price of an answer. */
const ticks = v.pipe(v.number(), v.minValue(0), v.maxValue(1e14))
const dollars = v.pipe(v.number(), v.minValue(0), v.maxValue(10_000))
const line = v.string()
const object = v.record(v.string(), v.unknown())

/** A field that a service leaves out when it has no value. */
const maybe = <S extends v.GenericSchema>(name: string, schema: S) => sideField(name, schema, 'none')

const citation: PieceSchema = v.pipe(
  v.object({
    url: sideField('the url of a citation', line),
    title: sideField('the title of a citation', line),
    start_index: sideField('start_index of a citation', count),
    end_index: sideField('end_index of a citation', count),
  }),
  v.transform(({ url, title, start_index, end_index }): Piece => {
    const span = spanOf(valueOr(start_index, null), valueOr(end_index, null))
    const source = { url: valueOr(url, ''), title: valueOr(title, null), ...span }
    return { cited: [source], odd: oddIn(url, title, start_index, end_index) }
  }),
)

/** Perplexity may leave out the type of an annotation. */
const annotation: PieceSchema = v.lazy((given) =>
  v.is(v.object({ type: v.string() }), given) ? pieceByType({ url_citation: citation }) : citation,
)

const outputText: PieceSchema = v.pipe(
  v.object({ text: v.string(), annotations: sideList('annotations', annotation) }),
  v.transform(({ text, annotations }) => {
    const { cited, odd } = joined(annotations.items)
    return { text, cited, odd: [...annotations.odd, ...odd] }
  }),
)
const refusal = v.object({ refusal: v.string() })

/** Commentary is text that a model writes while it works. People do not see it as part of the answer. */
const message: PieceSchema = v.pipe(
  v.object({
    content: v.array(pieceByType({ output_text: outputText, refusal })),
    phase: maybe('phase', line),
  }),
  v.transform(({ content, phase }) => (valueOr(phase, '') === 'commentary' ? {} : joined(content))),
)

const pageOf = (url: string | null): WireSource[] => (url ? [{ url }] : [])

/** A page that was found. */
const page = (name: string, title: Absent): PieceSchema =>
  v.pipe(
    v.object({
      url: sideField(`the url of ${name}`, line),
      title: sideField(`the title of ${name}`, line, title),
    }),
    v.transform(({ url, title }): Piece => {
      const found = url.is === 'value' || title.is === 'value'
      const source = { url: valueOr(url, ''), title: valueOr(title, null) }
      return { consulted: found ? [source] : [], odd: oddIn(url, title) }
    }),
  )

/** Sources of a search. Data feeds are sources without an address. */
const searchSource = pieceByType({ url: page('a source', 'none') }, ['api'])

const action = v.object({
  type: sideField('the type of an action', line),
  query: maybe('query', line),
  queries: sideList('queries', line, 'none'),
  url: maybe('the url of an action', line),
  sources: sideList('sources', searchSource, 'none'),
})

/** A search, or opening a page. Only searches are billed, and a call that does not say what it did counts as a search. */
const searchCall: PieceSchema = v.pipe(
  v.object({ action: sideField('the action of a search', action) }),
  v.transform(({ action: told }): Piece => {
    if (told.is !== 'value') return { searches: 1, odd: oddIn(told) }
    const { type, query, queries, url, sources } = told.value
    const one = valueOr(query, '')
    const asked = queries.items.length > 0 ? queries.items : one === '' ? [] : [one]
    const found = joined(sources.items)
    const isSearch = valueOr(type, 'search') === 'search'
    // A search always says what it searched for and what it found. Opening a page has neither.
    const silent = isSearch && asked.length === 0 ? ['queries of a search are missing'] : []
    const blind = isSearch && found.consulted.length === 0 ? ['sources of a search are missing'] : []
    return {
      queries: asked,
      consulted: [...found.consulted, ...pageOf(valueOr(url, null))],
      searches: isSearch ? 1 : 0,
      odd: [...oddIn(type, query, url), ...queries.odd, ...sources.odd, ...found.odd, ...silent, ...blind],
    }
  }),
)

/** A search in Perplexity's form. */
const searchResults: PieceSchema = v.pipe(
  v.object({ queries: sideList('queries', line), results: sideList('results', page('a result', 'unknown')) }),
  v.transform(({ queries, results }): Piece => {
    const { consulted, odd } = joined(results.items)
    return { queries: queries.items, consulted, searches: 1, odd: [...queries.odd, ...results.odd, ...odd] }
  }),
)
const fetched: PieceSchema = v.pipe(
  v.object({ contents: sideList('contents', page('a fetched page', 'unknown')) }),
  v.transform(({ contents }): Piece => {
    const { consulted, odd } = joined(contents.items)
    return { consulted, odd: [...contents.odd, ...odd] }
  }),
)

/** Parts that say nothing about the answer: thoughts, and tools that were not asked for. */
const ignored = ['reasoning', 'compaction']

/** What differs between the services about the fields of usage: what a missing one means. */
export interface UsageFields {
  /** Whether the service reports the cost in ticks (xAI) or as an object (Perplexity). */
  readonly reports: 'nothing' | 'ticks' | 'cost'
}

const toolCounts = v.record(v.string(), v.object({ invocation: maybe('invocation', count) }))

/** Creates the schema of a finished answer of the Responses API. */
export const responseOf = ({ reports }: UsageFields) => {
  const absent = (own: UsageFields['reports']): Absent => (reports === own ? 'unknown' : 'none')
  const usage = v.object({
    input_tokens: sideField('usage.input_tokens', count),
    output_tokens: sideField('usage.output_tokens', count),
    total_tokens: maybe('usage.total_tokens', count),
    cost_in_usd_ticks: sideField('usage.cost_in_usd_ticks', ticks, absent('ticks')),
    cost: sideField('usage.cost', v.object({ total_cost: dollars }), absent('cost')),
    tool_calls_details: sideField('usage.tool_calls_details', toolCounts, absent('cost')),
    server_side_tool_usage_details: maybe(
      'usage.server_side_tool_usage_details',
      v.record(v.string(), v.nullish(count, 0)),
    ),
    num_server_side_tools_used: maybe('usage.num_server_side_tools_used', count),
  })
  return v.object({
    status: sideField('status', line),
    model: sideField('model', line),
    output: v.array(
      pieceByType(
        {
          message,
          search_results: searchResults,
          fetch_url_results: fetched,
          web_search_call: searchCall,
        },
        ignored,
      ),
    ),
    // Null in a sound answer. The text that came before an error is paid.
    error: maybe('error', v.object({ message: line })),
    incomplete_details: maybe('incomplete_details', v.object({ reason: maybe('reason', line) })),
    usage: sideField('usage', usage),
    // OpenAI bills the searches that it counts here.
    tool_usage: maybe('tool_usage', object),
  })
}

const billed = v.object({ web_search: v.object({ num_requests: count }) })

/** Returns the searches that OpenAI bills for an answer. Null if it does not say. */
export function billedSearches(toolUsage: unknown): number | null {
  const read = v.safeParse(billed, toolUsage)
  return read.success ? read.output.web_search.num_requests : null
}

/** A finished answer of the Responses API. */
export type ReadResponse = v.InferOutput<ReturnType<typeof responseOf>>

const failure = v.object({
  error: v.object({ message: v.string(), code: v.nullish(v.union([v.string(), v.number()])) }),
})
const passing: Readonly<Record<string, 'rate' | 'transient'>> = {
  server_error: 'transient',
  rate_limit_exceeded: 'rate',
}

const answered = v.object({ output: v.array(v.unknown()) })

/** Returns the fault of an answer that reports its error with status 200. One with a text is read, because the text is paid. */
export function inBand(service: string, json: unknown): ServiceFault | null {
  const said = v.safeParse(failure, json)
  if (!said.success) return null
  const shown = v.safeParse(responseOf({ reports: 'nothing' }), json)
  if (v.is(answered, json) && shown.success && joined(shown.output.output).text !== '') return null
  const { message, code } = said.output.error
  const kind = passing[String(code)] ?? 'permanent'
  return new ServiceFault(kind, `${service} failed: ${message}`.slice(0, 300), {
    code: String(code ?? 'failed'),
  })
}
