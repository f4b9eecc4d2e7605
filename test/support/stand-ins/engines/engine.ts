import type { EngineFaultKind, ReplyEnd } from 'renown/visibility'

/** An answer that the suite puts at the engine. */
export interface StandInAnswer {
  readonly text: string
  /** Sources that the text cites, each for a part of the text. */
  readonly cited: readonly { readonly url: string; readonly title: string; readonly quote: string }[]
  /** Every source that the engine found. Those that are cited are among them. */
  readonly found: readonly { readonly url: string; readonly title: string }[]
  readonly queries: readonly string[]
  /** The model that answers; the one that is asked when left out. */
  readonly model?: string
  /** `complete` when left out. */
  readonly ended?: ReplyEnd
}

/** An error as the engine words it, and what it must mean. */
export interface StandInError {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly kind: EngineFaultKind
  readonly code?: string
}

/** An engine as far as the suite drives it. */
export interface EngineStandIn {
  /** Answers a request as the engine does. */
  fetch(request: Request): Promise<Response>
  set(answer: StandInAnswer): void
  /** The ways in which this wire can end an answer, beside `complete`. */
  readonly endings: readonly Exclude<ReplyEnd, 'complete'>[]
  /** Errors in the engine's own words. */
  readonly errors: Readonly<Record<string, StandInError>>
  /** Requests that were not as the engine documents them. */
  readonly complaints: string[]
}
