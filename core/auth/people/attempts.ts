import { ownerRows } from '../../contexts/owner'
import { nullIfConflict } from '../../contracts/errors'
import { dayMs } from '../../contracts/time'
import { where } from '../../contracts/where'
import type { Clock } from '../../process/clock'
import { sha256Hex } from '../../process/crypto'
import { addressBucket } from '../../requests/client-address'
import type { Documents } from '../../stores/documents/port'
import { SignInAttempts } from './SignInAttempts'

const freeTries = 5
const firstDelayMs = 15_000
const longestDelayMs = 15 * 60_000
const forgottenMs = dayMs
const roundsMax = 50

/** A sign-in attempt. It counts as a failure until it succeeds. */
export interface Try {
  /** Removes the count, because the attempt succeeded. */
  succeeded(): Promise<void>
  /** Removes the attempt, because it was not checked. Earlier attempts still count. */
  giveBack(): Promise<void>
}

/** The attempt came too early. Contains the seconds until the next one is checked. */
export interface TooManyAttempts {
  readonly waitSeconds: number
}

export interface Attempts {
  /** Allows an attempt, or returns how long to wait. `key` identifies the guessed secret. */
  take(key: string): Promise<Try | TooManyAttempts>
}

export const isTooManyAttempts = (answer: Try | TooManyAttempts): answer is TooManyAttempts =>
  'waitSeconds' in answer

/**
 * Returns the delay after this number of failures: none for the first four, then 15 s, 30 s, 60 s … 15 min.
 */
const delayMs = (failures: number) =>
  failures < freeTries ? 0 : Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - freeTries))

/**
 * Counts failed attempts per account, in the store, so that restarts and other processes do not reset them.
 * An attempt is counted before the check and removed if it was right, so that parallel attempts cannot avoid
 * the delay.
 */
export function createAttempts({ documents, clock }: { documents: Documents; clock: Clock }): Attempts {
  const rows = ownerRows(documents.collection(SignInAttempts), SignInAttempts, clock)
  const countOne = async (
    id: string,
  ): Promise<TooManyAttempts | { readonly before: number; readonly at: string } | 'raced'> => {
    const now = clock.now()
    const row = await rows.get(id)
    const known = row && Date.parse(row.expires_at) > now.getTime() ? row : null
    const left = known?.blocked_until ? Date.parse(known.blocked_until) - now.getTime() : 0
    if (left > 0) return { waitSeconds: Math.ceil(left / 1000) }
    const failures = (known?.failures ?? 0) + 1
    const delay = delayMs(failures)
    const fresh = {
      failures,
      blocked_until: delay > 0 ? new Date(now.getTime() + delay).toISOString() : undefined,
      expires_at: new Date(now.getTime() + forgottenMs).toISOString(),
    }
    const counted = { before: failures - 1, at: fresh.expires_at }
    if (!row)
      return (await rows.insert({ id, workspace_id: id, ...fresh }).catch(nullIfConflict)) ? counted : 'raced'
    const unchanged = where.and(
      where.eq('id', id),
      where.eq('failures', row.failures),
      where.eq('expires_at', row.expires_at),
    )
    return (await rows.updateWhere(unchanged, fresh)) ? counted : 'raced'
  }
  return {
    async take(key) {
      const id = `sia_${await sha256Hex(key)}`
      for (let round = 0; round < roundsMax; round++) {
        const answer = await countOne(id)
        if (answer === 'raced') continue
        if ('waitSeconds' in answer) return answer
        const own = where.and(where.eq('id', id), where.eq('expires_at', answer.at))
        return {
          giveBack: async () => {
            await rows.updateWhere(own, { failures: answer.before, blocked_until: undefined })
          },
          succeeded: async () => {
            await rows.removeWhere(where.eq('id', id))
          },
        }
      }
      return { waitSeconds: 1 }
    },
  }
}

const addressTriesMax = 20
const addressWindowMs = 15 * 60_000
const addressesMax = 50_000

/** Counts failures per IP address, in memory only: 20 in 15 minutes. IP addresses are never stored. */
export function createAddressAttempts({ now }: Clock) {
  const windows = new Map<string, { used: number; endsAt: number }>()
  return {
    take(address: string | null): { giveBack(): void } | TooManyAttempts {
      const at = now().getTime()
      const key = addressBucket(address)
      let window = windows.get(key)
      if (!window || window.endsAt <= at) {
        window = { used: 0, endsAt: at + addressWindowMs }
        windows.delete(key)
        windows.set(key, window)
        for (const [old, { endsAt }] of windows) {
          if (endsAt > at && windows.size <= addressesMax) break
          windows.delete(old)
        }
      }
      if (window.used >= addressTriesMax) return { waitSeconds: Math.ceil((window.endsAt - at) / 1000) }
      const own = window
      own.used++
      return {
        giveBack() {
          own.used--
        },
      }
    },
  }
}
