import type { OwnerContext } from 'renown'
import {
  askWire,
  costOf,
  type EngineService,
  joined,
  listModels,
  type PriceTable,
  priceOf,
  type VisibilityEngine,
} from 'renown/visibility'
import { conversation, modelOf } from './conversation-wire'
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

/**
 * Mistral through its conversations API, with its web search. It accepts no location. A limit of searches can
 * only be stated in the instructions.
 */
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
    return {
      ...{ ended: 'complete', text, cited, consulted, queries, searchCalls: searches, modelAsked: model },
      ...{ modelAnswered: modelOf(raw), placePinned: 'none', raw },
      cost: costOf(null, used, set ?? priceOf(prices, model)),
    }
  },
  models: (ctx, signal) => listModels(ctx, serviceOf(ctx), signal),
}
