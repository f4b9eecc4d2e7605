import type { Task } from '../../contracts/queue'
import { faultInfo } from '../../contracts/service-fault'
import type { StateMachine } from '../../contracts/states'
import { hourMs } from '../../contracts/time'
import { type Where, where } from '../../contracts/where'
import {
  type Accepted,
  type Attempt,
  type AttemptOutcome,
  type AttemptRows,
  type AttemptStore,
  decidingAttempt,
  moveAttempt,
  outcomeOf,
  sameAttempt,
  settleAccepted,
} from './attempt'

/** Why something was not done. With `unknown_outcome` nobody can prove whether it was, and a person decides. */
export interface ActFailure {
  readonly kind: 'rejected' | 'unknown_outcome' | 'missed' | 'not_allowed'
  readonly message: string
}

/** The opened access to a service. */
export interface OpenCall<R extends Attempt> {
  /**
   * Makes the call. It is repeated with the same key only if the route has `keyMs`. Throws a ServiceFault. Only a fault with
   * `delivery` proves that nothing happened.
   */
  create(attempt: R): Promise<Accepted>
  /** Looks for the result. Returns null only if the service says that it is not there. Absent if the service cannot be read. */
  look?(attempt: R): Promise<Accepted | null>
}

/** The way to a service. */
export interface CallRoute<R extends Attempt> {
  /** How long the service recognizes the key of an attempt, in milliseconds. Absent if it recognizes none. */
  readonly keyMs?: number | undefined
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
  /** Returns how long it has to wait because of a rate limit. */
  paceMs?(): Promise<number>
  /** Records an attempt with `beginAttempt`. */
  begin(): Promise<R | null>
  /** Plans the next step. */
  later(waitMs: number): Promise<void>
  accepted(row: R): Promise<void>
  failed(failure: ActFailure): Promise<void>
  /** Continues after a fault that proves that nothing happened: plans another attempt, or fails. */
  refused(error: unknown): Promise<void>
}

/** When an unknown outcome is looked up, after the call or the last look. Three looks within ten minutes. */
const looksMs = [20_000, 120_000, 360_000] as const
/** The same for services that recognize a key: their calls are repeated within the hour. */
const keyedLooksMs = [...looksMs, 900_000, 1_500_000] as const

/** Returns the wait before the next look, or null if no further one follows. */
const nextLookMs = ({ keyMs }: { readonly keyMs?: number | undefined }, looks: number): number | null =>
  (keyMs === undefined ? looksMs : keyedLooksMs)[looks] ?? null

/** How long a step waits for the call of another process. */
const busyMs = 30_000
/** How long the search for an attempt goes on, though its jobs fail. */
const searchMs = 2 * hourMs

const storeOf = <R extends Attempt>(act: OnceAct<R>): AttemptStore<R> => ({
  ...{ rows: act.rows, states: act.states, now: act.now() },
})

/**
 * Runs the next step: makes the call once, or finds out what the last one did. What an earlier step did is known only from its
 * attempt. A call with an unknown outcome is never repeated blindly.
 */
export async function runStep<R extends Attempt>(act: OnceAct<R>, task: Task): Promise<void> {
  const row = await decidingAttempt(act.rows, act.own)
  switch (row?.outcome) {
    case 'published':
      return act.accepted(row)
    case 'calling': {
      // The process of this call was lost. Its request may still arrive, so the first look waits.
      const evidence = 'The process that made the call ended before the answer.'
      if (!(await moveAttempt(storeOf(act), row, 'unknown', { evidence }))) return
      const route = await act.route()
      return act.later(nextLookMs('why' in route ? {} : route, row.looks) ?? 0)
    }
    case 'unknown':
      return row.is_open ? lookFor(act, row, task) : giveUp(act, row)
    default:
      return callFirst(act, task)
  }
}

/** Continues when a job of the act died each time: ends the act, or goes on with the search for its result. */
export async function afterDeadLetter<R extends Attempt>(act: OnceAct<R>, message: string): Promise<void> {
  const row = await decidingAttempt(act.rows, act.own)
  if (row?.outcome === 'published') return act.accepted(row)
  if (row === null || row.outcome === 'rejected') return act.failed({ kind: 'rejected', message })
  // A process that dies again and again says nothing about the result, so the search goes on, at most for a while.
  const ageMs = Math.abs(act.now().getTime() - Date.parse(row.started_at))
  if (row.is_open && ageMs < searchMs) return act.later(busyMs)
  await giveUp(act, row)
}

