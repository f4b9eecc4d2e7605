import { ownerRows } from '../../../contexts/owner'
import type { Row } from '../../../contracts/entity'
import { dayMs } from '../../../contracts/time'
import { where } from '../../../contracts/where'
import type { Clock } from '../../../process/clock'
import type { Host } from '../../../requests/host'
import type { RequestState } from '../../../requests/request'
import type { Documents } from '../../../stores/documents/port'
import type { Client } from './client'
import { type AppDocuments, isDocumentUrl } from './client-metadata'
import { OAuthClient } from './OAuthClient'

export interface Clients {
  /** Returns the app with this id at this host, or null if it does not exist or has expired. */
  find(clientId: string, host: Host, state: RequestState): Promise<Client | null>
  register(host: Host, app: NewClient): Promise<{ client_id: string; issued_at: Date }>
  /** Keeps the app for as long as its grant can last, after a person allowed it. */
  keep(clientId: string, until: Date): Promise<void>
}

export type NewClient = Pick<
  Row<typeof OAuthClient>,
  'name' | 'redirect_uris' | 'auth_method' | 'secret_hash'
>

const unusedMs = dayMs
const registeredForm = /^ocl_[0-9A-Z]{26}$/

export function createClients(deps: {
  readonly documents: Documents
  readonly clock: Clock
  readonly appDocuments: AppDocuments
}): Clients {
  const { clock, appDocuments } = deps
  const rows = ownerRows(deps.documents.collection(OAuthClient), OAuthClient, clock)
  return {
    async find(clientId, host, state) {
      if (isDocumentUrl(clientId)) return appDocuments.find(clientId, state)
      const row = registeredForm.test(clientId) ? await rows.get(clientId) : null
      if (row?.host !== host.origin || row.expires_at <= clock.now().toISOString()) return null
      const { name, redirect_uris, secret_hash, auth_method } = row
      return { client_id: row.id, name, redirect_uris, secret_hash, auth_method, named_by: undefined }
    },
    async register(host, app) {
      const issued_at = clock.now()
      const expires_at = new Date(issued_at.getTime() + unusedMs).toISOString()
      const workspace_id = host.agency_id ?? 'none'
      const { id } = await rows.insert({ ...app, workspace_id, host: host.origin, expires_at })
      return { client_id: id, issued_at }
    },
    async keep(clientId, until) {
      if (!registeredForm.test(clientId)) return
      const expires_at = until.toISOString()
      await rows.updateWhere(where.and(where.eq('id', clientId), where.lt('expires_at', expires_at)), {
        expires_at,
      })
    },
  }
}
