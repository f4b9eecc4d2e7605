import type { GenericSchema, InferOutput } from 'valibot'
import type { Mail } from './mail'
import type { ServiceFault } from './service-fault'
import type { Connections } from './upkeep'

/** Where a sealed text is stored. It can be opened only for this place. */
export interface SealedPlace {
  readonly entity: string
  readonly workspace_id: string
  readonly id: string
  readonly field: string
}

/** Seals and opens credentials of outside services. */
export interface Secrets {
  /** Encrypts a text for one field of one row. Throws where the installation has no key and may not make one. */
  seal(text: string, place: SealedPlace): string
  /** Throws for a text that was sealed elsewhere, tampered with, or under a key that is gone. */
  open(sealed: string, place: SealedPlace): string
  /** Whether the text was sealed with an older key than the first. If so, seal it again. */
  isOld(sealed: string): boolean
}

/** The request part of a call to a service. The address comes from the settings, never from user input. */
export interface ServiceCall {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** 30 s unless said otherwise. */
  readonly timeoutMs?: number
  /** Most bytes of the answer, decompressed. 16 MiB unless said otherwise. A longer one is a fault of code `too_large`. */
  readonly bytesMax?: number
  /** Texts that no error may repeat. */
  readonly secrets?: readonly string[]
  /**
   * A person or a reply waits for the answer: the request may use the calls of a platform's rate limit that are kept for these.
   * Requests that write always may.
   */
  readonly isUrgent?: boolean
}

/** A request to a service, with the only form of answer that is accepted. */
export interface ServiceRequest<S extends GenericSchema = GenericSchema> extends ServiceCall {
  /** What is asked for, as faults name it: `the page of reviews`. */
  readonly what: string
  /**
   * The form of a successful answer. It must refuse `{}`, unless the service documents `{}` as an answer: a missing field then
   * reads as "no". An answer that does not fit is a fault of code `unreadable`.
   */
  readonly answer: S
  /** Reads the service's own error form. Null means that the answer holds no error of the service's. */
  readonly faultOf: (answer: ServiceAnswer) => ServiceFault | null
}

/** The raw answer of a service. Only `faultOf` of a request receives one. */
export interface ServiceAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; undefined where it is none. */
  readonly json: unknown
  /** How long the service asked to wait, by `Retry-After`. */
  readonly retryAfterMs?: number
}

/**
 * Calls a service and returns its answer in the form that the request names. Otherwise throws a ServiceFault:
 * `transient` when no complete answer came, the fault that `faultOf` returns, or `transient` with the code
 * `unreadable` when the answer has an unknown form.
 */
export type AskService = <S extends GenericSchema>(request: ServiceRequest<S>) => Promise<InferOutput<S>>

/** DNS lookups. Throws a fault with code `unresolvable` when the DNS does not answer. */
export interface Dns {
  /** Every IPv4 and IPv6 address of a name, IPv4 first; empty where it has none. */
  addresses(name: string): Promise<string[]>
  /** The texts of a name's TXT records, longer ones in pieces of 255 bytes; empty where it has none. */
  txt(name: string): Promise<string[]>
}

/** How to fetch a user-supplied address. */
export interface SafeFetchOptions {
  /** Most bytes of the body, on the wire and inflated. */
  readonly maxBytes: number
  /** For everything: names, connections, redirects and the whole body. */
  readonly timeoutMs: number
  /** How many redirects are followed, each checked like the first address. 0, the default, hands a redirect back as it came. */
  readonly redirects?: number
  /** The Accept header. What comes back is the caller's to judge. */
  readonly accept?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** Whether http is taken too. */
  readonly plainHttp?: boolean
}

/** The answer. `url` is the last address that was fetched. */
export interface SafeAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
  readonly url: string
}

/**
 * Fetches a user-supplied address, only on the public internet. Throws a ServiceFault with the code `refused` (our
 * rules), `unresolvable`, `unreachable`, `certificate`, `timeout`, `redirect`, `too_large` or `malformed`.
 */
export type SafeFetch = (url: string, options: SafeFetchOptions) => Promise<SafeAnswer>

/** The number of calls per day to an outside service. All processes share it. */
export interface Allowance {
  readonly provider: string
  /** Whose allowance it is: an account, a key, `installation`. Never a secret. */
  readonly account: string
  readonly perDay: number
  /** The zone in which the provider's day ends. UTC unless said otherwise. */
  readonly timezone?: string
  /** How much this call costs. 1 unless said otherwise. */
  readonly cost?: number
}

/** A task for a language model: its answer must match a schema. */
export interface ModelTask<S extends GenericSchema> {
  /** In snake_case, such as `review_reply`: names the schema to the model. */
  readonly name: string
  /** What to do. Ours alone. */
  readonly instructions: string
  /** What it is about: strangers' texts, which are fenced. */
  readonly data: Readonly<Record<string, unknown>>
  readonly answer: S
  readonly workspace_id: string
  readonly signal?: AbortSignal
  /** Nobody waits for it: it takes from an allowance of its own, and leaves replies and drafts theirs. */
  readonly isBackground?: boolean
}

/** A language model. When none is configured, drafts are made from templates and say so. */
export interface Model {
  readonly isConfigured: boolean
  /** `llm:<model>`, as drafts name who wrote them. */
  readonly generator: string
  /**
   * An answer checked against the schema, after one repair. Throws a ServiceFault: `unsupported` where no model is
   * configured, `quota` where the day's calls are used up, `permanent` where the answer did not fit twice.
   */
  ask<S extends GenericSchema>(task: ModelTask<S>): Promise<InferOutput<S>>
}

/** Everything that makes requests outside the installation. */
export interface Outbound {
  readonly secrets: Secrets
  readonly ask: AskService
  readonly dns: Dns
  /** For addresses that come from strangers; `ask` is for those of the settings. */
  readonly safeFetch: SafeFetch
  readonly model: Model
  readonly mail: Mail
  readonly connections: Connections
  /** Takes from a day's allowance; throws a `quota` ServiceFault, with the time to its end, where too little is left. */
  spend(allowance: Allowance): Promise<void>
}
