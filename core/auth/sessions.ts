import { ownerRows } from '../contexts/owner'
import type { Row } from '../contracts/entity'
import { dayMs } from '../contracts/time'
import { where } from '../contracts/where'
import type { Clock } from '../process/clock'
import { isWellFormedToken, mintToken, sha256Hex } from '../process/crypto'
import type { Host } from '../requests/host'
import type { Documents } from '../stores/documents/port'
import { cachedDocuments } from '../stores/documents/read-cache'
import { Agency } from '../tenancy/Agency'
import { User } from '../tenancy/User'
import { browserOf } from './browser'
import { cookieOf, noCookie, readCookie } from './cookies'
import { Session as SessionEntity } from './Session'

/** A person who is signed in on one host. */
export interface Session {
  readonly id: string
  readonly user_id: string
  readonly agency_id: string
  /** The token in every form of this session's pages. */
  readonly csrf_token: string
  readonly signed_in_at: string
  /** When the password was last entered. Important actions ask for it again after ten minutes. */
  readonly reauthenticated_at: string | null
  readonly host: string
  /** The chosen workspace. Without one, the person's first workspace is shown. */
  readonly chosen_workspace_id: string | null
}

export type Person = Row<typeof User>

/** A new session, and the Set-Cookie header for it. */
export interface Started {
  readonly session: Session
  readonly cookie: string
}

export interface Sessions {
  /** Returns the session of a request, by its cookie and its host. Never used under /api. */
  of(request: Request, host: Host | null): Promise<Session | null>
  /** Signs a person in under a new id. */
  start(user: Person, host: Host, request: Request): Promise<Started>
  /** Continues the session under a new id, after the password was entered again. */
  renew(session: Session): Promise<Started | null>
  /** Stores the chosen workspace. */
  choose(session: Session, workspaceId: string): Promise<void>
  end(session: Session): Promise<void>
  /** Ends every session of a person on every host. Returns how many. */
  endAll(userId: string, exceptId?: string): Promise<number>
  list(userId: string): Promise<Row<typeof SessionEntity>[]>
  /** Returns the Set-Cookie header that deletes the cookie. */
  ended(host: Host): string
}

const prefix = 'rnw_ses_'
const idleMs = 7 * dayMs
const longestMs = 30 * dayMs
const usedEveryMs = 5 * 60_000
const recentMs = 10 * 60_000
/** Maximum sessions of one person. A new one ends those that were unused the longest. */
const perPersonMax = 20
/** Maximum sessions that are read at one sign-in. */
const shownMax = 100

/** Whether the person entered the password in the last ten minutes. */
export const isRecent = ({ reauthenticated_at }: Session, now: Date): boolean =>
  reauthenticated_at !== null && now.getTime() - Date.parse(reauthenticated_at) <= recentMs

/** Returns the token that proves that a form was made for this cookie. */
export const csrfTokenOf = (cookie: string): Promise<string> => sha256Hex(`form ${cookie}`)

/**
 * Manages sessions of people. They end after 7 unused days or 30 days at most, and work only on the host
 * where they started.
 */
export function createSessions({ documents, clock }: { documents: Documents; clock: Clock }): Sessions {
  const rows = ownerRows(documents.collection(SessionEntity), SessionEntity, clock)
  const userRow = cachedDocuments(documents.collection(User))
  const agencyRow = cachedDocuments(documents.collection(Agency))

  const sessionOf = async (row: Row<typeof SessionEntity>, token: string): Promise<Session> => ({
    id: row.id,
    user_id: row.user_id,
    agency_id: row.agency_id,
    csrf_token: await csrfTokenOf(token),
    signed_in_at: row.signed_in_at,
    reauthenticated_at: row.reauthenticated_at ?? null,
    host: row.host,
    chosen_workspace_id: row.chosen_workspace_id ?? null,
  })
  const started = async (row: Row<typeof SessionEntity>, token: string): Promise<Started> => {
    const seconds = Math.ceil((Date.parse(row.ends_at) - clock.now().getTime()) / 1000)
    const cookie = cookieOf('session', token, { origin: row.host }, seconds)
    return { session: await sessionOf(row, token), cookie }
  }
  const listOf = (userId: string) => rows.list({ where: where.eq('user_id', userId), limit: shownMax })
  const stillThere = async ({ user_id, agency_id }: Row<typeof SessionEntity>, host: Host) => {
    if (host.agency_id !== null && host.agency_id !== agency_id) return false
    const [user, agency] = await Promise.all([userRow(user_id), agencyRow(agency_id)])
    return user?.is_active === true && agency?.is_active === true
  }

  return {
    async of(request, host) {
      if (!host) return null
      const token = readCookie(request, 'session', host)
      if (token === null || !isWellFormedToken(prefix, token)) return null
      const [row] = await rows.list({ where: where.eq('token_hash', await sha256Hex(token)), limit: 1 })
      const now = clock.now()
      if (row?.host !== host.origin || Date.parse(row.expires_at) <= now.getTime()) return null
      if (!(await stillThere(row, host))) return null
      if (now.getTime() - Date.parse(row.last_used_at) >= usedEveryMs) {
        const last_used_at = now.toISOString()
        await rows.update(row.id, { last_used_at, expires_at: idleEnd(now, row.ends_at) })
      }
      return sessionOf(row, token)
    },
    async start(user, host, request) {
      const { token, hash } = await mintToken(prefix)
      const now = clock.now()
      const ends_at = later(now, longestMs)
      const row = await rows.insert({
        workspace_id: user.agency_id,
        token_hash: hash,
        user_id: user.id,
        agency_id: user.agency_id,
        host: host.origin,
        browser: browserOf(request.headers.get('user-agent')),
        signed_in_at: now.toISOString(),
        reauthenticated_at: now.toISOString(),
        last_used_at: now.toISOString(),
        ends_at,
        expires_at: idleEnd(now, ends_at),
      })
      const surplus = surplusOf(await listOf(user.id), row.id)
      if (surplus.length > 0) await rows.removeWhere(where.in('id', surplus))
      return started(row, token)
    },
    async renew({ id }) {
      const { token, hash } = await mintToken(prefix)
      const row = await rows.update(id, { token_hash: hash, reauthenticated_at: clock.now().toISOString() })
      return row && started(row, token)
    },
    async choose({ id }, chosen_workspace_id) {
      await rows.update(id, { chosen_workspace_id })
    },
    async end({ id }) {
      await rows.removeWhere(where.eq('id', id))
    },
    endAll: (userId, exceptId = '') =>
      rows.removeWhere(where.and(where.eq('user_id', userId), where.ne('id', exceptId))),
    list: listOf,
    ended: (host) => noCookie('session', host),
  }
}

/** Returns the sessions to end for a new one: those that were unused the longest. */
const surplusOf = (all: readonly Row<typeof SessionEntity>[], newId: string): string[] =>
  all
    .filter(({ id }) => id !== newId)
    .sort((a, b) => (a.last_used_at < b.last_used_at ? 1 : -1))
    .slice(perPersonMax - 1)
    .map(({ id }) => id)

const later = (now: Date, ms: number) => new Date(now.getTime() + ms).toISOString()
const idleEnd = (now: Date, endsAt: string) =>
  new Date(Math.min(now.getTime() + idleMs, Date.parse(endsAt))).toISOString()
