import type { OwnerContext } from 'renown'
import {
  askWire,
  costOf,
  type EngineService,
  joined,
  listModels,
  type PriceTable,
  priceOf,
  type ReplyEnd,
  type VisibilityEngine,
} from 'renown/visibility'
import { checkSearches, inBand, message } from './messages-wire'
import { anthropicSettings } from './settings'

/** Maximum times that a paused answer of Claude is continued. */
const turnsMax = 4
const tokensMax = 4_096

const prices: PriceTable = {
  'claude-haiku-5-5': { input: 0.1, output: 0.5, search: 10 },
  'claude-sonnet-5-5': { input: 2, output: 10, search: 10 },
  'claude-opus-5-5': { input: 4, output: 20, search: 10 },
}

function serviceOf(ctx: Pick<OwnerContext, 'settings'>): EngineService {
  const { ANTHROPIC_URL: url, ANTHROPIC_API_KEY: key } = anthropicSettings.of(ctx)
  const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  return { label: 'Anthropic', url, key, keyName: 'ANTHROPIC_API_KEY', headers, inBand }
}

/** Returns the options of the search. Without `full`, answers omit sources that were only found. */
const searchTool = (country: string | null, max_uses: number) => ({
  ...{ type: 'web_search_20260318', name: 'web_search', max_uses },
  ...{ allowed_callers: ['direct'], response_inclusion: 'full' },
  ...(country === null ? {} : { user_location: { type: 'approximate', country } }),
})

const ends: Readonly<Record<string, ReplyEnd>> = {
  ...{ end_turn: 'complete', stop_sequence: 'complete', refusal: 'refusal' },
}

/** Claude through Anthropic's API, with its web search. */
export const claude: VisibilityEngine = {
  ...{ name: 'anthropic', engine: 'claude', label: 'Claude', provider: 'direct', access: 'api' },
  modelSetting: 'ANTHROPIC_MODEL',
  place: 'country',
  needs: (ctx) => (anthropicSettings.of(ctx).ANTHROPIC_API_KEY === '' ? ['ANTHROPIC_API_KEY'] : []),
  model: (ctx) => anthropicSettings.of(ctx).ANTHROPIC_MODEL,
  async ask(ctx, question) {
    const { ANTHROPIC_MODEL: usual, ANTHROPIC_PRICES: set } = anthropicSettings.of(ctx)
    const { prompt, country, searchesMax, model = usual } = question
    const messages: object[] = [{ role: 'user', content: prompt }]
    const [raws, pieces]: [unknown[], ReturnType<typeof joined>[]] = [[], []]
    const used = { input: 0, output: 0, searches: 0 }
    for (let turn = 1; ; turn++) {
      const tools = [searchTool(country, searchesMax - used.searches)]
      const asked = { path: '/messages', json: { model, max_tokens: tokensMax, messages, tools } }
      const { told, raw } = await askWire(ctx, serviceOf(ctx), { ...asked, answer: message }, question)
      raws.push(raw)
      pieces.push(joined(told.content))
      used.input += told.usage.input_tokens
      used.output += told.usage.output_tokens
      used.searches += told.usage.server_tool_use?.web_search_requests ?? joined(told.content).searches
      const mayGoOn = turn < turnsMax && used.searches < searchesMax
      if (told.stop_reason === 'pause_turn' && mayGoOn) {
        messages.push({ role: 'assistant', content: (raw as { readonly content: unknown }).content })
        continue
      }
      const found = joined(pieces)
      checkSearches(found)
      return {
        ended: ends[told.stop_reason] ?? 'truncated',
        ...{ text: found.text, cited: found.cited, consulted: found.consulted, queries: found.queries },
        ...{ searchCalls: used.searches, modelAsked: model, modelAnswered: told.model ?? null },
        placePinned: country === null ? 'none' : 'country',
        cost: costOf(null, used, set ?? priceOf(prices, model)),
        raw: raws.length === 1 ? raw : raws,
      }
    }
  },
  models: (ctx, signal) => listModels(ctx, serviceOf(ctx), signal, '/models?limit=1000'),
}
