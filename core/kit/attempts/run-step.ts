import type { Task } from '../../contracts/queue'
import { blameOf, faultInfo } from '../../contracts/service-fault'
import { hourMs } from '../../contracts/time'
import { where } from '../../contracts/where'
import type { CallRoute, OnceAct, OpenCall } from './act'
import { type Attempt, decidingAttempt, moveAttempt, outcomeOf, sameAttempt } from './attempt'
import { type FoundResults, findResults, type OpenedRoute, openRoute } from './find'
import { endHeld, lookAtHeld, settleOwn } from './held'
import { judgeShown, type ShownResult } from './proof'
import { accept, giveUp, storeOf } from './settle'

/** When an unknown outcome is looked up, after the call or the last look. Three looks within ten minutes, because lists are late. */
const looksMs = [20_000, 120_000, 360_000] as const
/** Further looks for calls that are repeated with a key, within the hour. */
const repeatedLooksMs = [...looksMs, 900_000, 1_500_000] as const

/** How long a step waits for the call of another process. */
const busyMs = 30_000
/** How long the search for an attempt goes on, though its jobs fail. */
const searchMs = 2 * hourMs

/** Returns the wait before the next look, or null if no further one follows. */
const nextLookMs = ({ calls, looks }: Attempt, { keys }: Pick<OpenCall<never>, 'keys'>): number | null =>
  (calls > 1 || keys?.isExact ? repeatedLooksMs : looksMs)[looks] ?? null

/**
 * Runs the next step: makes the call once, or finds out what the last one did. What an earlier step did is known only from its
 * attempt. A call with an unknown outcome is never repeated blindly.
 */
