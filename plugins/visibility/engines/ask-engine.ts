import { isServiceFault, oneLine, type ServiceFault, unreadableCode } from 'renown'
import {
  type CostBasis,
  type CostLimit,
  type EngineContext,
  type EngineCost,
  type EngineQuestion,
  type EngineReply,
  type EngineSource,
  engineId,
  type LocationPrecision,
  type VisibilityEngine,
} from './engine'
import { notCited, sourcesOf } from './sources'

/** An answer, in the same form for all engines. */
export interface EngineAnswer {
  readonly text: string
  /** Sources that the text cites, each once, in order of the text. */
  readonly cited: readonly EngineSource[]
  /** Sources that the engine found or opened but did not cite. */
  readonly consulted: readonly EngineSource[]
  /** The search queries of the engine. */
  readonly queries: readonly string[]
  /** Number of searches, as the engine bills them. */
  readonly search_calls: number
  readonly model_asked: string
  /** Null if the engine does not say. */
  readonly model_answered: string | null
  readonly place_pinned: LocationPrecision
  readonly cost_usd: number | null
  readonly cost_basis: CostBasis
  /** What could not be read, such as `usage is missing`. The rest of the answer counts. */
  readonly odd: readonly string[]
  /** The engine's own JSON, unchanged. */
  readonly raw: unknown
}

/**
 * Kinds of failures of an engine.
 * - `unavailable`: no access, or the engine does not answer now.
 * - `refused`: the key, the quota or the request is refused, and a retry cannot help.
 * - `limited`: too many requests now, or a day's allowance is used up.
 * - `unreadable`: the answer has an unknown form, which proves nothing.
 * - `no_answer`: the engine was asked and gave no answer.
 * - `truncated`: the answer is incomplete.
 */
export const engineFaultKinds = [
  'unavailable',
  'refused',
  'limited',
  'unreadable',
  'no_answer',
  'truncated',
] as const
/** The kind of a failure of an engine. */
export type EngineFaultKind = (typeof engineFaultKinds)[number]

/** Why an engine gave no usable answer. The message contains no secret. */
export interface EngineFault {
  readonly kind: EngineFaultKind
  readonly message: string
  /** The engine's own code, or `no_access`, `country`, `refusal`, `empty`, `timeout`. */
  readonly code?: string
  /** How long to wait before the next question, if known. */
  readonly retry_after_ms?: number
  /** Names of the missing settings, if the code is `no_access`. */
  readonly needs?: readonly string[]
  /** The engine's incomplete, empty or failed answer and its cost, if one came. */
  readonly answer?: EngineAnswer
  /** What the question can have cost at most. Absent if it certainly cost nothing, or if `answer` has the cost. */
  readonly cost?: EngineCost
}

/** The result of a question. */
export type EngineOutcome =
  | { readonly ok: true; readonly answer: EngineAnswer }
  | { readonly ok: false; readonly fault: EngineFault }

const searchesDefault = 3
const timeoutDefaultMs = 120_000
const promptMax = 2_000
const queriesMax = 100

/**
 * Asks an engine once. Returns the answer, or a fault with its kind. Throws only the reason of `signal` when
 * the caller stops, and errors in Renown's own code. Never returns an empty answer for one that it could not
 * read.
 */
export async function askEngine(
  ctx: EngineContext,
  engine: VisibilityEngine,
  question: EngineQuestion,
): Promise<EngineOutcome> {
  const needs = engine.needs(ctx)
  if (needs.length > 0) {
    const message = `${engine.label} is not set up: set ${needs.join(' and ')}.`
    return failed({ kind: 'unavailable', code: 'no_access', message, needs })
  }
  const fault = questionFault(engine, question)
  if (fault) return failed(fault)
  question.signal?.throwIfAborted()
  const { searchesMax = searchesDefault, timeoutMs = timeoutDefaultMs, model } = question
  const limit = await costLimitOf(ctx, engine, { searchesMax, model })
  try {
    return outcomeOf(engine, limit, await engine.ask(ctx, { ...question, searchesMax, timeoutMs }))
  } catch (error) {
    if (question.signal?.aborted) throw question.signal.reason
    if (!isServiceFault(error)) throw error
    const fault = engineFault(error)
    // The service may have answered, and bill an answer that did not arrive or could not be read.
    return failed(error.delivery === undefined ? { ...fault, cost: atMost(limit) } : fault)
  }
}

