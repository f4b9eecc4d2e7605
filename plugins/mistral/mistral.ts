import { type OwnerContext, parseJson } from 'renown'
import {
  askWire,
  costOf,
  type EngineService,
  joined,
  listModels,
  type PieceSchema,
  type PriceTable,
  pieceByType,
  priceOf,
  type VisibilityEngine,
} from 'renown/visibility'
import * as v from 'valibot'
import { mistralSettings } from './settings'

const line = v.nullish(v.string())
const count = v.pipe(v.number(), v.minValue(0))

/** A source. It stands behind the text that it belongs to. */
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
    const read = v.safeParse(withQuery, parseJson(given))
    return read.success ? [read.output.query] : []
  } catch {
    return []
  }
}

const named = v.object({ type: v.literal('message.output'), model: v.string() })
const conversation = v.object({
  outputs: v.array(pieceByType({ 'message.output': entry, 'tool.execution': execution })),
  usage: v.object({
    ...{ prompt_tokens: count, completion_tokens: count, connector_tokens: v.nullish(count) },
    connectors: v.nullish(v.record(v.string(), count)),
  }),
})
const modelIn = v.object({ outputs: v.array(v.unknown()) })

const prices: PriceTable = {
  'mistral-small': { input: 0.1, output: 0.3, search: 30 },
  'mistral-medium': { input: 0.4, output: 2, search: 30 },
  'mistral-large': { input: 0.5, output: 1.5, search: 30 },
}

function serviceOf(ctx: Pick<OwnerContext, 'settings'>): EngineService {
  const { MISTRAL_URL: url, MISTRAL_API_KEY: key } = mistralSettings.of(ctx)
  return {
    label: 'Mistral',
    url,
    key,
    keyName: 'MISTRAL_API_KEY',
    headers: { authorization: `Bearer ${key}` },
  }
}

/** Mistral through its conversations, with its web search. It takes no place, and no number of searches but in words. */
export const mistral: VisibilityEngine = {
  ...{ name: 'mistral', engine: 'mistral', label: 'Mistral', provider: 'direct', access: 'api' },
  modelSetting: 'MISTRAL_MODEL',
  place: 'none',
  needs: (ctx) => (mistralSettings.of(ctx).MISTRAL_API_KEY === '' ? ['MISTRAL_API_KEY'] : []),
  model: (ctx) => mistralSettings.of(ctx).MISTRAL_MODEL,
  async ask(ctx, question) {
    const { MISTRAL_MODEL: usual, MISTRAL_PRICES: set } = mistralSettings.of(ctx)
    const { prompt, searchesMax, model = usual } = question
    const json = {
      ...{ model, inputs: prompt, store: false, stream: false, tools: [{ type: 'web_search' }] },
      instructions: `Search the web at most ${searchesMax} times.`,
    }
    const asked = { path: '/conversations', json, answer: conversation }
    const { told, raw } = await askWire(ctx, serviceOf(ctx), asked, question)
    const { text, cited, consulted, queries, searches: counted } = joined(told.outputs)
    const { prompt_tokens, completion_tokens, connector_tokens, connectors } = told.usage
    const searches = connectors?.web_search ?? counted
    const used = { input: prompt_tokens + (connector_tokens ?? 0), output: completion_tokens, searches }
    const answering = v.parse(modelIn, raw).outputs.find((one) => v.is(named, one))
    return {
      ...{ ended: 'complete', text, cited, consulted, queries, searchCalls: searches, modelAsked: model },
      ...{ modelAnswered: v.is(named, answering) ? answering.model : null, placePinned: 'none', raw },
      cost: costOf(null, used, set ?? priceOf(prices, model)),
    }
  },
  models: (ctx, signal) => listModels(ctx, serviceOf(ctx), signal),
}
