import * as v from 'valibot'
import { parseForeignJson } from '../contracts/bounded-json'
import { messageOf } from '../contracts/errors'
import type { AskService, ServiceAnswer, ServiceCall, ServiceRequest } from '../contracts/outbound'
import { answeredDelivery, foreignFault, ServiceFault, unreadable } from '../contracts/service-fault'
import { dayMs } from '../contracts/time'
import { toStorable } from '../contracts/values'
import { version } from '../process/version'
import { traced } from '../work/traces'
import { redact } from './model/redact'
import type { Reach } from './reach'
import { isUnsent } from './unsent'

const timeoutDefaultMs = 30_000
const bytesDefaultMax = 16 * 2 ** 20

export interface AskDeps {
  readonly now: () => Date
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Remembers which services do not answer. */
  readonly reach?: Reach
}

/**
 * Creates the function that calls services of the settings. Only here do answers of services become values:
 * each must match the schema of its request, otherwise it is a fault. Their texts are made storable before. Redirects are not followed, so that
 * tokens are sent only to the service.
 */
export function createAskService(deps: AskDeps): AskService {
  const send = sender(deps)
  const { reach } = deps
  return async (request) => {
    const service = URL.parse(request.url)?.hostname
    const values = { 'http.request.method': request.method ?? 'GET', 'server.address': service }
    const asked = () =>
      traced({ name: `ask ${service ?? 'a service'}`, sort: 'client', values }, async (note) => {
        const answer = await send(request)
        note({ 'http.response.status_code': answer.status })
        return readAnswer(request, answer)
      })
    return reach && service ? reach.watched(service, asked) : asked()
  }
}

/**
 * Returns the answer in the form that the request names. Throws a fault for everything else, without any
 * secret in its message.
 */
function readAnswer<S extends v.GenericSchema>(
  { what, answer: schema, faultOf, secrets }: ServiceRequest<S>,
  answer: ServiceAnswer,
): v.InferOutput<S> {
  const isSuccess = answer.status >= 200 && answer.status < 300
  const fault = faultOf(answer) ?? (isSuccess ? null : foreignFault(answer, what))
  if (fault !== null) throw redacted(fault, secrets, answer.status)
  if (answer.json === undefined) throw unreadable(what, answer.text === '' ? 'it is empty' : 'it is not JSON')
  const read = v.safeParse(schema, answer.json)
  if (read.success) return read.output
  const [issue] = read.issues
  throw redacted(unreadable(what, `${v.getDotPath(issue) ?? 'the answer'} has an unknown form`), secrets)
}

function redacted(
  fault: ServiceFault,
  secrets: readonly string[] | undefined,
  status?: number,
): ServiceFault {
  const { kind, message, code, retryAfterMs } = fault
  const delivery = status === undefined ? undefined : answeredDelivery(status, fault)
  return new ServiceFault(kind, redact(message, secrets), { code, retryAfterMs, delivery })
}

function sender({ now, fetch = globalThis.fetch }: AskDeps) {
  return async (request: ServiceCall): Promise<ServiceAnswer> => {
    const { url, signal, timeoutMs = timeoutDefaultMs, bytesMax = bytesDefaultMax } = request
    const timeout = AbortSignal.timeout(timeoutMs)
    const ends = signal ? AbortSignal.any([signal, timeout]) : timeout
    try {
      const response = await fetch(url, { ...initOf(request), signal: ends, redirect: 'manual' })
      return answerOf(response, await textOf(response, bytesMax), now())
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (error instanceof ServiceFault) throw error
      const host = URL.parse(url)?.host ?? 'the service'
      const why = timeout.aborted ? `no answer within ${timeoutMs / 1_000} s` : messageOf(error)
      const delivery = isUnsent(error) ? 'unsent' : undefined
      const said = redact(`${host}: ${why}`, request.secrets)
      throw new ServiceFault('transient', said, { code: 'no_answer', delivery })
    }
  }
}

function initOf({ method, headers = {}, json, form }: ServiceCall): RequestInit {
  const own = { accept: 'application/json', 'user-agent': `Renown/${version}` }
  if (json !== undefined) {
    const typed = { ...own, 'content-type': 'application/json', ...headers }
    return { method: method ?? 'POST', headers: typed, body: JSON.stringify(json) }
  }
  if (form) {
    const typed = { ...own, 'content-type': 'application/x-www-form-urlencoded', ...headers }
    return { method: method ?? 'POST', headers: typed, body: new URLSearchParams(form).toString() }
  }
  return { method: method ?? 'GET', headers: { ...own, ...headers } }
}

/** Reads the body up to a limit that counts decompressed bytes. */
async function textOf(response: Response, bytesMax: number): Promise<string> {
  if (!response.body) return ''
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) {
      throw new ServiceFault('permanent', `The answer is longer than ${bytesMax} bytes`, {
        code: 'too_large',
      })
    }
    chunks.push(chunk)
  }
  return toStorable(new TextDecoder().decode(Buffer.concat(chunks)))
}

function answerOf({ status, headers }: Response, text: string, now: Date): ServiceAnswer {
  const retryAfterMs = retryAfter(headers.get('retry-after'), now)
  return { status, headers, text, json: parse(text), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

function parse(text: string): unknown {
  try {
    return parseForeignJson(text)
  } catch {
    return undefined
  }
}

const waitMaxMs = 7 * dayMs

/** Reads seconds or an HTTP date. Invalid text is ignored. */
export function retryAfter(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined
  const text = header.trim()
  const isDate = /^[A-Za-z]{3}/.test(text)
  const waitMs = isDate
    ? Date.parse(text) - now.getTime()
    : /^\d+$/.test(text)
      ? Number(text) * 1_000
      : Number.NaN
  if (!Number.isFinite(waitMs)) return undefined
  return Math.min(Math.max(0, waitMs), waitMaxMs)
}
