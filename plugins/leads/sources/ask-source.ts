import { dayMs, type FaultKind, foreignFault, ServiceFault, statusFault } from 'renown'
import type { ServiceAnswer } from 'renown/sources'
import * as v from 'valibot'
import type { SourceContext } from './source'

/** Maximum bytes of an answer. */
const bytesMax = 16 * 2 ** 20
const timeoutMs = 30_000

/** A service with posts, from the settings. */
export interface SourceService {
  /** The name in messages, such as `Hacker News`. */
  readonly label: string
  readonly headers?: Readonly<Record<string, string>>
  /** Texts that errors must not repeat. */
  readonly secrets?: readonly string[]
  /** Names of the settings with its credential, for the message of a refused one. */
  readonly keyNames?: readonly string[]
  /** Returns the kind of an error by the service's own code or message. Undefined: by the status. */
  kindOf?(code: string, message: string, status: number): FaultKind | undefined
  /** Reads an error that the service sends with status 200. */
  inBand?(answer: ServiceAnswer): ServiceFault | null
}

/** A request for posts. */
export interface SourceAsk<S extends v.GenericSchema> {
  readonly url: string
  readonly query?: Readonly<Record<string, string | number>>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly answer: S
  readonly signal?: AbortSignal
  /** True if a person waits for the answer. */
  readonly isUrgent?: boolean
}

/** Sends a request to a service with posts. Throws a ServiceFault for every answer in an unknown form. */
export const askSource = <S extends v.GenericSchema>(
  ctx: Partial<Pick<SourceContext, 'now'>> & { readonly outbound: Pick<SourceContext['outbound'], 'ask'> },
  service: SourceService,
  { url, query = {}, json, form, answer, signal, isUrgent = false }: SourceAsk<S>,
): Promise<v.InferOutput<S>> => {
  const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  const asked = parameters.length === 0 ? url : `${url}?${new URLSearchParams(parameters)}`
  return ctx.outbound.ask({
    what: `The answer of ${service.label}`,
    url: asked,
    answer,
    isUrgent,
    bytesMax,
    timeoutMs,
    ...(signal ? { signal } : {}),
    ...(service.headers ? { headers: service.headers } : {}),
    ...(service.secrets ? { secrets: service.secrets.filter((secret) => secret !== '') } : {}),
    ...(json === undefined ? {} : { json }),
    ...(form === undefined ? {} : { form }),
    faultOf: (given) => serviceFault(service, given, ctx.now?.()),
  })
}

const words = v.pipe(v.string(), v.minLength(1))
const code = v.nullish(v.union([v.string(), v.number()]))

/** The error forms of these services. */
const envelope = v.union([
  // Google
  v.pipe(
    v.object({
      error: v.object({
        message: words,
        errors: v.tupleWithRest([v.object({ reason: words })], v.unknown()),
      }),
    }),
    v.transform(({ error }) => ({ message: error.message, code: error.errors[0].reason })),
  ),
  // Brave
  v.pipe(
    v.object({ error: v.object({ detail: words, code: words }) }),
    v.transform(({ error }) => ({ message: error.detail, code: error.code })),
  ),
  // Stack Exchange
  v.pipe(
    v.object({ error_name: words, error_message: words }),
    v.transform(({ error_name, error_message }) => ({ message: error_message, code: error_name })),
  ),
  // Bluesky
  v.pipe(
    v.object({ error: words, message: words }),
    v.transform(({ error, message }) => ({ message, code: error })),
  ),
  // Hacker News, GitHub and Reddit
  v.pipe(
    v.object({ message: words, error: code }),
    v.transform(({ message }) => ({ message, code: undefined })),
  ),
  // Mastodon
  v.pipe(
    v.object({ error: words, error_description: v.nullish(v.string()) }),
    v.transform(({ error, error_description }) => ({ message: error_description ?? error, code: error })),
  ),
])

function serviceFault(
  service: SourceService,
  answer: ServiceAnswer,
  now: Date | undefined,
): ServiceFault | null {
  const { status, headers } = answer
  if (status >= 200 && status < 300) return service.inBand?.(answer) ?? null
  const retryAfterMs = now === undefined ? answer.retryAfterMs : waitOf(headers, now)
  const said = v.safeParse(envelope, answer.json)
  if (!said.success) return foreignFault({ status, retryAfterMs }, `The answer of ${service.label}`)
  const { message, code } = said.output
  const refused = `${service.label} refused: ${message}`.slice(0, 300)
  const kind =
    service.kindOf?.(code ?? '', message, status) ?? statusFault(answer, refused)?.kind ?? 'permanent'
  const names = service.keyNames ?? []
  const text = kind === 'auth' && names.length > 0 ? `${refused} Check ${names.join(' and ')}.` : refused
  return new ServiceFault(kind, text, { code: code ?? String(status), retryAfterMs })
}

/**
 * Returns how long a service asks to wait, in milliseconds: from `Retry-After`, or from `X-RateLimit-Reset` (an instant,
 * seconds since 1970 or seconds from now) if the limit is used up. Undefined if it does not say. At most a day.
 */
export function waitOf(headers: Headers, now: Date): number | undefined {
  const after = headers.get('retry-after')?.trim()
  if (after !== undefined)
    return bounded(/^\d{1,9}$/.test(after) ? Number(after) * 1_000 : untilMs(after, now))
  const left = headers.get('x-ratelimit-remaining')
  const reset = headers.get('x-ratelimit-reset')
  if (reset === null || left === null || Number(left) >= 1) return undefined
  const seconds = Number(reset)
  if (Number.isNaN(seconds)) return bounded(untilMs(reset, now))
  return bounded(seconds > 1_000_000_000 ? seconds * 1_000 - now.getTime() : seconds * 1_000)
}

const untilMs = (text: string, now: Date) => Date.parse(text) - now.getTime()
const bounded = (ms: number) => (Number.isFinite(ms) ? Math.min(Math.max(0, ms), dayMs) : undefined)
