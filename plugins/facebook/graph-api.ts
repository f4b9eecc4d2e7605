import { type FaultKind, foreignFault, ServiceFault, unreadable } from 'renown'
import { parseForeignJson, type ServiceAnswer, type ServiceCall } from 'renown/sources'
import * as v from 'valibot'

/** The code of a fault in which Facebook says that the requested object does not exist (its error 803). */
export const facebookNotThere = 'not_there'
/**
 * The code of a fault with two meanings (Facebook's error 100 with the subcode 33): the requested object does not
 * exist, or the token may not see it.
 */
export const facebookNotVisible = 'not_visible'

/** A request to the Graph API. */
export interface FacebookRequest extends Pick<ServiceCall, 'method' | 'form' | 'signal' | 'isUrgent'> {
  /** The path after the version. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
}

/** Returns a request to the Graph API with a token. If the app's secret is set, it contains the proof. */
export function facebookRequest(
  settings: Readonly<Record<'FACEBOOK_GRAPH_URL' | 'FACEBOOK_GRAPH_VERSION' | 'FACEBOOK_APP_SECRET', string>>,
  token: string,
  { path, query = {}, ...asked }: FacebookRequest,
): ServiceCall {
  const { FACEBOOK_GRAPH_URL: base, FACEBOOK_GRAPH_VERSION: version, FACEBOOK_APP_SECRET: secret } = settings
  const signed = new URLSearchParams(query)
  if (secret !== '') signed.set('appsecret_proof', hmac(secret, token))
  return {
    ...asked,
    url: `${base}/${version}/${path}${signed.size === 0 ? '' : `?${signed}`}`,
    headers: { authorization: `Bearer ${token}` },
    secrets: [token, secret],
  }
}

const hmac = (secret: string, token: string) =>
  new Bun.CryptoHasher('sha256', secret).update(token).digest('hex')

const envelope = v.object({
  error: v.object({
    message: v.optional(v.string(), ''),
    code: v.pipe(v.number(), v.integer(), v.minValue(1)),
    error_subcode: v.optional(v.number()),
    is_transient: v.optional(v.boolean(), false),
  }),
})

const hasError = v.looseObject({ error: v.unknown() })

/**
 * Reads the error of an answer by Facebook, or returns null if it has none. The code decides, because most
 * errors have the status 400.
 */
export function facebookFault(answer: ServiceAnswer): ServiceFault | null {
  const read = v.safeParse(envelope, answer.json)
  if (!read.success) {
    if (answer.status < 200 || answer.status >= 300) return foreignFault(answer, "Facebook's answer")
    return v.is(hasError, answer.json) ? unreadable("Facebook's answer", 'it holds an error') : null
  }
  const { message, code, error_subcode, is_transient } = read.output.error
  const kind = answer.status === 429 ? 'rate' : kindOf(code, message, is_transient)
  const said = `Facebook refused: ${message || `error ${code}`}`.slice(0, 300)
  const retryAfterMs = kind === 'rate' ? waitOf(answer) : undefined
  return new ServiceFault(kind, said, { code: codeOf(code, error_subcode), retryAfterMs })
}

function codeOf(code: number, subcode: number | undefined): string {
  if (code === 803) return facebookNotThere
  return code === 100 && subcode === 33 ? facebookNotVisible : String(code)
}

const kinds: Readonly<Record<number, FaultKind>> = {
  102: 'auth',
  190: 'auth',
  1: 'transient',
  2: 'transient',
  10: 'permission',
  4: 'rate',
  17: 'rate',
  32: 'rate',
  341: 'rate',
  613: 'rate',
}

function kindOf(code: number, message: string, isTransient: boolean): FaultKind {
  // Facebook uses this code for a removed field and for an id in a removed form.
  if (code === 12) return /singular/i.test(message) ? 'permanent' : 'unsupported'
  if (code >= 200 && code <= 299) return 'permission'
  if (code >= 80_000 && code <= 80_014) return 'rate'
  return kinds[code] ?? (isTransient ? 'transient' : 'permanent')
}

const usage = v.record(
  v.string(),
  v.array(v.object({ estimated_time_to_regain_access: v.optional(v.number(), 0) })),
)

/** Returns how long Facebook asks to wait, from the minutes in its own header. */
function waitOf({ headers, retryAfterMs }: ServiceAnswer): number | undefined {
  try {
    const read = v.safeParse(usage, parseForeignJson(headers.get('x-business-use-case-usage') ?? ''))
    if (!read.success) return retryAfterMs
    const minutes = Object.values(read.output)
      .flat()
      .map((one) => one.estimated_time_to_regain_access)
    const most = Math.max(0, ...minutes)
    return most === 0 ? retryAfterMs : most * 60_000
  } catch {
    return retryAfterMs
  }
}
