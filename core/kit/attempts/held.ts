import { dayMs, hourMs, minuteMs } from '../../contracts/time'
import { where } from '../../contracts/where'
import { isProven } from '../evidence'
import type { OnceAct } from './act'
import { type Attempt, moveAttempt } from './attempt'
import { type FoundResults, findResults, type OwnResult, openRoute } from './find'
import { meaningOf, type ProofRule, type ShownResult } from './proof'
import { accept, giveUp, storeOf } from './settle'

/** How long Renown waits for a result that a service holds back. */
const heldMaxMs = 7 * dayMs
/** The longest wait between two looks at it. */
export const heldLookMaxMs = 8 * hourMs
/** One answer that a result is gone may be an outage. */
const goneRule = { readings: 2, apartMs: hourMs } as const

/** Returns the wait before the next look at a held result: half of the time that it has been held. */
const heldWaitMs = (ageMs: number): number =>
  Math.min(heldLookMaxMs, Math.max(minuteMs, Math.round(Math.abs(ageMs) / 2)))

/** Records that a service holds a result back, and where else it shows the same words. */
export async function hold<R extends Attempt>(
  act: OnceAct<R>,
  row: R,
  { shown, proof }: OwnResult,
  twins: readonly string[],
): Promise<void> {
  const now = act.now().toISOString()
  const held = await moveAttempt(storeOf(act), row, 'held', {
    external_id: shown.external_id,
    evidence: shown.evidence,
    platform_state: 'state' in proof ? proof.state : shown.state,
    held_since: now,
    looked_at: now,
    ...(twins.length === 0 ? {} : { twins }),
    ...(shown.url === undefined ? {} : { external_url: shown.url }),
  })
  if (!held) return
  await act.held(held)
  await act.later(heldWaitMs(0))
}

/** Records that a service rejected a result. The act fails first, so that a lost process never makes another attempt. */
export async function reject<R extends Attempt>(
  act: OnceAct<R>,
  row: R,
  {
    evidence,
    message,
    state,
  }: { readonly evidence: string; readonly message: string; readonly state?: string },
): Promise<void> {
  await act.failed({ kind: 'rejected', message })
  const given = { evidence, is_open: false, ...(state === undefined ? {} : { platform_state: state }) }
  await moveAttempt(storeOf(act), row, 'rejected', given)
}

/** Records what was found: one result, or several with the same words. */
export async function settleOwn<R extends Attempt>(
  act: OnceAct<R>,
  row: R,
  results: readonly OwnResult[],
): Promise<void> {
  const [first, ...more] = results
  if (!first) return
  const { shown, proof } = first
  const twins = addressesOf(more)
  if (proof.is === 'published') return accept(act, row, shown, twins)
  if (proof.is === 'held') return hold(act, row, first, twins)
  const reason = shown.reason === undefined ? '' : ` It says: ${shown.reason}`
  const message = `The platform rejected it. Its state is “${proof.state}”.${reason}`
  await reject(act, row, { evidence: shown.evidence, message, state: proof.state })
}

/** Returns the addresses of results that are there, or may still appear. */
const addressesOf = (results: readonly OwnResult[]): readonly string[] =>
  results.filter(({ proof }) => proof.is !== 'rejected').map(({ shown }) => shown.url ?? shown.external_id)

/** Looks at a result that the service holds back: it appears, is rejected, or waits on, for seven days. */
export async function lookAtHeld<R extends Attempt>(act: OnceAct<R>, row: R): Promise<void> {
  const opened = await openRoute(act)
  const found: FoundResults =
    'why' in opened ? { own: [], isGone: false, why: opened.why } : await findResults(opened, row)
  const [first] = found.own
  if (first && first.proof.is !== 'held') return settleOwn(act, row, found.own)
  if (found.instead && !first && !('why' in opened) && isShown(opened.rule, found.instead.shown)) {
    const evidence = `${found.instead.why} The platform changed what it held.`
    return giveUp(act, { ...row, evidence, external_url: found.instead.shown.url ?? row.external_url })
  }
  const now = act.now()
  const gone_since = found.isGone && !first ? (row.gone_since ?? now.toISOString()) : undefined
  const reading = { at: now.toISOString(), firstAt: row.gone_since, touched: 1, held: 1 }
  if (gone_since !== undefined && isProven(goneRule, reading)) {
    const message = 'The platform held it back and has deleted it.'
    return reject(act, row, { evidence: 'The platform says that it no longer exists.', message })
  }
  const age = now.getTime() - Date.parse(row.held_since ?? row.started_at)
  if (Math.abs(age) >= heldMaxMs) return endHeld(act, row)
  const state =
    first && 'state' in first.proof ? first.proof.state : (found.instead?.shown.state ?? row.platform_state)
  const twins = addressesOf(found.own.slice(1))
  const looked = await act.rows.updateWhere(sameHeld(row), {
    looks: row.looks + 1,
    gone_since,
    platform_state: state,
    ...(twins.length === 0 ? {} : { twins }),
    ...(first || found.instead ? { looked_at: now.toISOString() } : {}),
    evidence: first?.shown.evidence ?? found.why ?? row.evidence,
  })
  if (!looked) return
  await act.held(looked)
  await act.later(heldWaitMs(age))
}

/** Whether everybody sees a held result, though with other words. */
const isShown = (rule: ProofRule, { state }: ShownResult): boolean =>
  'states' in rule && state !== undefined && ['visible', 'rejected'].includes(meaningOf(rule, state))

const sameHeld = ({ id, looks }: Attempt) =>
  where.and(where.eq('id', id), where.eq('outcome', 'held'), where.eq('looks', looks))

/** Leaves a result that the service has held back for too long to a person. Can be repeated. */
export async function endHeld<R extends Attempt>(act: OnceAct<R>, row: R): Promise<void> {
  const since = row.held_since?.slice(0, 10) ?? 'the attempt'
  const state = row.platform_state === undefined ? '' : ` Its state there is “${row.platform_state}”.`
  const address = row.external_url === undefined ? '' : ` Its address: ${row.external_url}`
  await act.failed({
    kind: 'held_by_platform',
    message: `The platform has held it back since ${since}, and Renown no longer looks.${state}${address}`,
  })
  await act.rows.update(row.id, { is_open: false } as Partial<Attempt>)
}
