import { ServiceFault } from 'renown'
import * as v from 'valibot'
import type { WireSource } from './engine'
import { joined, type PieceSchema, pieceByType, spanOf } from './pieces'

const count = v.pipe(v.number(), v.minValue(0))
const texts = v.nullish(v.array(v.string()), [])
const line = v.nullish(v.string())

const citation: PieceSchema = v.pipe(
  v.object({ url: v.string(), title: line, start_index: v.nullish(count), end_index: v.nullish(count) }),
  v.transform(({ url, title, start_index, end_index }) => ({
    cited: [{ url, title, ...spanOf(start_index, end_index) }],
  })),
)

/** Perplexity may leave out the type of an annotation. */
const annotation: PieceSchema = v.lazy((given) =>
  v.is(v.object({ type: v.string() }), given) ? pieceByType({ url_citation: citation }) : citation,
)

const outputText: PieceSchema = v.pipe(
  v.object({ text: v.string(), annotations: v.nullish(v.array(annotation), []) }),
  v.transform(({ text, annotations }) => ({ text, cited: joined(annotations).cited })),
)
const refusal = v.object({ refusal: v.string() })

/** Commentary is text that a model writes while it works. People do not see it as part of the answer. */
const message: PieceSchema = v.pipe(
  v.object({
    content: v.array(pieceByType({ output_text: outputText, refusal })),
    phase: v.nullish(v.string()),
  }),
  v.transform(({ content, phase }) => (phase === 'commentary' ? {} : joined(content))),
)

const pageOf = (url: string | null | undefined): WireSource[] => (url ? [{ url }] : [])

/** Sources of a search. Data feeds are sources without an address. */
const searchSource = pieceByType({
  url: v.pipe(
    v.object({ url: v.string(), title: line }),
    v.transform((source) => ({ consulted: [source] })),
  ),
})

/** A search, or opening a page. Only searches are billed. */
const searchCall: PieceSchema = v.pipe(
  v.object({
    action: v.nullish(
      v.object({
        ...{ type: line, query: line, queries: texts, url: line },
        sources: v.nullish(v.array(searchSource), []),
      }),
    ),
  }),
  v.transform(({ action }) => {
    if (!action) return { searches: 1 }
    const queries = action.queries.length > 0 ? action.queries : action.query ? [action.query] : []
    const consulted = [...joined(action.sources).consulted, ...pageOf(action.url)]
    return { queries, consulted, searches: (action.type ?? 'search') === 'search' ? 1 : 0 }
  }),
)

/** A search in Perplexity's form. */
const searchResults: PieceSchema = v.pipe(
  v.object({ queries: texts, results: v.array(v.object({ url: v.string(), title: line })) }),
  v.transform(({ queries, results }) => ({ queries, consulted: results, searches: 1 })),
)
const fetched: PieceSchema = v.pipe(
  v.object({ contents: v.nullish(v.array(v.object({ url: v.string(), title: line })), []) }),
  v.transform(({ contents }) => ({ consulted: contents })),
)

const usage = v.object({
  ...{ input_tokens: count, output_tokens: count, cost_in_usd_ticks: v.nullish(count) },
  cost: v.nullish(v.object({ total_cost: count })),
  tool_calls_details: v.nullish(v.record(v.string(), v.object({ invocation: v.nullish(count) }))),
})

/** A finished answer of the Responses API. */
export const response = v.object({
  status: v.picklist(['completed', 'incomplete']),
  model: line,
  output: v.array(
    pieceByType({
      ...{ message, web_search_call: searchCall, search_results: searchResults },
      fetch_url_results: fetched,
    }),
  ),
  incomplete_details: v.nullish(v.object({ reason: line })),
  usage: v.nullish(usage),
})

const failure = v.object({
  error: v.object({ message: v.string(), code: v.nullish(v.union([v.string(), v.number()])) }),
})
const passing: Readonly<Record<string, 'rate' | 'transient'>> = {
  ...{ server_error: 'transient', rate_limit_exceeded: 'rate' },
}

/** Returns the fault of an answer that reports its error with status 200. */
export function inBand(service: string, json: unknown): ServiceFault | null {
  const said = v.safeParse(failure, json)
  if (!said.success) return null
  const { message, code } = said.output.error
  const kind = passing[String(code)] ?? 'permanent'
  return new ServiceFault(kind, `${service} failed: ${message}`.slice(0, 300), {
    code: String(code ?? 'failed'),
  })
}
