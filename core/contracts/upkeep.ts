import type { GenericSchema } from 'valibot'
import type { EventType, NewEvent } from './event-type'

/** A notification for the people of a workspace. */
export interface News {
  readonly workspace_id: string
  readonly location_id?: string
  /** In snake_case, such as `connection_broken`. */
  readonly type: string
  readonly severity: 'info' | 'warning' | 'critical'
  readonly title: string
  readonly body: string
  readonly entity?: string
  readonly entity_id?: string
  /** A unique name within the workspace. A second notification with this name is not sent. */
  readonly once?: string
}

/** The source and target of a sync. Each target has one SyncStatus. */
export interface SyncTarget {
  readonly workspace_id: string
  readonly location_id: string
  readonly kind: 'reviews' | 'mentions' | 'visibility' | 'enrichment' | 'ranges'
  readonly source: string
}

/** How a sync ended that read something. */
export interface SyncOutcome {
  readonly status: 'succeeded' | 'partial'
  readonly items_seen: number
  readonly items_changed: number
  /** Whether the sync was proved to be complete. */
  readonly complete: boolean
  readonly error?: string
}

/** Shows people which syncs run and how the last one ended. */
export interface Syncs {
  began(target: SyncTarget): Promise<void>
  ended(target: SyncTarget, outcome: SyncOutcome): Promise<void>
  /**
   * Shows why nothing could be read. Nothing is shown if a store of this installation was away: the source is not to blame, and the
   * sync is tried again.
   */
  failed(target: SyncTarget, error: unknown): Promise<void>
}

/** An account with an outside service, without its secrets, as plugins see it. */
export interface ConnectionInfo {
  readonly id: string
  readonly workspace_id: string
  /** `provider` of a connection declaration. */
  readonly provider: string
  /** The service's own id of the account. */
  readonly account_id: string
  readonly account_name?: string | undefined
  readonly state: 'connected' | 'broken' | 'source_unavailable'
}

/** Accounts with outside services. */
export interface Connections {
  get(id: string): Promise<ConnectionInfo | null>
  list(wanted: {
    readonly workspace_id: string
    readonly provider: ConnectionInfo['provider']
  }): Promise<ConnectionInfo[]>
  /**
   * Returns an access token that is valid for at least another minute. Renews it if necessary, or if `renew`
   * is set. Throws a ServiceFault: `auth` if the connection is broken. The connection is then marked and
   * people are notified.
   */
  token(id: string, options?: { readonly renew?: boolean }): Promise<string>
  /** Marks a connection that no longer works, and notifies people once. */
  fail(id: string, state: 'broken' | 'source_unavailable', reason: string): Promise<void>
  /** Marks a connection as working after its source was unavailable. */
  works(id: string): Promise<void>
}

/** An account of a workspace with a service, identified by the service's own id. */
export type Account = Pick<ConnectionInfo, 'workspace_id' | 'provider' | 'account_id'>

/**
 * Records an event in the log of its workspace, then calls the subscribers of all plugins. A subscriber that fails is
 * logged and does not delay the others. An event whose key is already recorded is ignored.
 */
export type Publish = <Data extends GenericSchema>(
  type: EventType<Data>,
  event: NewEvent<Data>,
) => Promise<void>
