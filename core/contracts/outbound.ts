import type { GenericSchema, InferOutput } from 'valibot'
import type { Mail } from './mail'
import type { ServiceFault } from './service-fault'
import type { Connections } from './upkeep'

/** The field where a sealed text is stored. The text can be opened only for this field. */
export interface SealedPlace {
  readonly entity: string
  readonly workspace_id: string
  readonly id: string
  readonly field: string
}

/** Seals and opens credentials of outside services. */
export interface Secrets {
  /**
   * Encrypts a text for one field of one row. Throws if the installation has no key and may not create one.
   */
  seal(text: string, place: SealedPlace): string
  /**
   * Decrypts a text. Throws if it was sealed for another field, was changed, or if its key no longer exists.
   */
  open(sealed: string, place: SealedPlace): string
  /** Whether the text was sealed with a key other than the newest. If so, seal it again. */
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
  /** Default: 30 s. */
  readonly timeoutMs?: number
  /**
   * Maximum size of the decompressed answer in bytes. Default: 16 MiB. A longer answer is a fault with code
   * `too_large`.
   */
  readonly bytesMax?: number
  /** Texts that errors must not repeat. */
  readonly secrets?: readonly string[]
  /**
   * True if a person or a reply waits for the answer. The request may then use the reserved calls of the rate
   * limit. Writes always may.
   */
  readonly isUrgent?: boolean
}

/** A request to a service, with the schema of its answer. */
export interface ServiceRequest<S extends GenericSchema = GenericSchema> extends ServiceCall {
  /** The requested thing, as it appears in errors: `the page of reviews`. */
  readonly what: string
  /**
   * The schema of a successful answer. It must reject `{}` unless the service documents `{}` as an answer.
   * Otherwise a missing field would read as "no". An answer that does not match is a fault with code
   * `unreadable`.
   */
  readonly answer: S
  /** Reads the service's own error form. Returns null if the answer has no such error. */
  readonly faultOf: (answer: ServiceAnswer) => ServiceFault | null
}

/** The raw answer of a service. Only `faultOf` of a request gets one. */
export interface ServiceAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON, or undefined if it is not JSON. */
  readonly json: unknown
  /** The wait that the service requested with `Retry-After`. */
  readonly retryAfterMs?: number
}

/**
 * Calls a service and returns its answer in the form that the request names. Otherwise throws a ServiceFault:
 * `transient` if no complete answer came, the fault that `faultOf` returns, or `transient` with the code
 * `unreadable` if the answer has an unknown form.
 */
export type AskService = <S extends GenericSchema>(request: ServiceRequest<S>) => Promise<InferOutput<S>>

/** DNS lookups. Throws a fault with code `unresolvable` when the DNS does not answer. */
export interface Dns {
  /** Returns every IPv4 and IPv6 address of a name, IPv4 first. Empty if it has none. */
  addresses(name: string): Promise<string[]>
  /** Returns the texts of a name's TXT records. Texts over 255 bytes are in pieces. Empty if it has none. */
  txt(name: string): Promise<string[]>
}

/** How to fetch a user-supplied address. */
export interface SafeFetchOptions {
  /** Maximum size of the body in bytes, compressed and decompressed. */
  readonly maxBytes: number
  /** Time limit for everything: DNS, connections, redirects and the whole body. */
  readonly timeoutMs: number
  /**
   * Maximum number of redirects to follow. Each target is checked like the first address. 0, the default,
   * returns the redirect itself.
   */
  readonly redirects?: number
  /** The Accept header. The caller checks the type of the answer. */
  readonly accept?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** Whether http addresses are allowed too. */
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
 * Fetches a user-supplied address, only on the public internet. Throws a ServiceFault with the code `refused`
 * (by Renown's rules), `unresolvable`, `unreachable`, `certificate`, `timeout`, `redirect`, `too_large` or
 * `malformed`.
 */
export type SafeFetch = (url: string, options: SafeFetchOptions) => Promise<SafeAnswer>

/** How to read the messages of a WebSocket. */
export interface SocketOptions {
  /** Maximum length of one message in UTF-16 units. A longer one is a fault. */
  readonly messageBytesMax: number
  /** Maximum length of all messages together. Reading ends there. */
  readonly bytesMax: number
  /** Time limit for everything. Reading ends there. */
  readonly timeoutMs: number
  /** Reading ends when no message arrived for this long. */
  readonly idleMs: number
  readonly signal: AbortSignal
}

/** Why reading ended: the reader had enough, a limit was reached, the host sent nothing more, or it closed. */
export type SocketEnd = 'done' | 'limit' | 'idle' | 'closed'

/**
 * Reads text messages from a `wss://` address, only on the public internet, until `onMessage` returns false, a limit is
 * reached or the host closes. Throws a ServiceFault with a code of `SafeFetch`, and the reason of the signal.
 */
export type ReadSocket = (
  url: string,
  options: SocketOptions,
  onMessage: (text: string) => boolean,
) => Promise<SocketEnd>

/** The number of calls per day to an outside service. All processes share it. */
export interface Allowance {
  readonly provider: string
  /** Whom the calls are counted for: an account, a key or `installation`. Never a secret. */
  readonly account: string
  readonly perDay: number
  /** The time zone of the provider's day. Default: UTC. */
  readonly timezone?: string
  /** The cost of this call. Default: 1. */
  readonly cost?: number
}

/** What a call really took from an allowance, compared with what `spend` took. */
export interface AllowanceCorrection extends Pick<Allowance, 'provider' | 'account' | 'timezone'> {
  /** When `spend` was called: the day that is corrected. */
  readonly at: Date
  /** Calls to add, or a negative number of calls to give back. */
  readonly by: number
}

/** A task for a language model: its answer must match a schema. */
export interface ModelTask<S extends GenericSchema> {
  /** The schema's name for the model, in snake_case, such as `review_reply`. */
  readonly name: string
  /** What to do. Contains no text of strangers. */
  readonly instructions: string
  /** The texts of strangers that the task is about. They are fenced. */
  readonly data: Readonly<Record<string, unknown>>
  readonly answer: S
  readonly workspace_id: string
  readonly signal?: AbortSignal
  /**
   * True if nobody waits for the answer. Background tasks have an allowance of their own and leave the other
   * one to replies and drafts.
   */
  readonly isBackground?: boolean
}

/** A language model. If none is configured, drafts are made from templates and say so. */
export interface Model {
  readonly isConfigured: boolean
  /** `llm:<model>`, stored with drafts as their author. */
  readonly generator: string
  /**
   * Returns an answer that matches the schema, after at most one repair. Throws a ServiceFault: `unsupported`
   * if no model is configured, `quota` if the day's calls are used up, `permanent` if the answer did not
   * match twice.
   */
  ask<S extends GenericSchema>(task: ModelTask<S>): Promise<InferOutput<S>>
}

/** Everything that makes requests outside the installation. */
export interface Outbound {
  readonly secrets: Secrets
  readonly ask: AskService
  readonly dns: Dns
  /** Fetches addresses that come from strangers. Use `ask` for those of the settings. */
  readonly safeFetch: SafeFetch
  readonly readSocket: ReadSocket
  readonly model: Model
  readonly mail: Mail
  readonly connections: Connections
  /**
   * Takes calls from a day's allowance. Throws a `quota` ServiceFault with the time until the day ends if too
   * few are left.
   */
  spend(allowance: Allowance): Promise<void>
  /**
   * Corrects what was taken from a day's allowance, when the real use is known afterwards. It may go beyond the limit, so that
   * the next `spend` is refused.
   */
  correct(correction: AllowanceCorrection): Promise<void>
}
