import type { OwnerContext } from 'renown'
import type { EngineQuestion, EngineReply, LocationPrecision, VisibilityEngine } from './engine'
import { joined } from './pieces'
import {
  billedPrice,
  costOf,
  limitOf,
  type ModelPrice,
  type Price,
  type PriceTable,
  priceOf,
  type SaidUsage,
  type Usage,
} from './prices'
import { billedSearches, inBand, type ReadResponse, responseOf, type UsageFields } from './responses-wire'
import { oddIn, valueOr } from './side-fields'
import { askWire, type EngineService, listModels, unreadableAnswer } from './wire'

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
  /** Name of the setting with the operator's own price. */
  readonly priceSetting: string
  /** Where an answer says what it cost. Default: nowhere. */
  readonly reports?: UsageFields['reports']
  /** The most searches of an answer, if the service accepts no limit. */
  readonly searchesLimit?: number
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

/** Most tokens that an answer may have, its thoughts included. Without a limit, nobody knows what an answer can cost. */
const outputMax = 16_384
/** Most tokens that a model reads in one step. Each search is a step, and reads what was found before again. */
const stepInputMax = 128_000

const mostOf = (searches: number): Usage => ({
  input: (searches + 1) * stepInputMax,
  output: outputMax,
  searches,
})

/** Creates an engine for a service with the Responses API (`POST /responses`). */
export function responsesEngine(profile: ResponsesProfile): VisibilityEngine {
  const { name, engine, label, place, keyName, modelSetting, reports = 'nothing', searchesLimit } = profile
  const answer = responseOf({ reports })
  const priceIn = (ctx: Context, model: string) => priceOf(profile.prices, model, profile.settings(ctx).price)
  const mostFor = (searchesMax: number) => mostOf(Math.max(searchesMax, searchesLimit ?? 0))
  const serviceOf = (ctx: Context): EngineService => {
    const { url, key } = profile.settings(ctx)
    return {
      ...profile.service,
      url,
      key,
      keyName,
      headers: { authorization: `Bearer ${key}` },
      inBand: (json) => inBand(profile.service.label, json),
    }
  }
  return {
    name,
    engine,
    label,
    place,
    provider: 'direct',
    access: 'api',
    modelSetting,
    needs: (ctx) => (profile.settings(ctx).key === '' ? [keyName] : []),
    model: (ctx) => profile.settings(ctx).model,
    ...(searchesLimit === undefined ? {} : { searchesLimit }),
    costLimit(ctx, { model = profile.settings(ctx).model, searchesMax }) {
      return limitOf(model, priceIn(ctx, model), mostFor(searchesMax), profile.priceSetting)
    },
    async ask(ctx, question) {
      const model = question.model ?? profile.settings(ctx).model
      const limited = { store: false, max_output_tokens: outputMax }
      const json = { model, input: question.prompt, ...limited, ...profile.request(question) }
      const asked = { path: '/responses', json, answer }
      const { told, raw } = await askWire(ctx, serviceOf(ctx), asked, question)
      const placePinned = question.country === null ? 'none' : place
      const billed = (answered: string | null) =>
        billedPrice(profile.prices, model, answered, profile.settings(ctx).price)
      const found = replyOf(profile.service.label, told, billed, mostFor(question.searchesMax))
      return {
        ...found,
        modelAsked: model,
        placePinned,
        raw,
      }
    },
    ...(profile.listsModels ? { models: (ctx, signal) => listModels(ctx, serviceOf(ctx), signal) } : {}),
  }
}

const ticksPerDollar = 1e10
/** Answers that have not ended, by their status. */
const unended: ReadonlySet<string> = new Set(['incomplete', 'in_progress', 'queued', 'cancelled', 'failed'])

