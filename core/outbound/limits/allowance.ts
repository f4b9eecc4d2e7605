import type { Allowance, Outbound } from '../../contracts/outbound'
import { ServiceFault } from '../../contracts/service-fault'
import { dayMs } from '../../contracts/time'
import { where } from '../../contracts/where'
import { dayIn, dayStart, shiftDay } from '../../kit/periods'
import type { Clock } from '../../process/clock'
import { ConflictError, type Documents } from '../../stores/documents/port'
import { ServiceDay } from './ServiceDay'

const keptMs = 3 * dayMs

const idOf = ({ provider, account }: Pick<Allowance, 'provider' | 'account'>, day: string) =>
  `${provider}:${account}:${day}`

/** Corrects daily allowances after the fact. What is given back never exceeds what was taken. */
export function createCorrect({
  documents,
  clock,
}: {
  documents: Documents
  clock: Clock
}): Outbound['correct'] {
  return async ({ at, by, timezone = 'UTC', ...of }) => {
    if (by === 0) return
    const day = where.eq('id', idOf(of, dayIn(timezone, at)))
    const taken = by < 0 ? where.and(day, where.gte('used', -by)) : day
    const updated_date = clock.now().toISOString()
    await documents.collection(ServiceDay).updateOne(taken, { inc: { used: by }, set: { updated_date } })
  }
}

/** Counts daily allowances in the store. They survive restarts, and all processes share them. */
export function createSpend({ documents, clock }: { documents: Documents; clock: Clock }): Outbound['spend'] {
  return async ({ provider, account, perDay, timezone = 'UTC', cost = 1 }) => {
    const now = clock.now()
    const day = dayIn(timezone, now)
    const id = idOf({ provider, account }, day)
    const days = documents.collection(ServiceDay)
    const room = where.and(where.eq('id', id), where.lte('used', perDay - cost))
    const stamp = now.toISOString()
    const take = { inc: { used: cost }, set: { updated_date: stamp } }
    if (cost <= perDay) {
      if (await days.updateOne(room, take)) return
      const expires_at = new Date(now.getTime() + keptMs).toISOString()
      const first = { id, workspace_id: id, created_date: stamp, updated_date: stamp, used: cost, expires_at }
      try {
        await days.insert(first)
        return
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error
      }
      if (await days.updateOne(room, take)) return
    }
    const retryAfterMs = Math.max(1_000, Date.parse(dayStart(timezone, shiftDay(day, 1))) - now.getTime())
    throw new ServiceFault('quota', `The limit of ${perDay} calls to ${provider} per day is used up`, {
      code: 'daily_allowance',
      retryAfterMs,
      delivery: 'unsent',
    })
  }
}
