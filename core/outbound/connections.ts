import { labelOf, type Providers, type RenewedToken } from '../contracts/connection'
import type { Row } from '../contracts/entity'
import type { AskService, Outbound, SealedPlace } from '../contracts/outbound'
import { isServiceFault, ServiceFault } from '../contracts/service-fault'
import type { Settings } from '../contracts/settings'
import type { ConnectionInfo, Connections, News, Publish } from '../contracts/upkeep'
import { where } from '../contracts/where'
import { connectionBroken } from '../events/core-events'
import type { Clock } from '../process/clock'
import type { Documents, Patch } from '../stores/documents/port'
import { Connection } from './Connection'

type ConnectionRow = Row<typeof Connection>

/** A token that expires sooner than this is renewed first. */
const spareMs = 60_000
/** A use is recorded at most this often. */
const usedEveryMs = 5 * 60_000
/** Time limit of one renewal, so that a crashed process does not block others for long. */
const renewalMs = 20_000

export interface ConnectionsDeps {
  readonly documents: Documents
  readonly clock: Clock
  readonly secrets: Outbound['secrets']
  readonly ask: AskService
  readonly notify: (news: News) => Promise<void>
  readonly publish: Publish
  readonly providers: Providers
  readonly settings: Settings
}

/** Returns the field that a token of a connection is encrypted for. */
export const tokenSecretField = (
  { id, workspace_id }: Pick<ConnectionRow, 'id' | 'workspace_id'>,
  field: 'access_token' | 'refresh_token',
): SealedPlace => ({ entity: Connection.name, workspace_id, id, field })

/**
 * Manages accounts with outside services. Tokens are decrypted only for use, and renewed by one process at a
 * time.
 */
export function createConnections(deps: ConnectionsDeps): Connections {
  const { documents, clock, secrets, notify, publish, providers } = deps
  const rows = documents.collection(Connection)
  const get = (id: string): Promise<ConnectionRow | null> => rows.get(id)
  const change = (id: string, patch: Patch<typeof Connection>) => rows.updateOne(where.eq('id', id), patch)
  const fail: Connections['fail'] = async (id, state, reason) => {
    const row = await get(id)
    if (!row || row.state === state) return
    const set = { state, error: reason.slice(0, 500), updated_date: clock.now().toISOString() }
    // The row is changed last. If the process ends before, the next failed use repeats both under the same keys.
    await publish(connectionBroken, eventOf(row, state))
    await notify({ ...newsOf(providers, row, state, reason), once: `${id} ${state} ${row.updated_date}` })
    await change(id, { set })
  }
  const token: Connections['token'] = async (id, { renew = false } = {}) => {
    for (;;) {
      const row = await get(id)
      if (!row) throw new ServiceFault('auth', 'The connection does not exist', { code: 'no_connection' })
      if (row.state === 'broken')
        throw new ServiceFault('auth', row.error ?? 'The connection no longer works. Connect it again.')
      const known = row.access_token
      const lives = Date.parse(row.access_token_ends_at ?? '9999') - clock.now().getTime() > spareMs
      if (known !== undefined && lives && !renew) {
        const token = secrets.open(known, tokenSecretField(row, 'access_token'))
        const now = clock.now()
        if (now.getTime() - Date.parse(row.last_used_at ?? '1970-01-01') >= usedEveryMs)
          await change(id, { set: { last_used_at: now.toISOString() } })
        return token
      }
      const renewed = await renewOnce(deps, row, fail)
      if (renewed !== null) return renewed
      renew = false
      await Bun.sleep(100)
    }
  }
  return {
    get: async (id) => infoOf(await get(id)),
    list: async ({ workspace_id, provider }) => {
      const own = where.and(where.eq('workspace_id', workspace_id), where.eq('provider', provider))
      const found = await rows.find({ where: own })
      return found.flatMap((row) => infoOf(row) ?? [])
    },
    token,
    fail,
    async works(id) {
      const lost = where.and(where.eq('id', id), where.eq('state', 'source_unavailable'))
      const set = { state: 'connected', updated_date: clock.now().toISOString() } as const
      await rows.updateOne(lost, { set, unset: ['error'] })
    },
  }
}

