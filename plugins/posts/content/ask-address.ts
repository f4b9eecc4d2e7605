import {
  answeredDelivery,
  foreignFault,
  type OwnerContext,
  ServiceFault,
  toStorable,
  trimTrailing,
  unreadable,
} from 'renown'
import { parseForeignJson, webAddress } from 'renown/sources'
import * as v from 'valibot'

/** A request to an address that a person entered. */
export interface AddressRequest<S extends v.GenericSchema> {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** The requested thing, as it appears in errors: `the post`. */
  readonly what: string
  /** The schema of a successful answer. It must reject `{}` unless the service documents `{}` as an answer. */
  readonly answer: S
  /** Returns the service's own error of an answer that is not a success, or null if it has none. */
  readonly faultOf: (answer: AddressAnswer) => ServiceFault | null
  /** Returns what the schema reads. Default: the body as JSON. */
  readonly readValue?: (answer: AddressAnswer) => unknown
  /** Texts that errors must not repeat. */
  readonly secrets?: readonly string[]
}

/** The answer to a request to an address that a person entered. */
export interface AddressAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON, or undefined if it is not JSON. */
  readonly json: unknown
  /** The wait that the service requested with `Retry-After`, in seconds. */
  readonly retryAfterMs?: number
}

/** Returns a typed address without its slashes at the end, so that paths can be added. */
export const baseAddress = (typed: string): string => trimTrailing(webAddress(typed) ?? '', '/')

/** Whether a typed address is one that Renown may send a credential to. */
export const isSiteAddress = (typed: string): boolean => {
  const url = URL.parse(webAddress(typed) ?? '')
  return url?.protocol === 'https:' && url.search === '' && url.hash === ''
}

const bounds = { maxBytes: 2 ** 20, timeoutMs: 25_000 }

/**
 * Sends a request to an address that a person entered, only on the public internet and without following redirects.
 * Returns the answer in the form of the schema. Otherwise throws a ServiceFault. Only a fault with `delivery` proves that
 * the request had no effect.
 */
export async function askAddress<S extends v.GenericSchema>(
  ctx: Pick<OwnerContext, 'outbound'>,
  {
    url,
    method,
    headers = {},
    json,
    what,
    answer: schema,
    faultOf,
    readValue,
    secrets = [],
  }: AddressRequest<S>,
): Promise<v.InferOutput<S>> {
  const body = json === undefined ? undefined : JSON.stringify(json)
  const {
    status,
    headers: sent,
    body: bytes,
  } = await ctx.outbound.safeFetch(url, {
    ...bounds,
    accept: 'application/json',
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body }),
  })
  const text = toStorable(new TextDecoder().decode(bytes))
  const seconds = sent.get('retry-after') ?? ''
  const retryAfterMs = /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : undefined
  const waits = retryAfterMs === undefined ? {} : { retryAfterMs }
  const answer: AddressAnswer = { status, headers: sent, text, json: parsed(text), ...waits }
  const isSuccess = status >= 200 && status < 300
  const fault = isSuccess ? null : (faultOf(answer) ?? foreignFault({ status, retryAfterMs }, what))
  if (fault !== null) throw answered(fault, status, secrets)
  const value = readValue === undefined ? answer.json : readValue(answer)
  if (value === undefined) throw unreadable(what, text === '' ? 'it is empty' : 'it is not JSON')
  const read = v.safeParse(schema, value)
  if (read.success) return read.output
  throw unreadable(what, `${v.getDotPath(read.issues[0]) ?? 'the answer'} has an unknown form`)
}

function answered(fault: ServiceFault, status: number, secrets: readonly string[]): ServiceFault {
  const { kind, code, retryAfterMs } = fault
  const message = secrets.reduce(
    (said, secret) => (secret.length < 4 ? said : said.replaceAll(secret, '[redacted]')),
    fault.message,
  )
  return new ServiceFault(kind, message, { code, retryAfterMs, delivery: answeredDelivery(status, fault) })
}

function parsed(text: string): unknown {
  try {
    return parseForeignJson(text)
  } catch {
    return undefined
  }
}
