import type { KnownProviders } from './connection'
import type { GroupQuery, GroupRow, ListQuery, ReadRows } from './context'
import type { Enqueue } from './enqueue'
import type { AnyEntity, NewRow, Row, RowChanges } from './entity'
import type { Extensions } from './extension'
import type { Outbound } from './outbound'
import type { Settings } from './settings'
import type { Happened, News, Syncs } from './upkeep'
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
  /** Yields all rows that match, however many, read by key. */
  each: ReadRows<E>['each']
  /** The same, page by page. */
  pages: ReadRows<E>['pages']
  count(where?: Where): Promise<number>
  group(query: GroupQuery): Promise<GroupRow[]>
  insert(row: NewRow<E> & { readonly workspace_id: string }): Promise<Row<E>>
  update(id: string, changes: RowChanges<E>): Promise<Row<E> | null>
  /** Compare-and-set: changes the first row that matches, or answers null. */
  updateWhere(where: Where, changes: RowChanges<E>): Promise<Row<E> | null>
  /** Makes the same changes in every matching row. Returns how many rows changed. */
  updateMany(where: Where, changes: RowChanges<E>): Promise<number>
  /**
   * Inserts many rows and returns how many. A row may name its `created_date` and `updated_date`; its states are initial ones all the
   * same. Throws a Refusal at the first row that cannot be stored; the rows before it stay.
   */
  insertMany(
    rows: readonly (NewRow<E> & {
      readonly workspace_id: string
      readonly created_date?: string
      readonly updated_date?: string
    })[],
  ): Promise<number>
  /** Removes for good what matches; answers how many. */
  removeWhere(where: Where): Promise<number>
}

/** ClickHouse, for plugins with column tables. Parameters are `{name:Type}` in the SQL. Never paste values. */
export interface Columns {
  query<T = Record<string, unknown>>(sql: string, params?: Record<string, unknown>): Promise<T[]>
  insert(table: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): Promise<void>
  /** Removes the rows whose column holds one of these values; they are gone when this resolves. */
  remove(table: string, column: string, values: readonly string[]): Promise<void>
}

/** Who did something, for the audit log. */
export interface DoneBy {
  /** Origin it was done at, or `command line`. */
  readonly host: string
  readonly user_id?: string
}

/** An audit event: something that a person or a command did. It never contains a secret. */
export interface Written {
  readonly workspace_id: string
  /** What it was done to and what, such as `site.add`. */
  readonly action: `${'workspace' | 'location' | 'site'}.${string}`
  /** The same in words for people, such as Site added. */
  readonly what: string
  /** Name of what it was done to, as others gave it. */
  readonly subject?: string
  /** `by` of the context. */
  readonly by: DoneBy | undefined
}

/** The context of jobs, feeds and commands. It reads and writes all workspaces. */
export interface OwnerContext {
  rows<E extends AnyEntity>(entity: E): OwnerRows<E>
  readonly columns: Columns
  readonly log: Log
  /** Public origin of the gateway, without a slash at its end. */
  readonly apiUrl: string
  /** Public origin of the ingest, without a slash at its end. */
  readonly ingestUrl: string
  now(): Date
  /** At least 0 and below 1. */
  random(): number
  /** A new id with this entity's prefix. */
  newId(entity: AnyEntity): string
  /** 256 random bits as a token `<prefix>` + base62, and the SHA-256 (hex) under which it is stored. */
  newToken(prefix: string): Promise<{ token: string; hash: string; last4: string }>
  /** What reaches outside the installation: services, stored credentials, the language model. */
  readonly outbound: Outbound
  /** Tells the people of a workspace something. */
  notify(news: News): Promise<void>
  readonly syncs: Syncs
  /** Tells all plugins that something happened here. */
  readonly happened: Happened
  /** The implementations that plugins provide for an extension point. */
  readonly extensions: Extensions
  /** The names of the services whose accounts people connect, by provider. Their functions belong to the plugins that declare them. */
  readonly providers: KnownProviders
  /** The settings of core. A plugin reads its own by `of(ctx)` of its `defineSettings`. */
  readonly settings: Settings
  /** Returns the ids of all workspaces that are not worked on, with the ids of inactive agencies. */
  inactiveWorkspaces(): Promise<readonly string[]>
  /**
   * Throws a `workspace_inactive` Refusal where Renown does no work for a workspace. A command or form that starts work calls
   * it before its first write.
   */
  requireActive(workspaceId: string): Promise<void>
  /**
   * Puts durable work into a queue that a plugin declares. In an inactive workspace the job waits; a command or form is
   * refused with `workspace_inactive`.
   */
  readonly enqueue: Enqueue
  /** Who asks, where that is known; the product itself where it is left out. */
  readonly by?: DoneBy
  /** Writes into the audit of the workspace's agency what was done. It has been done, so that this never fails. */
  writeDown(written: Written): Promise<void>
  /**
   * Runs short work under a lock: one at a time under this name in the whole installation. Do not call it with the
   * same name inside the work.
   */
  inTurn<T>(name: string, work: () => Promise<T>): Promise<T>
  /**
   * Writes every hit that this installation's journal holds to the column tables. Throws where the ingest or ClickHouse cannot.
   * Hits in the journals of other machines stay there: returns false if ingest processes on other machines can have accepted hits.
   */
  flushHits(): Promise<boolean>
  /** Tells the feed of that name that its answer has changed. */
  changed(feed: string): void
}

/** The reads above the workspaces, for pages and cards: the system context without its writes. */
export interface SystemReads
  extends Pick<OwnerContext, 'extensions' | 'log' | 'now' | 'providers' | 'settings'> {
  rows<E extends AnyEntity>(
    entity: E,
  ): Pick<OwnerRows<E>, 'get' | 'list' | 'each' | 'pages' | 'count' | 'group'>
}

/** A column table. Core derives its DDL and applies it at start. An entity may be read from it. */
export interface TableDeclaration {
  readonly name: string
  readonly columns: Readonly<Record<string, string>>
  readonly engine: string
  readonly orderBy: readonly string[]
  readonly partitionBy?: string
  /**
   * For rows without `workspace_id`: the column with the id of a record, and the record's entity, which gives the
   * workspace. Rows of a table without either belong to no workspace, and are not deleted with one.
   */
  readonly within?: { readonly column: string; readonly entity: string }
  readonly ttl?: string
  readonly settings?: Readonly<Record<string, string | number>>
}
