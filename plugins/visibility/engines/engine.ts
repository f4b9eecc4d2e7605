import { defineExtensionPoint, type Extension, type OwnerContext } from 'renown'
import * as v from 'valibot'

/** What an engine needs of a context. */
export type EngineContext = Pick<OwnerContext, 'outbound' | 'settings'>

/**
 * How exactly an engine takes the place of a question. `country`: by country. `language`: by language only. `none`: it answers as for
 * nowhere, or for a place of its own choice.
 */
export const placePins = ['country', 'language', 'none'] as const
/** How exactly an engine takes the place of a question. */
export type PlacePin = (typeof placePins)[number]

/**
 * Where a cost comes from. `reported`: the engine said it. `computed`: from the usage that the engine reported and a price list.
 * `unknown`: the engine said nothing and the price is not known.
 */
export const costBases = ['reported', 'computed', 'unknown'] as const
/** Where a cost comes from. */
export type CostBasis = (typeof costBases)[number]

/** How an engine is reached. `api`: as programs reach it. `scraped`: as a consumer sees it. `recorded`: answers that were kept. */
export type EngineAccess = 'api' | 'scraped' | 'recorded'

/** A question for an engine. */
export interface EngineQuestion {
  readonly prompt: string
  /** Country to ask from, ISO 3166-1 alpha-2. Null asks without a place. */
  readonly country: string | null
  /** BCP 47 language tag of the question. */
  readonly language: string
  /** The model to ask. The engine's setting decides when it is left out. */
  readonly model?: string
  /** Most searches that the engine may make for the answer. 3 unless said otherwise. */
  readonly searchesMax?: number
  /** 120 s unless said otherwise. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** A part of the answer's text, in UTF-16 units as JavaScript counts them. `end` is the first unit after it. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/** A source as an engine's wire names it. */
export interface WireSource {
  readonly url: string
  readonly title?: string | null | undefined
  /** The part of the answer that it stands for, where the engine says. */
  readonly span?: TextSpan | undefined
  /** The address is a redirect of the engine that could not be resolved. The domain is then what the title says. */
  readonly isUnresolved?: boolean
}

/** A source of an answer. */
export interface EngineSource {
  /** Null when only its domain is known. */
  readonly url: string | null
  /** In lower case, without `www.`. Empty when the engine gave neither an address nor a domain. */
  readonly domain: string
  readonly title?: string
  /** The parts of the answer that it stands for. */
  readonly spans?: readonly TextSpan[]
  /** The engine gave an address that leads nowhere: the domain is what the engine says in the title. */
  readonly isUnresolved?: true
}

/** How the engine ended. `refusal`: the model refused to answer. `none`: the engine shows no answer for this question. */
export type ReplyEnd = 'complete' | 'truncated' | 'refusal' | 'none'

/** The reply of an engine, as its implementation reads it from the wire. */
export interface EngineReply {
  readonly ended: ReplyEnd
  readonly text: string
  /** Sources that the text cites, in its order. */
  readonly cited: readonly WireSource[]
  /** Sources that the engine found or opened. Those that the text cites may be among them. */
  readonly consulted: readonly WireSource[]
  /** What it searched for. */
  readonly queries: readonly string[]
  /** Searches that it made, as it bills them. */
  readonly searchCalls: number
  readonly modelAsked: string
  /** Null when the engine does not say. */
  readonly modelAnswered: string | null
  readonly placePinned: PlacePin
  readonly cost: EngineCost
  /** The engine's own JSON, unchanged. One element for each request when an answer took several. */
  readonly raw: unknown
}

/** What an answer cost, in US dollars. */
export interface EngineCost {
  readonly usd: number | null
  readonly basis: CostBasis
}

/** A model of an engine, as its own list says. */
export interface EngineModel {
  readonly id: string
  /** The day on which it ends, `YYYY-MM-DD`. */
  readonly endsOn?: string
  /** The engine no longer offers it. */
  readonly isRetired?: boolean
}

/** A way to put questions to an AI assistant. Its calls throw ServiceFaults. Callers use `askEngine`, never `ask` itself. */
export interface VisibilityEngine extends Extension {
  /** What people know: `chatgpt`, `claude`. `engines` of a tracker holds it. Several implementations may reach one engine. */
  readonly engine: string
  /** What people call it, such as `ChatGPT`. */
  readonly label: string
  /** The backend, as `provider` of a tracker names it: `direct`, `dataforseo` or `recorded`. */
  readonly provider: string
  /** Names a second implementation of the same engine and provider, such as `v1`. The one without it is the usual one. */
  readonly version?: string
  readonly access: EngineAccess
  /** How exactly it can take a place. */
  readonly place: PlacePin
  /** Whether it takes this country. It takes all unless said otherwise. */
  takesCountry?(country: string): boolean
  /** Names of the settings that must be set first. Empty when it can be asked. */
  needs(ctx: Pick<OwnerContext, 'settings'>): readonly string[]
  /** The model that is asked unless a question names one. Empty when the engine chooses. */
  model(ctx: Pick<OwnerContext, 'settings'>): string
  /** Asks once. Throws a ServiceFault for an answer that it cannot read. */
  ask(ctx: EngineContext, question: EngineQuestion & { readonly searchesMax: number }): Promise<EngineReply>
  /** The engine's own list of models, with the days on which they end. Absent when it has none. */
  models?(ctx: EngineContext, signal: AbortSignal): Promise<readonly EngineModel[]>
}

/** Ways to put questions to AI assistants. Each implementation reaches one engine in one way. */
export const visibilityEngine = defineExtensionPoint<VisibilityEngine>({
  id: 'visibility.engine',
  summary: 'Puts questions to an AI assistant, and reads its answer and its sources',
  shape: {
    engine: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,39}$/, 'a name in snake_case')),
    label: v.pipe(v.string(), v.minLength(1)),
    provider: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_-]{0,39}$/, 'a name in lower case')),
    version: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9]{1,20}$/, 'such as v1'))),
    access: v.picklist(['api', 'scraped', 'recorded']),
    place: v.picklist(placePins),
    needs: v.function(),
    model: v.function(),
    ask: v.function(),
  },
})

/** The id of an engine as people write it: `gemini`, or `gemini:v1` for a second version. */
export const engineId = ({ engine, version }: Pick<VisibilityEngine, 'engine' | 'version'>): string =>
  version === undefined ? engine : `${engine}:${version}`

/** Finds the implementation of an engine by its id and provider. */
export const findEngine = (
  engines: readonly VisibilityEngine[],
  id: string,
  provider: string,
): VisibilityEngine | undefined => engines.find((one) => engineId(one) === id && one.provider === provider)
