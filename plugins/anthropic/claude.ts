import { isServiceFault, type OwnerContext } from 'renown'
import {
  askWire,
  billedPrice,
  costOf,
  type EngineContext,
  type EngineQuestion,
  type EngineService,
  joined,
  limitOf,
  listModels,
  oddIn,
  type Piece,
  type PriceTable,
  priceOf,
  type ReplyEnd,
  type Usage,
  type VisibilityEngine,
  valueOr,
} from 'renown/visibility'
import { inBand, message, type ReadMessage, searchFailure, type TurnUsage, usageOf } from './messages-wire'
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
  type: 'web_search_20260318',
  name: 'web_search',
  max_uses,
  allowed_callers: ['direct'],
  response_inclusion: 'full',
  ...(country === null ? {} : { user_location: { type: 'approximate', country } }),
})

/** How an answer ended, by its `stop_reason`. An answer with another reason is complete if it has a text. */
const ends: Readonly<Record<string, ReplyEnd>> = {
  end_turn: 'complete',
  stop_sequence: 'complete',
  refusal: 'refusal',
  max_tokens: 'truncated',
  model_context_window_exceeded: 'truncated',
  pause_turn: 'truncated',
}

/** Most tokens that a model reads in one turn. */
const turnInputMax = 200_000

/** A turn reads what was found before again after each search. */
const mostOf = (searches: number): Usage => ({
  input: (searches + turnsMax) * turnInputMax,
  output: turnsMax * tokensMax,
  searches,
})

type Context = Pick<OwnerContext, 'settings'>
const priceIn = (ctx: Context, model: string) =>
  priceOf(prices, model, anthropicSettings.of(ctx).ANTHROPIC_PRICES)

/** Adds up what the turns used. What one turn does not say is not known of the answer. */
const sumOf = (turns: readonly TurnUsage[], name: 'input' | 'output' | 'searches'): number | null =>
  turns.reduce<number | null>((sum, turn) => {
    const more = turn[name]
    return sum === null || more === null ? null : sum + more
  }, 0)

/** Claude through Anthropic's API, with its web search. */
export const claude: VisibilityEngine = {
  name: 'anthropic',
  engine: 'claude',
  label: 'Claude',
  provider: 'direct',
  access: 'api',
  modelSetting: 'ANTHROPIC_MODEL',
  place: 'country',
  needs: (ctx) => (anthropicSettings.of(ctx).ANTHROPIC_API_KEY === '' ? ['ANTHROPIC_API_KEY'] : []),
  model: (ctx) => anthropicSettings.of(ctx).ANTHROPIC_MODEL,
  costLimit(ctx, { model = anthropicSettings.of(ctx).ANTHROPIC_MODEL, searchesMax }) {
    return limitOf(model, priceIn(ctx, model), mostOf(searchesMax), 'ANTHROPIC_PRICES')
  },
  async ask(ctx, question) {
    const { country, searchesMax, model = anthropicSettings.of(ctx).ANTHROPIC_MODEL } = question
    const { raws, last, found, turns } = await turnsOf(ctx, question, model)
    const reason = valueOr(last.stop_reason, '')
    const used = {
      input: sumOf(turns, 'input'),
      output: sumOf(turns, 'output'),
      searches: sumOf(turns, 'searches'),
    }
    const billed = billedPrice(
      prices,
      model,
      valueOr(last.model, null),
      anthropicSettings.of(ctx).ANTHROPIC_PRICES,
    )
    const oddReason = reason === '' || ends[reason] ? [] : [`the unknown stop_reason ${reason.slice(0, 60)}`]
    return {
      ended: ends[reason] ?? 'complete',
      text: found.text,
      cited: found.cited,
      consulted: found.consulted,
      queries: found.queries,
      searchCalls: used.searches ?? searchesMax,
      modelAsked: model,
      modelAnswered: valueOr(last.model, null),
      placePinned: country === null ? 'none' : 'country',
      cost: costOf(null, used, billed, mostOf(searchesMax), found.text),
      odd: [
        ...oddReason,
        ...oddIn(last.stop_reason, last.model),
        ...found.odd,
        ...turns.flatMap(({ odd }) => odd),
      ],
      failure: searchFailure(found),
      raw: raws.length === 1 ? raws[0] : raws,
    }
  },
  models: (ctx, signal) => listModels(ctx, serviceOf(ctx), signal, '/models?limit=1000'),
}

/** Asks, and continues a paused answer. */
async function turnsOf(
  ctx: EngineContext,
  question: EngineQuestion & { readonly searchesMax: number },
  model: string,
) {
  const { prompt, country, searchesMax } = question
  const messages: object[] = [{ role: 'user', content: prompt }]
  const raws: unknown[] = []
  const pieces: Required<Piece>[] = []
  const turns: TurnUsage[] = []
  let last: ReadMessage | null = null
  for (let left = searchesMax; ; ) {
    const json = { model, max_tokens: tokensMax, messages, tools: [searchTool(country, left)] }
    const asked = { path: '/messages', json, answer: message }
    const turn = await askWire(ctx, serviceOf(ctx), asked, question).catch((error: unknown) => {
      if (last === null || question.signal?.aborted || !isServiceFault(error)) throw error
      return error
    })
    if (isServiceFault(turn)) {
      // The turns before are paid, and their text is kept. What the failed one cost is not known.
      const odd = [`a further turn failed: ${turn.message}`]
      turns.push({ input: null, output: null, searches: null, odd })
      return { raws, last: last as ReadMessage, found: joined(pieces), turns }
    }
    const { told, raw } = turn
    last = told
    const piece = joined(told.content)
    const used = usageOf(told, piece)
    raws.push(raw)
    pieces.push(piece)
    turns.push(used)
    left -= used.searches ?? left
    const isPaused = valueOr(told.stop_reason, '') === 'pause_turn'
    if (!isPaused || turns.length === turnsMax || left <= 0)
      return { raws, last: told, found: joined(pieces), turns }
    messages.push({ role: 'assistant', content: (raw as { readonly content: unknown }).content })
  }
}
