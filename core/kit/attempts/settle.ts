import type { OnceAct } from './act'
import { type Attempt, type AttemptStore, settleAccepted } from './attempt'
import type { ShownResult } from './proof'

/** Returns the store of the attempts of an act. */
export const storeOf = <R extends Attempt>(act: OnceAct<R>): AttemptStore<R> => ({
  rows: act.rows,
  states: act.states,
  now: act.now(),
})

/** Records a proved result. */
export async function accept<R extends Attempt>(
  act: OnceAct<R>,
  row: R,
  shown: ShownResult,
  twins: readonly string[] = [],
): Promise<void> {
  const settled = await settleAccepted(storeOf(act), row, { shown, twins })
  if (settled) await act.accepted(settled)
}

/** Leaves the decision to a person. */
export async function giveUp<R extends Attempt>(act: OnceAct<R>, row: R): Promise<void> {
  const last = row.evidence === undefined ? '' : ` The last answer: ${row.evidence}`
  const seen = row.external_url === undefined ? '' : ` It may be this one: ${row.external_url}`
  await act.failed({
    kind: 'unknown_outcome',
    message: `Renown sent it and cannot find out whether it arrived.${seen}${last}`,
  })
  await act.rows.update(row.id, { is_open: false } as Partial<Attempt>)
}
