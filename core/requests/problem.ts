import { type ErrorCode, errorTable, type Fault, isRefusal, type RefusalDetails } from '../contracts/errors'
import type { Log } from '../contracts/plugin'
import { withoutSecrets } from '../contracts/secret-text'
import { CancelledError, TimedOutError } from '../work/scope'
import { boundedFaults, boundedText } from './bounded-faults'

/** An error as callers see it: application/problem+json over HTTP (RFC 9457), text over MCP. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly code: ErrorCode
  readonly request_id: string
  readonly errors?: readonly Fault[]
  readonly hint?: string
  readonly [extra: string]: unknown
}

export interface ProblemInfo {
  readonly requestId: string
  readonly path: string
  readonly apiUrl: string
  readonly log: Log
  /** The metadata address of the host, for challenges. */
  readonly resourceMetadata?: string | undefined
}

/** The registered type of 429, which clients know from other APIs. */
const quotaType = 'https://iana.org/assignments/http-problem-types#quota-exceeded'
const unavailableSeconds = 2
const timedOutSeconds = 5

/** Returns the URL of an error code. */
export const typeOfCode = (code: ErrorCode, apiUrl: string): string =>
  code === 'quota_exceeded' ? quotaType : `${apiUrl}/docs#${code}`

/**
 * Returns any thrown value as a problem. Only the text of a Refusal is shown. Other errors are logged with the
 * request's id.
 */
export function problemOf(error: unknown, { requestId, path, apiUrl, log }: ProblemInfo): Problem {
  const { code, detail, details } = told(error)
  if (code === 'internal') {
    log.error('a request failed', { request_id: requestId, path, error: stackOf(error) })
  } else if (code === 'unavailable') {
    const what = isUnavailable(error) ? 'a store is unavailable' : 'a service outside is unavailable'
    log.warn(what, { request_id: requestId, path, error: reasonOf(error) })
  } else log.debug('refused', { request_id: requestId, path, code })
  const { status, title } = errorTable[code]
  return {
    type: typeOfCode(code, apiUrl),
    title,
    status,
    detail: boundedText(detail),
    instance: boundedText(path),
    code,
    request_id: requestId,
    ...(details.errors?.length ? { errors: boundedFaults(details.errors) } : {}),
    ...(details.hint ? { hint: details.hint } : {}),
    ...details.extra,
  }
}

/** Returns the Retry-After of an error, if it has one. */
export function retryAfterOf(error: unknown): number | undefined {
  if (isRefusal(error))
    return error.details.retryAfterSeconds ?? (error.code === 'unavailable' ? unavailableSeconds : undefined)
  if (error instanceof TimedOutError) return timedOutSeconds
  return isUnavailable(error) ? unavailableSeconds : undefined
}

/** Returns the HTTP answer for a thrown value. */
export function problemResponse(error: unknown, info: ProblemInfo): Response {
  const problem = problemOf(error, info)
  const headers: Record<string, string> = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
  }
  const retryAfter = retryAfterOf(error)
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter)
  const asked = challenge(error, info.resourceMetadata)
  if (asked !== undefined) headers['www-authenticate'] = asked
  return new Response(withoutSecrets(JSON.stringify(problem)), { status: problem.status, headers })
}

/**
 * Returns the challenge of RFC 6750 and RFC 9728. It has an error only if a token was sent. It names all
 * scopes, because many clients cannot request more later.
 */
function challenge(error: unknown, resourceMetadata: string | undefined): string | undefined {
  if (!isRefusal(error) || !(error.code === 'unauthenticated' || error.code === 'insufficient_scope'))
    return undefined
  const { extra = {} } = error.details
  const isScope = error.code === 'insufficient_scope'
  const told = isScope ? error.code : extra.error
  const parts = ['realm="renown"', ...(told === undefined ? [] : [`error="${told}"`])]
  if (isScope) parts.push(`error_description="${error.message.replace(/["\\]/g, "'")}"`)
  if (resourceMetadata !== undefined) {
    parts.push(`resource_metadata="${resourceMetadata}"`, `scope="${isScope ? extra.scope : 'read write'}"`)
  }
  return `Bearer ${parts.join(', ')}`
}

function told(error: unknown): { code: ErrorCode; detail: string; details: RefusalDetails } {
  if (isRefusal(error)) return { code: error.code, detail: error.message, details: error.details }
  if (isUnavailable(error)) {
    return { code: 'unavailable', detail: 'A store cannot be reached at the moment.', details: {} }
  }
  if (error instanceof TimedOutError) return timedOut(error)
  if (error instanceof CancelledError) return { code: 'timed_out', detail: `${error.message}.`, details: {} }
  return { code: 'internal', detail: 'Something failed in Renown.', details: {} }
}

function timedOut({ wasReading }: TimedOutError): ReturnType<typeof told> {
  const detail = wasReading
    ? 'Reading took too long.'
    : 'Renown is busy, so this request got no turn in time.'
  const hint = wasReading
    ? 'Ask for less: a narrower filter, a shorter period or fewer rows.'
    : 'Send it again. If you send many at once, send fewer requests.'
  return { code: 'timed_out', detail, details: { hint } }
}

/** Returns the reason for people, and the details for the log. */
const reasonOf = (error: unknown) => {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error ? `${error} ${cause.message}` : String(error)
}

/** By name, because a plugin may bring a store of its own with a class of its own. */
const isUnavailable = (error: unknown) => error instanceof Error && error.name === 'UnavailableError'

/** Returns what the log says of an unexpected error. */
export const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
