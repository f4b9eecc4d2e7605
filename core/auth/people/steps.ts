import { ownerRows } from '../../contexts/owner'
import type { Row } from '../../contracts/entity'
import { where } from '../../contracts/where'
import type { Clock } from '../../process/clock'
import { randomText, sha256Hex } from '../../process/crypto'
import type { Host } from '../../requests/host'
import type { Documents } from '../../stores/documents/port'
import { cookieOf, readCookie } from '../cookies'
import type { Person } from '../sessions'
import { SignInStep } from './SignInStep'

export type Step = Row<typeof SignInStep>
type WaitsFor = Step['waits_for']

const lastsMs: Readonly<Record<WaitsFor, number>> = { code: 10 * 60_000, password: 30 * 60_000 }

/**
 * Manages sign-ins in progress. Each starts with a new cookie, so that an attacker cannot make a person
 * finish somebody else's sign-in.
 */
export function createSteps({ documents, clock }: { documents: Documents; clock: Clock }) {
  const rows = ownerRows(documents.collection(SignInStep), SignInStep, clock)
  const idOf = async (cookie: string) => `sis_${await sha256Hex(`step ${cookie}`)}`
  return {
    /** Starts a step. Returns the Set-Cookie header that identifies it in later requests. */
    async begin(waits_for: WaitsFor, person: Person, host: Host, next?: string): Promise<string> {
      const visit = randomText(40)
      await rows.insert({
        id: await idOf(visit),
        workspace_id: person.agency_id,
        waits_for,
        user_id: person.id,
        agency_id: person.agency_id,
        host: host.origin,
        ...(next === undefined ? {} : { next }),
        expires_at: new Date(clock.now().getTime() + lastsMs[waits_for]).toISOString(),
      })
      return cookieOf('visit', visit, host)
    },
    async of(request: Request, host: Host, waits_for: WaitsFor): Promise<Step | null> {
      const visit = readCookie(request, 'visit', host)
      const row = visit === null ? null : await rows.get(await idOf(visit))
      if (row?.waits_for !== waits_for || row.host !== host.origin) return null
      return Date.parse(row.expires_at) > clock.now().getTime() ? row : null
    },
    /** Ends the step. If two requests end it at the same time, only one gets true. */
    async end(step: Step): Promise<boolean> {
      return (await rows.removeWhere(where.eq('id', step.id))) === 1
    },
    async endAll(userId: string): Promise<void> {
      await rows.removeWhere(where.eq('user_id', userId))
    },
  }
}
