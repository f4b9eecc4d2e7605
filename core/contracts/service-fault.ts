import { isUnavailable, messageOf } from './errors'
import { toStorable } from './values'

/**
 * Kinds of failures of an outside service.
 * - `auth`: the credential no longer works, connect again.
 * - `permission`: the credential is not allowed.
 * - `quota`: used up until a known hour.
 * - `rate`: too many requests now.
 * - `transient`: likely to pass.
 * - `permanent`: the request itself is refused.
 * - `unsupported`: the service no longer offers it.
 */
export const faultKinds = [
  'auth',
  'permission',
  'quota',
  'rate',
  'transient',
  'permanent',
  'unsupported',
] as const
/** The kind of a failure. */
export type FaultKind = (typeof faultKinds)[number]

/** The parts of a fault that callers may see and that a queue stores. */
export interface FaultInfo {
  readonly kind: FaultKind
  readonly code?: string
  readonly message: string
}

/** A failure of an outside service. Its kind says what to do next. Its message contains no secret. */
export class ServiceFault extends Error {
  override readonly name = 'ServiceFault'
  readonly kind: FaultKind
  /** The service's own code, such as `quotaExceeded`. */
  readonly code?: string
  /** How long the service asked to wait. */
  readonly retryAfterMs?: number
  /**
   * Whether the request certainly had no effect. `unsent`: no connection was made. `refused`: the service refused it
   * with a 4xx status. Absent if the service may have accepted the request.
   */
  readonly delivery?: Delivery
  constructor(
    kind: FaultKind,
    message: string,
    {
      code,
      retryAfterMs,
      delivery,
    }: {
      readonly code?: string | undefined
      readonly retryAfterMs?: number | undefined
      readonly delivery?: Delivery | undefined
    } = {},
  ) {
    // Texts of services may be cut in the middle of a character.
    super(toStorable(message))
    this.kind = kind
    if (code !== undefined) this.code = code
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs
    if (delivery !== undefined) this.delivery = delivery
  }
}

/** Why a request certainly had no effect. */
export type Delivery = 'unsent' | 'refused'

/**
 * Returns the delivery of a request that the service answered with a fault: `refused` for a 4xx status, unless the fault
 * may pass or the answer could not be read.
 */
export const answeredDelivery = (
  status: number,
  { kind, code }: Pick<FaultInfo, 'kind' | 'code'>,
): Delivery | undefined =>
  status >= 400 && status < 500 && kind !== 'transient' && code !== unreadableCode ? 'refused' : undefined

/** Whether an error is a ServiceFault, also one thrown by another copy of this module. */
export const isServiceFault = (error: unknown): error is ServiceFault =>
  error instanceof Error && error.name === 'ServiceFault'

/** Whether a retry can help. If so, the job waits. Otherwise it fails. */
export const isPassing = ({ kind }: Pick<FaultInfo, 'kind'>): boolean =>
  kind === 'quota' || kind === 'rate' || kind === 'transient'

/** Whose fault a failed attempt is: a store of this installation, a limit of the service, the service, or the input. */
export type Blame = 'own_store' | 'limit' | 'service' | 'input'

/** The code of a fault because a store of this installation was away. */
export const storeAwayCode = 'store_away'

/**
 * Returns whose fault an error is. An own store counts only if it was away. A store that is busy says that about the statement
 * too, so it counts as a service.
 */
export function blameOf(error: unknown): Blame {
  let cause = error
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    if (isUnavailable(cause)) return 'isBusy' in cause && cause.isBusy ? 'service' : 'own_store'
    cause = cause.cause
  }
  if (!isServiceFault(error)) return 'service'
  if (error.kind === 'rate' || error.kind === 'quota') return 'limit'
  return isPassing(error) ? 'service' : 'input'
}

/** Whether an error uses up an attempt. What an own store or a limit ended does not. */
export function usesAttempt(error: unknown): boolean {
  const blame = blameOf(error)
  return blame !== 'own_store' && blame !== 'limit'
}

/**
 * Throws an error of an own store that was away, which says nothing about anybody else. Stands before everything that records a
 * failure: a count, a state, a sync, a notice. Then the job, or the task, is tried again and leaves no trace.
 */
export function throwIfStoreAway(error: unknown): void {
  if (blameOf(error) === 'own_store') throw error
}

/**
 * Returns the wait after a failed attempt of a job. Behind the end of the list, the last wait holds. The queue does not count
 * attempts that an own store ended.
 */
export const waitOfAttempt = (
  { attempt }: { readonly attempt: number },
  waitsMs: readonly number[],
): number => waitsMs[Math.min(attempt, waitsMs.length) - 1] ?? 0

/**
 * Whether a job goes on without what failed, because an error of its last attempt leaves no other. While an own store is away it
 * never is the last.
 */
export const isLastAttempt = (
  error: unknown,
  { attempt }: { readonly attempt: number },
  attemptsMax: number,
) => attempt >= attemptsMax && blameOf(error) !== 'own_store'

const infoMax = 500

/**
 * Returns the parts of any error that may be stored. An error that is not a ServiceFault counts as transient.
 */
export function faultInfo(error: unknown): FaultInfo {
  const message = messageOf(error).slice(0, infoMax)
  if (!isServiceFault(error)) {
    return { kind: 'transient', message, ...(blameOf(error) === 'own_store' ? { code: storeAwayCode } : {}) }
  }
  return { kind: error.kind, message, ...(error.code === undefined ? {} : { code: error.code }) }
}

/** The code of a fault for an answer that could not be read. It proves nothing about the requested object. */
export const unreadableCode = 'unreadable'

/** Returns a fault for an answer in an unknown form. A retry can help. Conclude nothing from it. */
export const unreadable = (what: string, why: string): ServiceFault =>
  new ServiceFault('transient', `${what} could not be read: ${why}`.slice(0, 300), { code: unreadableCode })

/**
 * Returns a fault for an error status without the service's own error form, as proxies and load balancers send it.
 * Only the status is known, so it never counts as a refusal by the service, an expired credential or a missing
 * object.
 */
export function foreignFault(
  { status, retryAfterMs }: { readonly status: number; readonly retryAfterMs?: number | undefined },
  what: string,
): ServiceFault {
  const isLimit = status === 429
  if (!isLimit && status < 500) return unreadable(what, `status ${status} without the service's error form`)
  const said = `${what}: the service answered with status ${status}`
  return new ServiceFault(isLimit ? 'rate' : 'transient', said, { code: String(status), retryAfterMs })
}

/** Returns the fault for a status without further information. Null for success. */
export function statusFault(
  { status, retryAfterMs }: { readonly status: number; readonly retryAfterMs?: number | undefined },
  said: string,
): ServiceFault | null {
  if (status >= 200 && status < 300) return null
  const kind = kinds[status] ?? (status >= 500 ? 'transient' : 'permanent')
  return new ServiceFault(kind, said.slice(0, 300), { code: String(status), retryAfterMs })
}

const kinds: Readonly<Record<number, FaultKind>> = {
  401: 'auth',
  403: 'permission',
  408: 'transient',
  425: 'transient',
  429: 'rate',
}