async function callFirst<R extends Attempt>(act: OnceAct<R>, task: Task): Promise<void> {
  const route = await act.judge()
  if ('kind' in route) return act.failed(route)
  const waitMs = (await act.paceMs?.()) ?? 0
  if (waitMs > 0) return act.later(waitMs)
  let session: OpenCall<R>
  try {
    session = await route.open()
  } catch (error) {
    if (task.signal.aborted) throw error
    return act.refused(error)
  }
  await task.hold()
  const row = await act.begin()
  // Another process has begun. Its attempt is settled or looked up later.
  if (!row) return act.later(busyMs)
  // Opening takes time. People may have changed their mind since.
  const judged = await act.judge()
  if ('kind' in judged) {
    const unsent = { evidence: `Not sent. ${judged.message}`, is_open: false }
    await moveAttempt(storeOf(act), row, 'rejected', unsent)
    return act.failed(judged)
  }
  try {
    await task.hold()
  } catch (error) {
    await act.rows.removeWhere(sameAttempt(row))
    throw error
  }
  await call(act, row, { ...route, session })
}

type Opened<R extends Attempt> = Pick<CallRoute<R>, 'keyMs'> & { readonly session: OpenCall<R> }

/** Makes the call once and records what the answer proves. */
async function call<R extends Attempt>(act: OnceAct<R>, row: R, opened: Opened<R>): Promise<void> {
  let made: Accepted
  try {
    made = await opened.session.create(row)
  } catch (error) {
    return afterCall(act, row, opened, error)
  }
  const settled = await settleAccepted(storeOf(act), row, made)
  if (settled) await act.accepted(settled)
}

async function afterCall<R extends Attempt>(
  act: OnceAct<R>,
  row: R,
  opened: Opened<R>,
  error: unknown,
): Promise<void> {
  const evidence = faultInfo(error).message
  // A refused repeat says nothing about the first call, whose answer was lost.
  if (outcomeOf(error) === 'rejected' && row.calls === 1) {
    const settled = await moveAttempt(storeOf(act), row, 'rejected', { evidence, is_open: false })
    if (settled) await act.refused(error)
    return
  }
  if (await moveAttempt(storeOf(act), row, 'unknown', { evidence })) {
    await act.later(nextLookMs(opened, row.looks) ?? 0)
  }
}

/** What a look found: the result, that it is not there, or why nobody can tell. */
type Looked = Accepted | 'absent' | { readonly why: string }

/** Finds out what an attempt with an unknown outcome did. */
async function lookFor<R extends Attempt>(act: OnceAct<R>, row: R, task: Task): Promise<void> {
  const opened = await open(act)
  const looked = 'why' in opened ? opened : await look(opened.session, row)
  if (looked !== 'absent' && 'external_id' in looked) {
    const found = { ...looked, evidence: `Found: ${looked.evidence}` }
    const settled = await settleAccepted(storeOf(act), row, found)
    if (settled) await act.accepted(settled)
    return
  }
  const looks = row.looks + 1
  const same = where.and(where.eq('id', row.id), where.eq('outcome', 'unknown'), where.eq('looks', row.looks))
  const evidence = looked === 'absent' ? row.evidence : looked.why
  const counted = await act.rows.updateWhere(same, { looks, ...(evidence ? { evidence } : {}) })
  if (!counted) return
  if (looked === 'absent' && !('why' in opened) && (await mayRepeat(act, opened, row))) {
    await task.hold()
    const calls = { calls: row.calls + 1, called_at: act.now().toISOString() }
    const again = await moveAttempt(storeOf(act), counted, 'calling', calls)
    if (again) await call(act, again, opened)
    return
  }
  const waitMs = nextLookMs('why' in opened ? {} : opened, looks)
  if (waitMs !== null) return act.later(waitMs)
  await giveUp(act, counted)
}

async function open<R extends Attempt>(act: OnceAct<R>): Promise<Opened<R> | { readonly why: string }> {
  const route = await act.route()
  if ('why' in route) return route
  try {
    return { keyMs: route.keyMs, session: await route.open() }
  } catch (error) {
    return { why: faultInfo(error).message }
  }
}

async function look<R extends Attempt>(session: OpenCall<R>, row: R): Promise<Looked> {
  // A service that cannot be read recognizes the key, so that the repeated call is the look.
  if (!session.look) return 'absent'
  try {
    return (await session.look(row)) ?? 'absent'
  } catch (error) {
    return { why: faultInfo(error).message }
  }
}

/** Whether the call may be repeated: the service still recognizes its key, and nothing forbids the act now. */
async function mayRepeat<R extends Attempt>(
  act: OnceAct<R>,
  { keyMs }: Opened<R>,
  { started_at }: R,
): Promise<boolean> {
  const ageMs = act.now().getTime() - Date.parse(started_at)
  // A clock that went back does not say how old the key is.
  if (keyMs === undefined || ageMs < 0 || ageMs >= keyMs) return false
  return !('kind' in (await act.judge()))
}

/** Leaves the decision to a person. */
async function giveUp<R extends Attempt>(act: OnceAct<R>, row: R): Promise<void> {
  const last = row.evidence === undefined ? '' : ` The last answer: ${row.evidence}`
  await act.failed({
    kind: 'unknown_outcome',
    message: `Renown sent it and cannot find out whether it arrived.${last}`,
  })
  await act.rows.update(row.id, { is_open: false })
}
