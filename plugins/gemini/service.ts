import type { OwnerContext } from 'renown'
import {
  askWire,
  billedPrice,
  costOf,
  type EngineContext,
  type EngineCost,
  type EngineModel,
  type EngineService,
  limitOf,
  type PriceTable,
  priceOf,
  type SaidUsage,
  type Usage,
  type VisibilityEngine,
} from 'renown/visibility'
import * as v from 'valibot'
import { geminiSettings } from './settings'

/** Searches are billed by query. */
const prices: PriceTable = {
  'gemini-3.8-flash': { input: 0.75, output: 4.5, search: 14 },
  'gemini-3.5-flash': { input: 1.5, output: 9, search: 14 },
  'gemini-3.1-flash-lite': { input: 0.25, output: 1.5, search: 14 },
  'gemini-3.1-pro': { input: 2, output: 12, search: 14 },
}

/** Returns Google's service with the key of the settings. */
export function serviceOf(ctx: Pick<OwnerContext, 'settings'>): EngineService {
  const { GEMINI_URL: url, GEMINI_API_KEY: key } = geminiSettings.of(ctx)
  return { label: 'Google', url, key, keyName: 'GEMINI_API_KEY', headers: { 'x-goog-api-key': key } }
}

/** Most searches of an answer. The service accepts no limit. */
const searchesLimit = 10
/** Most tokens of an answer, its thoughts included. Without a limit, nobody knows what an answer can cost. */
export const outputMax = 16_384
/** Most tokens that a model reads in one step. Each search is a step, and reads what was found before again. */
const stepInputMax = 128_000

/** The most that an answer can use. */
export const mostUsed = (searchesMax: number): Usage => {
  const searches = Math.max(searchesMax, searchesLimit)
  return { input: (searches + 1) * stepInputMax, output: outputMax, searches }
}

const priceIn = (ctx: Pick<OwnerContext, 'settings'>, model: string) =>
  priceOf(prices, model, geminiSettings.of(ctx).GEMINI_PRICES)

/** The parts of an answer that say what it cost. */
export interface GeminiAnswer {
  readonly used: SaidUsage
  readonly searchesMax: number
  /** The model that answered. Null if it is not known. */
  readonly answered: string | null
  readonly text: string
}

/** Returns what an answer of a model cost. */
export const geminiCost = (
  ctx: Pick<OwnerContext, 'settings'>,
  model: string,
  { used, searchesMax, answered, text }: GeminiAnswer,
): EngineCost =>
  costOf(
    null,
    used,
    billedPrice(prices, model, answered, geminiSettings.of(ctx).GEMINI_PRICES),
    mostUsed(searchesMax),
    text,
  )

const modelList = v.pipe(
  v.object({
    models: v.pipe(v.array(v.object({ name: v.pipe(v.string(), v.minLength(1)) })), v.minLength(1)),
  }),
  v.transform(({ models }): EngineModel[] =>
    models.map(({ name }) => ({ id: name.slice(name.lastIndexOf('/') + 1) })),
  ),
)

/** Lists the models. Google's list does not say when they end. */
async function models(ctx: EngineContext, signal: AbortSignal): Promise<readonly EngineModel[]> {
  const asked = { path: '/models?pageSize=1000', answer: modelList }
  return (await askWire(ctx, serviceOf(ctx), asked, { signal, timeoutMs: 20_000 })).told
}

/** The common parts of both Gemini engines. */
export const base = {
  engine: 'gemini',
  label: 'Gemini',
  provider: 'direct',
  access: 'api',
  models,
  modelSetting: 'GEMINI_MODEL',
  needs: (ctx) => (geminiSettings.of(ctx).GEMINI_API_KEY === '' ? ['GEMINI_API_KEY'] : []),
  model: (ctx) => geminiSettings.of(ctx).GEMINI_MODEL,
  searchesLimit,
  costLimit(ctx, { model = geminiSettings.of(ctx).GEMINI_MODEL, searchesMax }) {
    return limitOf(model, priceIn(ctx, model), mostUsed(searchesMax), 'GEMINI_PRICES')
  },
} satisfies Partial<VisibilityEngine>
