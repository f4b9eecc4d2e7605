import type { OwnerContext } from 'renown'
import {
  askWire,
  billedPrice,
  costOf,
  type EngineService,
  joined,
  limitOf,
  listModels,
  type PriceTable,
  priceOf,
  type Usage,
  type VisibilityEngine,
} from 'renown/visibility'
import { conversation, modelOf, usageOf } from './conversation-wire'
import { mistralSettings } from './settings'

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

/** Most searches of an answer. The service accepts no limit, only a wish. */
const searchesLimit = 10
/** Most tokens of an answer, its thoughts included. Without a limit, nobody knows what an answer can cost. */
const outputMax = 16_384
/** Most tokens that a model reads in one step. Each search is a step, and reads what was found before again. */
const stepInputMax = 128_000

const mostOf = (searchesMax: number): Usage => {
  const searches = Math.max(searchesMax, searchesLimit)
  return { input: (searches + 1) * stepInputMax, output: outputMax, searches }
}

const priceIn = (ctx: Pick<OwnerContext, 'settings'>, model: string) =>
  priceOf(prices, model, mistralSettings.of(ctx).MISTRAL_PRICES)

/**
 * Mistral through its conversations API, with its web search. It accepts no location. A limit of searches can
 * only be stated in the instructions.
 */
export const mistral: VisibilityEngine = {
  name: 'mistral',
  engine: 'mistral',
  label: 'Mistral',
  provider: 'direct',
  access: 'api',
  modelSetting: 'MISTRAL_MODEL',
  place: 'none',
  needs: (ctx) => (mistralSettings.of(ctx).MISTRAL_API_KEY === '' ? ['MISTRAL_API_KEY'] : []),
  model: (ctx) => mistralSettings.of(ctx).MISTRAL_MODEL,
  searchesLimit,
  costLimit(ctx, { model = mistralSettings.of(ctx).MISTRAL_MODEL, searchesMax }) {
    return limitOf(model, priceIn(ctx, model), mostOf(searchesMax), 'MISTRAL_PRICES')
  },
  async ask(ctx, question) {
    const { prompt, searchesMax, model = mistralSettings.of(ctx).MISTRAL_MODEL } = question
    const json = {
      model,
      inputs: prompt,
      store: false,
      stream: false,
      tools: [{ type: 'web_search' }],
      instructions: `Search the web at most ${searchesMax} times.`,
      completion_args: { max_tokens: outputMax },
    }
    const asked = { path: '/conversations', json, answer: conversation }
    const { told, raw } = await askWire(ctx, serviceOf(ctx), asked, question)
    const found = joined(told.outputs)
    const { used, odd } = usageOf(told, found)
    const { text, cited, consulted, queries } = found
    const modelAnswered = modelOf(raw)
    const most = mostOf(searchesMax)
    const billed = billedPrice(prices, model, modelAnswered, mistralSettings.of(ctx).MISTRAL_PRICES)
    return {
      ended: 'complete',
      text,
      cited,
      consulted,
      queries,
      searchCalls: used.searches ?? most.searches,
      modelAsked: model,
      modelAnswered,
      placePinned: 'none',
      raw,
      cost: costOf(null, used, billed, most, text),
      odd: [...found.odd, ...odd, ...(modelAnswered === null ? ['model is missing'] : [])],
    }
  },
  models: (ctx, signal) => listModels(ctx, serviceOf(ctx), signal),
}
