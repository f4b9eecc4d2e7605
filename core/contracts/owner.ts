import type { DoneBy, PluginAuditEvent } from './audit-event'
import type { KnownProviders } from './connection'
import type { GroupQuery, GroupRow, ListQuery, ReadContext, ReadRows } from './context'
import type { Enqueue } from './enqueue'
import type { AnyEntity, NewRow, Row, RowChanges } from './entity'
import type { AnyEventType } from './event-type'
import type { Extensions } from './extension'
import type { LogSample, LogSampleResult } from './log-mapping'
import type { Outbound } from './outbound'
import type { ErasedPeople } from './people'
import type { Settings } from './settings'
import type { Connections, News, Publish, Syncs } from './upkeep'
import type { Where } from './where'

/** A log: one line per event, with fields next to the message. */
export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** Rows of one entity across all workspaces, for jobs, feeds and commands. Never for callers. */
export interface OwnerRows<E extends AnyEntity> {
  get(id: string): Promise<Row<E> | null>
  list(query?: ListQuery): Promise<Row<E>[]>
  /** Yields all matching rows, without a limit, read by key. */
  each: ReadRows<E>['each']
  /** Like `each`, but yields pages of rows. */
  pages: ReadRows<E>['pages']
  count(where?: Where): Promise<number>
  group(query: GroupQuery): Promise<GroupRow[]>
  /** Sums rows by day, as `ReadRows` does, over all workspaces that the query names. */
  daySums: ReadRows<E>['daySums']
  insert(row: NewRow<E> & { readonly workspace_id: string }): Promise<Row<E>>
  update(id: string, changes: RowChanges<E>): Promise<Row<E> | null>
  /** Compare-and-set: changes the first matching row, or returns null. */
  updateWhere(where: Where, changes: RowChanges<E>): Promise<Row<E> | null>
  /** Makes the same changes in every matching row. Returns how many rows changed. */
  updateMany(where: Where, changes: RowChanges<E>): Promise<number>
  /**
   * Inserts many rows and returns how many. A row may set its `created_date` and `updated_date`, but its
   * states must be initial. Throws a Refusal at the first row that cannot be stored. Rows before it stay.
   */
  insertMany(
    rows: readonly (NewRow<E> & {
      readonly workspace_id: string
      readonly created_date?: string
      readonly updated_date?: string
    })[],
  ): Promise<number>
  /** Deletes all matching rows. Returns how many. */
  removeWhere(where: Where): Promise<number>
}

/** Collects writes that are stored together. Nothing is stored before all of them are collected. */
export interface WriteBatch {
  /** Adds a row. Returns it as it will be stored. */
  insert<E extends AnyEntity>(entity: E, row: NewRow<E> & { readonly workspace_id: string }): Row<E>
  /** Changes a row. Does nothing if there is no row with this id. */
  update<E extends AnyEntity>(entity: E, id: string, changes: RowChanges<E>): void
}

/** A stored value that differs from the document that it repeats. */
export interface StoredMismatch {
  /** Id of the row. Empty for a count of rows. */
  readonly id: string
  /** The dotted path of the value, or `counts`. */
  readonly path: string
}

/**
 * ClickHouse, for plugins with column tables. Write parameters as `{name:Type}` in the SQL. Never paste
 * values.
 */
export interface Columns {
  query<T = Record<string, unknown>>(sql: string, params?: Record<string, unknown>): Promise<T[]>
  insert(table: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): Promise<void>
  /** Removes the rows whose column has one of these values. Resolves when they are gone. */
  remove(table: string, column: string, values: readonly string[]): Promise<void>
}