/** Renews a token. Null if another process is renewing it. */
async function renewOnce(deps: ConnectionsDeps, row: ConnectionRow, fail: Connections['fail']) {
  const { documents, clock, secrets, providers, ask, settings } = deps
  const rows = documents.collection(Connection)
  const sealed = row.refresh_token
  const declared = providers.get(row.provider)
  // If the plugin is not loaded, the state of the connection is unknown.
  if (!declared) throw new ServiceFault('unsupported', `No loaded plugin connects ${row.provider}`)
  if (!declared.renew || sealed === undefined) {
    await fail(row.id, 'broken', 'The access token has expired and cannot be renewed')
    throw new ServiceFault('auth', 'The access token has expired and cannot be renewed')
  }
  const now = clock.now()
  const unclaimed = where.and(
    where.eq('id', row.id),
    where.or(where.eq('renewal_until', null), where.lte('renewal_until', now.toISOString())),
  )
  const until = { set: { renewal_until: new Date(now.getTime() + renewalMs).toISOString() } }
  if (!(await rows.updateOne(unclaimed, until))) return null
  // Somebody may reconnect the account in the meantime. A result for the old token then must not change the
  // new one.
  const same = where.and(where.eq('id', row.id), where.eq('refresh_token', sealed))
  try {
    const fresh = await declared.renew(
      { outbound: { ask }, settings },
      secrets.open(sealed, tokenSecretField(row, 'refresh_token')),
    )
    await rows.updateOne(same, { set: stored(deps, row, fresh), unset: ['renewal_until', 'error'] })
    return fresh.accessToken
  } catch (error) {
    const isCurrent = await rows.updateOne(same, { unset: ['renewal_until'] })
    if (!isCurrent) return null
    if (isServiceFault(error) && error.kind === 'auth') await fail(row.id, 'broken', error.message)
    throw error
  }
}

function stored({ secrets, clock }: ConnectionsDeps, row: ConnectionRow, fresh: RenewedToken) {
  const now = clock.now()
  return {
    access_token: secrets.seal(fresh.accessToken, tokenSecretField(row, 'access_token')),
    access_token_ends_at: new Date(now.getTime() + fresh.livesMs).toISOString(),
    ...(fresh.refreshToken === undefined
      ? {}
      : { refresh_token: secrets.seal(fresh.refreshToken, tokenSecretField(row, 'refresh_token')) }),
    last_used_at: now.toISOString(),
    updated_date: now.toISOString(),
  }
}

function infoOf(row: ConnectionRow | null): ConnectionInfo | null {
  if (!row) return null
  const { id, workspace_id, provider, account_id, account_name, state } = row
  return { id, workspace_id, provider, account_id, account_name, state }
}

function eventOf(row: ConnectionRow, state: 'broken' | 'source_unavailable') {
  const { id, workspace_id, provider, account_id, updated_date } = row
  return {
    workspace_id,
    key: `${id} ${state} ${updated_date}`,
    data: { connection_id: id, provider, account_id, state },
  }
}

function newsOf(
  providers: Providers,
  row: ConnectionRow,
  state: ConnectionInfo['state'],
  reason: string,
): News {
  const name = row.account_name ?? row.account_id
  const what = state === 'broken' ? 'has to be connected again' : 'no longer offers its reviews'
  return {
    workspace_id: row.workspace_id,
    type: state === 'broken' ? 'connection_broken' : 'source_unavailable',
    severity: 'critical',
    title: `${labelOf(providers, row.provider)} ${what}: ${name}`,
    body: `${reason} Nothing that is stored is changed by this; nothing new is read until it works again.`,
  }
}