export async function runStep<R extends Attempt>(act: OnceAct<R>, task: Task): Promise<void> {
  const row = await decidingAttempt(act.rows, act.own)
  switch (row?.outcome) {
    case 'published':
      return act.accepted(row)
    case 'held':
      return row.is_open ? lookAtHeld(act, row) : endHeld(act, row)
    case 'calling': {
      // The process of this call was lost. Its request may still arrive, so the first look waits.
      const evidence = 'The process that made the call ended before the answer.'
      const lost = await moveAttempt(storeOf(act), row, 'unknown', { evidence })
      return lost ? act.later(nextLookMs(row, {}) ?? 0) : undefined
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
  if (row.outcome === 'held') return row.is_open ? act.later(hourMs) : endHeld(act, row)
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
    // An own store that is away says nothing about the service.
    if (task.signal.aborted || blameOf(error) === 'own_store') throw error
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
  await call(act, row, openedRoute(route, session))
}

const openedRoute = <R extends Attempt>(
  { rule, expects }: CallRoute<R>,
  session: OpenCall<R>,
): OpenedRoute<R> => ({ rule, expects, session })

/** Makes the call once and records what its answer proves. */
async function call<R extends Attempt>(act: OnceAct<R>, row: R, opened: OpenedRoute<R>): Promise<void> {
  let shown: ShownResult
  try {
    shown = await opened.session.create(row)
  } catch (error) {
    return afterCall(act, row, opened, error)
  }
  const proof = judgeShown(opened.rule, await opened.expects(row), shown)
  // Where nobody can read, the acceptance is the result.
  if (proof.is === 'published' && 'acceptance' in opened.rule) return accept(act, row, shown)
  if (proof.is === 'other') {
    await act.doubt?.(`The answer to the call showed something else. ${proof.why}`)
    return becomeUnknown(act, row, opened, { evidence: `${shown.evidence}. ${proof.why}` })
  }
  if (proof.is === 'incomplete') {
    const claimed = shown.external_id === '' ? {} : { external_id: shown.external_id }
    return confirm(act, row, opened, { ...claimed, evidence: `${shown.evidence}. ${proof.why}` }, shown.url)
  }
  if (row.calls === 1) return settleOwn(act, row, [{ shown, proof, isListed: false }])
  // The key may have been ignored, so that this is a second result. Only a look can say that there are not two.
  const evidence = `${shown.evidence}, the answer to a repeated call`
  const claimed = { external_id: shown.external_id, evidence }
  await confirm(act, row, opened, claimed, shown.url, { shown, proof, isListed: false })
}

type Claim = Pick<Attempt, 'external_id' | 'evidence'>

/** Looks right after an answer that does not prove the result by itself. */
async function confirm<R extends Attempt>(
  act: OnceAct<R>,
  row: R,
  opened: OpenedRoute<R>,
  claim: Claim,
  url: string | undefined,
  answered?: FoundResults['own'][number],
): Promise<void> {
  const found = await findResults(opened, { ...row, ...claim })
  const isNew = answered && !found.own.some(({ shown }) => shown.external_id === answered.shown.external_id)
  const own = isNew ? [...found.own, answered] : found.own
  if (isEnough(row, opened, own)) return settleOwn(act, row, own)
  if (found.instead) {
    await act.doubt?.(`The answer to the call named something else. ${found.instead.why}`)
    return becomeUnknown(act, row, opened, { evidence: found.instead.why })
  }
  await becomeUnknown(act, row, opened, { ...claim, ...(url === undefined ? {} : { external_url: url }) })
}

/**
 * Whether the found results settle an attempt. After a repeated call, a list must show them: a list that does not show the second
 * result may not show the first one either.
 */
const isEnough = <R extends Attempt>(
  row: R,
  { session }: OpenedRoute<R>,
  own: FoundResults['own'],
): boolean =>
  own.length > 1 ||
  (own.length === 1 && (row.calls === 1 || !session.look || own.some((one) => one.isListed)))

async function becomeUnknown<R extends Attempt>(
  act: OnceAct<R>,
  row: R,
  { session }: OpenedRoute<R>,
  given: Partial<Attempt>,
): Promise<void> {
  const evidence = given.evidence?.slice(0, 500)
  const unknown = await moveAttempt(storeOf(act), row, 'unknown', { ...given, evidence })
  if (unknown) return act.later(nextLookMs(row, session) ?? 0)
  // Another process has settled the attempt since. If it knows another result, there are two.
  const known = await act.rows.get(row.id)
  if (known?.outcome !== 'published' || given.external_id === undefined) return
  if (known.external_id === given.external_id) return
  await accept(act, known, {
    external_id: given.external_id,
    url: given.external_url,
    evidence: evidence ?? '',
  })
}

async function afterCall<R extends Attempt>(
  act: OnceAct<R>,
  row: R,
  { session }: OpenedRoute<R>,
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
    await act.later(nextLookMs(row, session) ?? 0)
  }
}

/** Finds out what an attempt with an unknown outcome did. */
async function lookFor<R extends Attempt>(act: OnceAct<R>, row: R, task: Task): Promise<void> {
  const opened = await openRoute(act)
  const found: FoundResults =
    'why' in opened ? { own: [], isGone: false, why: opened.why } : await findResults(opened, row)
  if (!('why' in opened) && isEnough(row, opened, found.own)) {
    const own = found.own.map((one) => ({
      ...one,
      shown: { ...one.shown, evidence: `Found: ${one.shown.evidence}` },
    }))
    return settleOwn(act, row, own)
  }
  const looks = row.looks + 1
  const same = where.and(where.eq('id', row.id), where.eq('outcome', 'unknown'), where.eq('looks', row.looks))
  const evidence = found.why ?? row.evidence
  const counted = await act.rows.updateWhere(same, {
    looks,
    ...(evidence === undefined ? {} : { evidence }),
  } as Partial<Attempt>)
  if (!counted) return
  const isAbsent = found.why === undefined && found.own.length === 0
  if (isAbsent && !('why' in opened) && (await mayRepeat(act, opened, counted))) {
    await task.hold()
    const calls = { calls: row.calls + 1, called_at: act.now().toISOString() }
    const again = await moveAttempt(storeOf(act), counted, 'calling', calls)
    if (again) await call(act, again, opened)
    return
  }
  const waitMs = nextLookMs(counted, 'why' in opened ? {} : opened.session)
  if (waitMs !== null) return act.later(waitMs)
  await giveUp(act, counted)
}

/**
 * Whether the call may be repeated: this server still keeps its key, all looks found nothing, a further look follows, and nothing
 * forbids the act now. Without a further look, calls to a service that fails would follow each other without a wait.
 */
async function mayRepeat<R extends Attempt>(
  act: OnceAct<R>,
  { session: { keys } }: OpenedRoute<R>,
  { started_at, looks }: R,
): Promise<boolean> {
  if (!keys || (!keys.isExact && looks < looksMs.length) || looks >= repeatedLooksMs.length) return false
  const ageMs = act.now().getTime() - Date.parse(started_at)
  // A clock that went back does not say how old the key is.
  if (ageMs < 0 || (await act.isInDoubt?.()) === true) return false
  const lifetimeMs = await keys.lifetimeMs().catch(() => null)
  if (lifetimeMs === null || ageMs >= lifetimeMs) return false
  return !('kind' in (await act.judge()))
}
