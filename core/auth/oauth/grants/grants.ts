import { ownerRows } from '../../../contexts/owner'
import type { Row } from '../../../contracts/entity'
import type { OwnerRows } from '../../../contracts/plugin'
import { dayMs } from '../../../contracts/time'
import { where } from '../../../contracts/where'
import type { Clock } from '../../../process/clock'
import type { Host } from '../../../requests/host'
import type { Documents } from '../../../stores/documents/port'
import { cachedDocuments } from '../../../stores/documents/read-cache'
import type { Scope } from '../scopes'
import { type endings, OAuthGrant } from './OAuthGrant'

export type Grant = Row<typeof OAuthGrant>
export type Ending = (typeof endings)[number]

/** A connected app, as owners see it. */
export interface ConnectedApp {
  readonly grant_id: string
  readonly name: string
  /** Whether the app is identified by the address of its own document. Otherwise its name is only a claim. */
  readonly is_verified: boolean
  /** Host of that document, or of the redirect address. */
  readonly app_host: string
  /** Issuer at which the connection works. */
  readonly host: string
  readonly scopes: readonly Scope[]
  readonly workspace_ids: readonly string[] | null
  readonly connected_at: string
  readonly last_used_at: string | null
}

export interface Grants {
  /** Records a consent. The app gets tokens in exchange for its code. */
  begin(consent: Consent): Promise<Grant>
  /**
   * Marks the grant as connected when the app gets its first token. A grant that ended at the same time stays
   * ended.
   */
  connect(id: string): Promise<Grant | null>
  /** Returns the grant if it has not ended. */
  live(id: string): Promise<Grant | null>
  /**
   * Returns the grant if it works at this host: the host of the consent, which must be a domain of the same
   * agency.
   */
  liveAt(id: string, host: Host): Promise<Grant | null>
  /** Extends the grant when the app gets another token. */
  renew(grant: Grant): Promise<Grant | null>
  /** Ends a grant and all its tokens. Null if it had already ended. */
  end(id: string, reason: Ending): Promise<Grant | null>
  /** Records a use, at most once in five minutes. */
  touch(grant: Grant): void
  connected(agencyId: string): Promise<readonly ConnectedApp[]>
  /** Returns every grant of a person that has not ended, connected or not. */
  allowedBy(userId: string, agencyId: string): Promise<readonly Grant[]>
}

export type Consent = Pick<
  Grant,
  'agency_id' | 'user_id' | 'host' | 'client_id' | 'client_name' | 'is_verified' | 'app_host' | 'scopes'
> & { readonly workspace_ids?: string[] }

/** How long an unused refresh token works. Its grant ends with it. */
export const idleMs = 60 * dayMs
/** How long a refresh token can be renewed. After that, the person is asked again. */
const absoluteMs = 180 * dayMs
/**
 * How long Renown remembers the app of an ended grant, so that it can tell the app that the grant has ended.
 */
export const grantRetentionMs = absoluteMs + 7 * dayMs
/** How long a grant is stored if its code was not used. */
const unconnectedMs = dayMs
const usedEveryMs = 5 * 60_000

export function createGrants({
  documents,
  clock,
}: {
  readonly documents: Documents
  readonly clock: Clock
}): Grants {
  const collection = documents.collection(OAuthGrant)
  const rows = ownerRows(collection, OAuthGrant, clock)
  const kept = cachedDocuments(collection)
  const after = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
  const isLive = (grant: Grant) => !grant.is_revoked && grant.expires_at > clock.now().toISOString()
  const underWay = new Set<string>()
  const live = async (id: string) => {
    const grant = (await kept(id)) as Grant | null
    return grant && isLive(grant) ? grant : null
  }
  return {
    live,
    async liveAt(id, { origin, agency_id }) {
      const grant = await live(id)
      const isHere = grant?.host === origin && (agency_id === null || agency_id === grant.agency_id)
      return isHere ? grant : null
    },
    begin: (consent) =>
      rows.insert({
        ...consent,
        workspace_id: consent.agency_id,
        is_revoked: false,
        expires_at: after(unconnectedMs),
      }),
    connect: (id) => rows.update(id, { connected_at: after(0), expires_at: after(idleMs) }),
    renew({ id, connected_at }) {
      const absolute = Date.parse(connected_at ?? '') + absoluteMs
      const ends = Math.min(clock.now().getTime() + idleMs, absolute)
      const expires_at = new Date(ends).toISOString()
      return rows.updateWhere(working(id), { expires_at, last_used_at: after(0) })
    },
    end: (id, reason) => endGrant(rows, id, reason, clock.now()),
    touch(grant) {
      const now = clock.now().getTime()
      if (grant.last_used_at && now - Date.parse(grant.last_used_at) < usedEveryMs) return
      if (underWay.has(grant.id)) return
      underWay.add(grant.id)
      rows
        .updateWhere(working(grant.id), { last_used_at: after(0) })
        .catch(() => null)
        .finally(() => underWay.delete(grant.id))
    },
    connected: (agencyId) => connectedApps(rows, agencyId, clock.now()),
    allowedBy: (userId, agencyId) =>
      rows.list({ where: where.and(unended(agencyId), where.eq('user_id', userId)) }),
  }
}

/** Returns the apps that an agency has connected, newest first. */
export async function connectedApps(
  rows: Pick<OwnerRows<typeof OAuthGrant>, 'list'>,
  agencyId: string,
  now: Date,
): Promise<readonly ConnectedApp[]> {
  const found = await rows.list({ where: unended(agencyId) })
  return found
    .filter(({ expires_at }) => expires_at > now.toISOString())
    .flatMap((grant) => (grant.connected_at ? [shown(grant, grant.connected_at)] : []))
}

/** Ends a grant and all its tokens. Null if it had already ended. */
export const endGrant = (
  rows: Pick<OwnerRows<typeof OAuthGrant>, 'updateWhere'>,
  id: string,
  reason: Ending,
  now: Date,
): Promise<Grant | null> =>
  rows.updateWhere(working(id), {
    is_revoked: true,
    revoked_at: now.toISOString(),
    revoked_reason: reason,
  })

const unended = (agencyId: string) =>
  where.and(where.eq('agency_id', agencyId), where.eq('is_revoked', false))
const working = (id: string) => where.and(where.eq('id', id), where.eq('is_revoked', false))

const shown = (grant: Grant, connected_at: string): ConnectedApp => ({
  grant_id: grant.id,
  name: grant.client_name,
  is_verified: grant.is_verified,
  app_host: grant.app_host,
  host: grant.host,
  scopes: grant.scopes,
  workspace_ids: grant.workspace_ids ?? null,
  connected_at,
  last_used_at: grant.last_used_at ?? null,
})
