import type { OwnerContext } from 'renown'
import type { InferOutput } from 'valibot'
import type { EngineQuestion, EngineReply, LocationPrecision, VisibilityEngine } from './engine'
import { joined } from './pieces'
import { costOf, type Price, type PriceTable, priceOf } from './prices'
import { inBand, response } from './responses-wire'
import { askWire, type EngineService, listModels } from './wire'

type Context = Pick<OwnerContext, 'settings'>

/** What differs between the services with the Responses API. */
export interface ResponsesProfile {
  readonly name: string
  readonly engine: string
  readonly label: string
  readonly place: LocationPrecision
  /** Name of the setting with the key. */
  readonly keyName: string
  /** Name of the setting with the model. */
  readonly modelSetting: string
  /** The service's name for messages, and what else a refused key can mean. */
  readonly service: Pick<EngineService, 'label' | 'keyHint'>
  settings(ctx: Context): ServiceSettings
  /** Returns the service's own parts of a request, such as tools and limits. */
  request(question: EngineQuestion & { readonly searchesMax: number }): Readonly<Record<string, unknown>>
  readonly prices: PriceTable
  /** Whether `GET /models` lists its models. */
  readonly listsModels: boolean
}

/** The settings of a service. */
export interface ServiceSettings {
  readonly url: string
  readonly key: string
  readonly model: string
  /** The operator's own price, if set. */
  readonly price: Price | null
}

/** Creates an engine for a service with the Responses API (`POST /responses`). */
export function responsesEngine(profile: ResponsesProfile): VisibilityEngine {
  const { name, engine, label, place, keyName, modelSetting } = profile
  const serviceOf = (ctx: Context): EngineService => {
    const { url, key } = profile.settings(ctx)
    return {
      ...{ ...profile.service, url, key, keyName, headers: { authorization: `Bearer ${key}` } },
      inBand: (json) => inBand(profile.service.label, json),
    }
  }
  return {
    ...{ name, engine, label, place, provider: 'direct', access: 'api', modelSetting },
    needs: (ctx) => (profile.settings(ctx).key === '' ? [keyName] : []),
    model: (ctx) => profile.settings(ctx).model,
    async ask(ctx, question) {
      const { model: usual, price } = profile.settings(ctx)
      const model = question.model ?? usual
      const json = { model, input: question.prompt, store: false, ...profile.request(question) }
      const asked = { path: '/responses', json, answer: response }
      const { told, raw } = await askWire(ctx, serviceOf(ctx), asked, question)
      const placePinned = question.country === null ? 'none' : place
      return {
        ...replyOf(told, price ?? priceOf(profile.prices, model)),
        modelAsked: model,
        placePinned,
        raw,
      }
    },
    ...(profile.listsModels ? { models: (ctx, signal) => listModels(ctx, serviceOf(ctx), signal) } : {}),
  }
}

const ticksPerDollar = 1e10

function replyOf(
  { status, output, model, incomplete_details, usage }: InferOutput<typeof response>,
  price: Price | null,
): Omit<EngineReply, 'modelAsked' | 'placePinned' | 'raw'> {
  const { text, refusal, searches: counted, failed: _, ...found } = joined(output)
  const searches = usage?.tool_calls_details?.web_search?.invocation ?? counted
  const used = usage ? { input: usage.input_tokens, output: usage.output_tokens, searches } : null
  const ticks = usage?.cost_in_usd_ticks
  const reported = usage?.cost?.total_cost ?? (ticks == null ? null : ticks / ticksPerDollar)
  const isFiltered = incomplete_details?.reason === 'content_filter'
  const isRefused = (refusal !== '' || isFiltered) && text === ''
  return {
    ended: isRefused ? 'refusal' : status === 'completed' ? 'complete' : 'truncated',
    ...{ ...found, text: isRefused ? refusal : text, searchCalls: searches },
    ...{ modelAnswered: model ?? null, cost: costOf(reported, used, price) },
  }
}