/** Returns the largest amount that a question can cost. Unknown for an engine that does not say it. */
export async function costLimitOf(
  ctx: Pick<EngineContext, 'settings'>,
  engine: VisibilityEngine,
  { searchesMax, model }: { readonly searchesMax: number; readonly model?: string | undefined },
): Promise<CostLimit> {
  const because = `The plugin of ${engine.label} does not say what an answer can cost.`
  if (!engine.costLimit) return { usd: null, because }
  return engine.costLimit(ctx, { searchesMax, ...(model === undefined ? {} : { model }) })
}

const atMost = ({ usd }: CostLimit): EngineCost => ({ usd, basis: usd === null ? 'unknown' : 'at_most' })

const failed = (fault: EngineFault): EngineOutcome => ({ ok: false, fault })

function questionFault(engine: VisibilityEngine, { prompt, country }: EngineQuestion): EngineFault | null {
  const length = prompt.trim().length
  if (length === 0 || length > promptMax) {
    const message = `A prompt has 1 to ${promptMax} characters, not ${length}.`
    return { kind: 'refused', code: 'prompt', message }
  }
  if (country === null || (engine.takesCountry?.(country) ?? true)) return null
  return { kind: 'refused', code: 'country', message: `${engine.label} cannot be asked from ${country}.` }
}

function outcomeOf(engine: VisibilityEngine, limit: CostLimit, reply: EngineReply): EngineOutcome {
  const answer = answerOf(reply, limit)
  const name = engineId(engine)
  if (reply.failure) return failed({ ...engineFault(reply.failure), answer })
  // Something in it could not be read, and that may have been the text.
  if (answer.text.trim() === '' && answer.odd.length > 0) {
    const message = `The answer of ${name} could not be read: ${answer.odd.join('; ')}`.slice(0, 300)
    return failed({ kind: 'unreadable', code: unreadableCode, message, answer })
  }
  if (reply.ended === 'truncated') {
    return failed({ kind: 'truncated', message: `The answer of ${name} ends in its middle.`, answer })
  }
  if (reply.ended === 'refusal') {
    const message = `${name} refused to answer: ${oneLine(reply.text, 200)}`
    return failed({ kind: 'no_answer', code: 'refusal', message, answer })
  }
  if (reply.ended === 'none') {
    return failed({ kind: 'no_answer', message: `${name} shows no answer for this prompt.`, answer })
  }
  if (reply.text.trim() === '') {
    const message = `${name} returned an answer without text.`
    return failed({ kind: 'no_answer', code: 'empty', message, answer })
  }
  return { ok: true, answer }
}

const oddMax = 20

function answerOf(reply: EngineReply, limit: CostLimit): EngineAnswer {
  const { text, raw } = reply
  const cost = reply.cost.usd === null ? atMost(limit) : reply.cost
  const parts = [...(reply.odd ?? []), ...(reply.cost.odd ?? [])]
  const odd = [...new Set(parts.map((one) => oneLine(one, 200)))].slice(0, oddMax)
  const cited = sourcesOf(reply.cited, text)
  const queries = reply.queries.map((query) => oneLine(query, 500)).filter((query) => query !== '')
  return {
    text,
    cited,
    consulted: notCited(sourcesOf(reply.consulted, text), cited),
    queries: [...new Set(queries)].slice(0, queriesMax),
    // Some services count parts of a search.
    search_calls: Math.ceil(reply.searchCalls),
    model_asked: reply.modelAsked,
    model_answered: reply.modelAnswered,
    place_pinned: reply.placePinned,
    cost_usd: cost.usd,
    cost_basis: cost.basis,
    odd,
    raw,
  }
}

/** Returns the engine fault for a fault of a service. */
export function engineFault({ kind, code, message, retryAfterMs }: ServiceFault): EngineFault {
  const said = { message: oneLine(message, 300), ...(code === undefined ? {} : { code }) }
  const wait = retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }
  if (code === unreadableCode || code === 'too_large') return { kind: 'unreadable', ...said }
  if (kind === 'transient') return { kind: 'unavailable', ...said, ...wait }
  // A quota with a known end passes by itself. Without one, somebody has to pay.
  if (kind === 'rate' || (kind === 'quota' && retryAfterMs !== undefined)) {
    return { kind: 'limited', ...said, ...wait }
  }
  return { kind: 'refused', ...said }
}