/** The context of jobs, feeds and commands. It reads and writes all workspaces. */
export interface OwnerContext {
  rows<E extends AnyEntity>(entity: E): OwnerRows<E>
  /**
   * Stores all collected writes or none of them, if `hasTransactions`. Otherwise stores them in their order, and a process that
   * ends in between leaves the first ones.
   */
  writeTogether(collect: (batch: WriteBatch) => void): Promise<void>
  /** Whether `writeTogether` stores all or nothing. */
  readonly hasTransactions: boolean
  /**
   * Returns values that the store computes figures from and that differ from the documents, at most `limit`. Empty if the store
   * keeps no such values.
   */
  mismatches(entity: AnyEntity, limit: number): Promise<readonly StoredMismatch[]>
  /** Computes the sums of `daySums` that changed since they were last read. Reads do the same for what they ask. */
  repairSums(signal: AbortSignal): Promise<void>
  readonly columns: Columns
  readonly log: Log
  /** The running product. All its contexts have the same object here. `productState` keeps state in memory for it. */
  readonly product: object
  /** Public origin of the gateway, without a slash at the end. */
  readonly apiUrl: string
  /** Public origin of the ingest, without a slash at the end. */
  readonly ingestUrl: string
  now(): Date
  /** Returns a number from 0 up to, but not including, 1. */
  random(): number
  /** A new id with this entity's prefix. */
  newId(entity: AnyEntity): string
  /**
   * Returns 256 random bits as a token (`<prefix>` + base62), and the SHA-256 (hex) under which it is stored.
   */
  newToken(prefix: string): Promise<{ token: string; hash: string; last4: string }>
  /** Access to everything outside the installation: services, stored credentials, the language model. */
  readonly outbound: Outbound
  /** Sends a notification to the people of a workspace. */
  notify(news: News): Promise<void>
  readonly syncs: Syncs
  /** Records an event in the log of its workspace and tells all plugins. */
  readonly publish: Publish
  /** Finds the implementations that plugins provide for an extension point. */
  readonly extensions: Extensions
  /**
   * The names of the services whose accounts people connect, by provider. Does not contain their functions.
   */
  readonly providers: KnownProviders
  /** The types of events that plugins declare, ordered by name. */
  readonly eventTypes: readonly AnyEventType[]
  /** The settings of core. A plugin reads its own settings with `of(ctx)` of its `defineSettings`. */
  readonly settings: Settings
  /**
   * Returns a context that reads inside one workspace, as operations of class `read` have it. Null if there is no such
   * workspace.
   */
  workspaceReads(workspaceId: string): Promise<ReadContext | null>
  /**
   * Returns the people who were erased in the agency of a workspace. Ask before you store what was read outside, so that they do
   * not come back.
   */
  erasedPeople(workspaceId: string): Promise<ErasedPeople>
  /** Returns the ids of all inactive workspaces, and of those of inactive agencies. */
  inactiveWorkspaces(): Promise<readonly string[]>
  /**
   * Throws a `workspace_inactive` Refusal if the workspace is inactive. A command or form that starts work
   * calls it before its first write.
   */
  requireActive(workspaceId: string): Promise<void>
  /**
   * Puts a job into a queue that a plugin declares. In an inactive workspace the job of a scheduled task
   * waits. Commands and forms are refused with `workspace_inactive`.
   */
  readonly enqueue: Enqueue
  /** Who calls, if known. Absent if the product itself calls. */
  readonly by?: DoneBy
  /**
   * Records an audit event of an agency, or of the agency of a workspace. Never fails, because the event has already
   * happened.
   */
  recordAudit(event: PluginAuditEvent): Promise<void>
  /**
   * Runs short work under a lock. Only one process in the installation runs work under this name at a time.
   * Do not nest calls with the same name.
   */
  withLock<T>(name: string, work: () => Promise<T>): Promise<T>
  /**
   * Writes every hit in this installation's journal to the column tables. Throws if the ingest or ClickHouse
   * fails. Returns false if `RENOWN_INGEST_SECRET` is set: other machines may then have accepted hits, and those
   * stay in the journals there.
   */
  flushHits(): Promise<boolean>
  /**
   * Reads a few lines of a site's log as the ingest would, with a mapping or with one that it proposes. The result
   * contains no address. Nothing is counted or stored.
   */
  readLogSample(sample: LogSample): Promise<LogSampleResult>
  /** Tells the subscribers of the feed that its answer has changed. */
  changed(feed: string): void
}

/** Reads across all workspaces, for pages and cards: the system context without its writes. */
export interface SystemReads
  extends Pick<OwnerContext, 'eventTypes' | 'extensions' | 'log' | 'now' | 'providers' | 'settings'> {
  rows<E extends AnyEntity>(
    entity: E,
  ): Pick<OwnerRows<E>, 'get' | 'list' | 'each' | 'pages' | 'count' | 'group' | 'daySums'>
  /** The connected accounts, without their tokens. Sends no request. */
  readonly outbound: {
    readonly connections: Pick<Connections, 'get' | 'list'>
    /** Whether a mail server is set up. */
    readonly mail: Pick<Outbound['mail'], 'isConfigured'>
  }
}

/** A column table. Core derives its DDL and creates it at start. An entity can be read from it. */
export interface TableDeclaration {
  readonly name: string
  readonly columns: Readonly<Record<string, string>>
  readonly engine: string
  readonly orderBy: readonly string[]
  readonly partitionBy?: string
  /**
   * For rows without `workspace_id`: the column with the id of a record, and that record's entity, which
   * gives the workspace. Rows without either belong to no workspace, and are not deleted with one.
   */
  readonly within?: { readonly column: string; readonly entity: string }
  readonly ttl?: string
  readonly settings?: Readonly<Record<string, string | number>>
  /**
   * The columns with texts that can name a person, such as paths of a website. Empty: none. Erasure changes them, and removes rows
   * where such a column is part of the key.
   */
  readonly people?: readonly string[]
}
