import { defineExtensionPoint, type Extension, type OwnerContext, type ServiceFault } from 'renown'
import * as v from 'valibot'

/** The parts of a context that an engine needs. */
export type EngineContext = Pick<OwnerContext, 'outbound' | 'settings'>

/**
 * How precisely an engine accepts the location of a question. `country`: by country. `language`: by language
 * only. `none`: it accepts no location, or chooses its own.
 */
export const locationPrecisions = ['country', 'language', 'none'] as const
/** One value of `locationPrecisions`. */
export type LocationPrecision = (typeof locationPrecisions)[number]

/**
 * The source of a cost. `reported`: the engine reported it. `computed`: from the reported usage and a price
 * list. `at_most`: the largest amount that it can be, because the price or a part of the usage is not known. `unknown`: not
 * even that is known.
 */
export const costBases = ['reported', 'computed', 'at_most', 'unknown'] as const
/** One value of `costBases`. */
export type CostBasis = (typeof costBases)[number]

/**
 * How an engine is reached. `api`: through its API. `scraped`: through its consumer website. `recorded`:
 * stored answers.
 */
export type EngineAccess = 'api' | 'scraped' | 'recorded'

/** A question for an engine. */
export interface EngineQuestion {
  readonly prompt: string
  /** Country of the question, ISO 3166-1 alpha-2. Null for no country. */
  readonly country: string | null
  /** BCP 47 language tag of the question. */
  readonly language: string
  /** The model to use. Default: the engine's setting. */
  readonly model?: string
  /** Maximum searches for the answer. Default: 3. */
  readonly searchesMax?: number
  /** Time limit in milliseconds. Default: 120 s. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** A part of the answer's text, in UTF-16 units as JavaScript counts them. `end` is the first unit after it. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/** A source in the form of an engine's API. */
export interface WireSource {
  readonly url: string
  readonly title?: string | null | undefined
  /** The part of the answer that cites it, if the engine says which. */
  readonly span?: TextSpan | undefined
  /**
   * Whether the address is a redirect of the engine that could not be resolved. The domain then comes from
   * the title.
   */
  readonly isUnresolved?: boolean
}

/** A source of an answer. */
export interface EngineSource {
  /** Null if only its domain is known. */
  readonly url: string | null
  /** In lower case, without `www.`. Empty if the engine gave neither an address nor a domain. */
  readonly domain: string
  readonly title?: string
  /** The parts of the answer that cite it. */
  readonly spans?: readonly TextSpan[]
  /** Set if the engine's address could not be resolved. The domain then comes from the title. */
  readonly isUnresolved?: true
}

/**
 * How the reply ended. `refusal`: the model refused to answer. `none`: the engine shows no answer for this
 * question.
 */
export type ReplyEnd = 'complete' | 'truncated' | 'refusal' | 'none'

/** The reply of an engine, parsed by its implementation. */
export interface EngineReply {
  readonly ended: ReplyEnd
  readonly text: string
  /** Sources that the text cites, in order of the text. */
  readonly cited: readonly WireSource[]
  /** Sources that the engine found or opened. May include cited ones. */
  readonly consulted: readonly WireSource[]
  /** The search queries of the engine. */
  readonly queries: readonly string[]
  /** Number of searches, as the engine bills them. */
  readonly searchCalls: number
  readonly modelAsked: string
  /** Null if the engine does not say. */
  readonly modelAnswered: string | null
  readonly placePinned: LocationPrecision
  readonly cost: EngineCost
  /** What could not be read, such as `usage is missing`. Default: nothing. */
  readonly odd?: readonly string[]
  /** Why the reply is not an answer to the question, though it was paid. Its text and cost are kept. */
  readonly failure?: ServiceFault | undefined
  /** The engine's own JSON, unchanged. One element for each request. */
  readonly raw: unknown
}

/** What an answer cost, in US dollars. */
export interface EngineCost {
  readonly usd: number | null
  readonly basis: CostBasis
  /** What of the usage cannot be. Default: nothing. */
  readonly odd?: readonly string[]
}

/** The largest amount that one question can cost. */
export interface CostLimit {
  /** In US dollars. Null if nobody can know it: a tracker with a budget then does not ask this engine. */
  readonly usd: number | null
  /** Why the amount is assumed or not known, and what to do, for people. Absent if the price is known. */
  readonly because?: string
}

/** A model of an engine, from the engine's own list. */
export interface EngineModel {
  readonly id: string
  /** The day on which it ends, `YYYY-MM-DD`. */
  readonly endsOn?: string
  /** Set if the engine no longer offers it. */
  readonly isRetired?: boolean
}

/** A way to ask an AI assistant. Its calls throw ServiceFaults. Callers use `askEngine`, never `ask` itself. */
export interface VisibilityEngine extends Extension {
  /**
   * The name of the assistant, such as `chatgpt` or `claude`, as in `engines` of a tracker. Several implementations
   * can reach one engine.
   */
  readonly engine: string
  /** The name for people, such as `ChatGPT`. */
  readonly label: string
  /** The backend, as in `provider` of a tracker: `direct`, `dataforseo` or `recorded`. */
  readonly provider: string
  /**
   * The name of a second implementation for the same engine and provider, such as `v1`. The default one has
   * no version.
   */
  readonly version?: string
  readonly access: EngineAccess
  /** How precisely it accepts a location. */
  readonly place: LocationPrecision
  /** Whether it accepts this country. Default: all. */
  takesCountry?(country: string): boolean
  /** Returns the names of the settings that must be set first. Empty if it can be used. */
  needs(ctx: Pick<OwnerContext, 'settings'>): readonly string[]
  /** Returns the default model. Empty if the engine chooses. */
  model(ctx: Pick<OwnerContext, 'settings'>): string
  /** Name of the setting that selects the model. */
  readonly modelSetting?: string
  /**
   * Returns the largest amount that a question can cost. A budget reserves it before it asks, and counts it for an answer
   * without a known cost, a timeout and an unreadable answer. If missing, trackers with a budget cannot ask the engine.
   */
  costLimit?(
    ctx: Pick<OwnerContext, 'settings'>,
    question: Pick<EngineQuestion, 'model'> & { readonly searchesMax: number },
  ): CostLimit | Promise<CostLimit>
  /** The most searches that an answer can have, for an engine that accepts no limit. Absent if it keeps `searchesMax`. */
  readonly searchesLimit?: number
  /** Asks once. Throws a ServiceFault for an answer that it cannot read. */
  ask(ctx: EngineContext, question: EngineQuestion & { readonly searchesMax: number }): Promise<EngineReply>
  /**
   * Returns the engine's own list of models, with the days on which they end. Absent if the engine has no
   * list.
   */
  models?(ctx: EngineContext, signal: AbortSignal): Promise<readonly EngineModel[]>
}

/** The extension point for AI assistants. Each implementation reaches one engine in one way. */
export const visibilityEngine = defineExtensionPoint<VisibilityEngine>({
  id: 'visibility.engine',
  summary: 'Asks an AI assistant questions, and reads its answers and sources',
  shape: {
    engine: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,39}$/, 'a name in snake_case')),
    label: v.pipe(v.string(), v.minLength(1)),
    provider: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_-]{0,39}$/, 'a name in lower case')),
    version: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9]{1,20}$/, 'such as v1'))),
    access: v.picklist(['api', 'scraped', 'recorded']),
    place: v.picklist(locationPrecisions),
    needs: v.function(),
    model: v.function(),
    ask: v.function(),
  },
})

/** Returns the id of an engine as people write it: `gemini`, or `gemini:v1` for a second version. */
export const engineId = ({ engine, version }: Pick<VisibilityEngine, 'engine' | 'version'>): string =>
  version === undefined ? engine : `${engine}:${version}`

/** Finds the implementation of an engine by its id and provider. */
export const findEngine = (
  engines: readonly VisibilityEngine[],
  id: string,
  provider: string,
): VisibilityEngine | undefined => engines.find((one) => engineId(one) === id && one.provider === provider)
