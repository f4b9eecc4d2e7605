import type { StateMachine } from '../../contracts/states'
import type { Where } from '../../contracts/where'
import type { Attempt, AttemptOutcome, AttemptRows } from './attempt'
import type { ExpectedResult, ProofRule, ShownResult } from './proof'

/**
 * Why something was not done. With `unknown_outcome` nobody can prove whether it was, and with `held_by_platform` the service
 * still holds it back. A person decides about both.
 */
export interface ActFailure {
  readonly kind: 'rejected' | 'unknown_outcome' | 'held_by_platform' | 'missed' | 'not_allowed'
  readonly message: string
}

/** Whether a failure is one of the service, and counts as such. Nobody called it for one that was missed or not allowed. */
export const isOfService = ({ kind }: ActFailure): boolean => kind !== 'missed' && kind !== 'not_allowed'

/** What a look found. */
export interface LookedResults {
  /** Every result that the service shows since the attempt, also those that are something else. */
  readonly shown: readonly ShownResult[]
  /** Whether these are all. If not, a missing result proves nothing. */
  readonly isWhole: boolean
}

/** How a service recognizes repeated calls. */
export interface KeyUse {
  /**
   * Set if the key is part of the result, such as the key of a record, or if the receiver promised to recognize it. Then the call
   * may be repeated after the first look that finds nothing. Otherwise only after all looks, because lists are late.
   */
  readonly isExact?: true
  /**
   * Returns how long this server keeps keys, in milliseconds, by its software and version or by a trial. Null if that is not known.
   * Then a call is never repeated.
   */
  lifetimeMs(): Promise<number | null>
}

/** The opened access to a service. */
export interface OpenCall<R extends Attempt> {
  /** How the service recognizes repeated calls. Absent if it does not. */
  readonly keys?: KeyUse | undefined
  /**
   * Makes the call, and returns what the service shows of the result. Throws a ServiceFault. Only a fault with `delivery` proves
   * that nothing happened.
   */
  create(attempt: R): Promise<ShownResult>
  /** Reads one result by its id. Returns null only if the service says that it does not exist. */
  read?(attempt: R, external_id: string): Promise<ShownResult | null>
  /** Lists what the service shows since the attempt. Absent if the service cannot be read. */
  look?(attempt: R): Promise<LookedResults>
}

/** The way to a service. */
export interface CallRoute<R extends Attempt> {
  /** What the service must show before something counts as published. */
  readonly rule: ProofRule
  /** Returns what the result of an attempt must show. */
  expects(attempt: R): Promise<ExpectedResult>
  /** Prepares the access. Changes nothing that others see. */
  open(): Promise<OpenCall<R>>
}

/** Something that must happen at most once, such as a post or a reply. */
export interface OnceAct<R extends Attempt> {
  readonly rows: AttemptRows<R>
  readonly states: StateMachine<AttemptOutcome>
  /** Matches the attempts of the present version. */
  readonly own: Where
  now(): Date
  /** Returns the route, or why it must not happen now. Reads everything again. */
  judge(): Promise<CallRoute<R> | ActFailure>
  /** Returns the route for a look, whatever has changed since the call. */
  route(): Promise<CallRoute<R> | { readonly why: string }>
  /** Returns how long it has to wait, because of a rate limit or a doubt. */
  paceMs?(): Promise<number>
  /** Records an attempt with `beginAttempt`. */
  begin(): Promise<R | null>
  /** Plans the next step. */
  later(waitMs: number): Promise<void>
  /** Records the result. Notifies people if the attempt has `twins`. Can be repeated. */
  accepted(row: R): Promise<void>
  /** Records that the service holds the result back. Can be repeated. */
  held(row: R): Promise<void>
  failed(failure: ActFailure): Promise<void>
  /** Continues after a fault that proves that nothing happened: plans another attempt, or fails. */
  refused(error: unknown): Promise<void>
  /** Records that the service answered with something else, so that nothing more is sent to it. Can be repeated. */
  doubt?(why: string): Promise<void>
  /** Whether the service is in doubt. Then no call is repeated. */
  isInDoubt?(): Promise<boolean>
}