function replyOf(
  service: string,
  told: ReadResponse,
  priceOfAnswer: (answered: string | null) => ModelPrice,
  most: Usage,
): Omit<EngineReply, 'modelAsked' | 'placePinned' | 'raw'> {
  const { text, refusal, searches: counted, failed: _, odd, ...found } = joined(told.output)
  const status = valueOr(told.status, '')
  const isKnown = status === 'completed' || status === 'incomplete'
  if (text === '' && refusal === '' && !isKnown) throw unreadableAnswer(service, 'it has not ended')
  const { reported, used, odd: oddUsage } = usageOf(told, Math.max(counted, found.queries.length), odd)
  const details = valueOr(told.incomplete_details, null)
  const isFiltered = details !== null && valueOr(details.reason, '') === 'content_filter'
  const isRefused = (refusal !== '' || isFiltered) && text === ''
  const isCut =
    told.error.is === 'value' || unended.has(status) || (told.incomplete_details.is === 'value' && !isKnown)
  const oddStatus = isKnown || isCut || status === '' ? [] : [`the unknown status ${status.slice(0, 60)}`]
  return {
    ended: isRefused ? 'refusal' : isCut ? 'truncated' : 'complete',
    ...found,
    text: isRefused ? refusal : text,
    searchCalls: used.searches ?? most.searches,
    modelAnswered: valueOr(told.model, null),
    cost: costOf(reported, used, priceOfAnswer(valueOr(told.model, null)), most, text),
    odd: [
      ...oddIn(told.status, told.model, told.error, told.incomplete_details, told.usage, told.tool_usage),
      ...oddStatus,
      ...(told.error.is === 'value' ? [`an error beside the text: ${told.error.value.message}`] : []),
      ...odd,
      ...oddUsage,
    ],
  }
}

/** Returns what the answer used, and the cost that it reports. `counted` are the searches among its parts. */
function usageOf({ usage, tool_usage }: ReadResponse, counted: number, odd: readonly string[]) {
  // A part that could not be read may have been a search.
  const seen = odd.length > 0 ? null : counted
  const billed = tool_usage.is === 'value' ? billedSearches(tool_usage.value) : null
  const oddBilled =
    tool_usage.is === 'value' && billed === null ? ['tool_usage.web_search has an unknown form'] : []
  const own = tool_usage.is === 'none' ? seen : billed === null ? null : Math.max(billed, counted)
  if (usage.is !== 'value')
    return { reported: null, odd: oddBilled, used: { input: null, output: null, searches: own } }
  const said = usage.value
  const [input, output, total] = [said.input_tokens, said.output_tokens, said.total_tokens].map((one) =>
    valueOr(one, null),
  ) as [number | null, number | null, number | null]
  const rest = (other: number | null) =>
    total === null || other === null ? null : Math.max(0, total - other)
  const tools = toolCalls(said)
  const used: SaidUsage = {
    input: input ?? rest(output),
    output: output ?? rest(input),
    searches: tools === null ? own : Math.max(tools, counted),
  }
  const ticks = valueOr(said.cost_in_usd_ticks, null)
  const cost = valueOr(said.cost, null)
  return {
    reported: cost?.total_cost ?? (ticks === null ? null : ticks / ticksPerDollar),
    used,
    odd: [
      ...oddIn(said.input_tokens, said.output_tokens, said.total_tokens, said.cost_in_usd_ticks, said.cost),
      ...oddIn(said.tool_calls_details, said.server_side_tool_usage_details, said.num_server_side_tools_used),
      ...oddBilled,
    ],
  }
}

type ToldUsage = Extract<ReadResponse['usage'], { readonly is: 'value' }>['value']

/** Returns how many tools Perplexity or xAI bill. Null if the answer does not say. */
function toolCalls(said: ToldUsage): number | null {
  const { tool_calls_details: details, server_side_tool_usage_details: xai } = said
  const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)
  if (details.is === 'value') {
    const counts = Object.values(details.value).map(({ invocation }) => valueOr(invocation, null))
    return counts.some((one) => one === null) ? null : sum(counts.map(Number))
  }
  if (xai.is === 'value') return sum(Object.values(xai.value).map(Number))
  return valueOr(said.num_server_side_tools_used, null)
}
