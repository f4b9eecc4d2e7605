import type { AuditedDeed } from './audit-event'
import type { DaySum, DaySumsQuery } from './day-sums'
import type { AnyEntity, NewRow, Row, RowChanges } from './entity'
import type { Extensions } from './extension'
import type { Model } from './outbound'
import type { Settings } from './settings'
import type { SortKey, Where } from './where'

/** What to list: a filter, a sort order and a window. */
export interface ListQuery {
  readonly where?: Where
  /** `id` is appended to break ties. */
  readonly sort?: readonly SortKey[]
  readonly limit?: number
  readonly skip?: number
}

/** A list that returns only some fields. In column stores, fields that are left out cost nothing. */
export interface FieldsQuery<F extends string> extends ListQuery {
  /** Field names of the entity. `id` is always returned. */
  readonly fields: readonly F[]
}

/** A query whose rows are read in pages. */
export interface PagesQuery<F extends string = string> {
  readonly where?: Where
  /** Field names of the entity. Default: all. `id` and the fields of `by` are always returned. */
  readonly fields?: readonly F[]
  /** The fields that rows are sorted by. Their combined values must be unique. Default: `id`. */
  readonly by?: string | readonly string[]
  /** Rows per page. Default: 500. */
  readonly size?: number
  /** Stops reading before the next page. */
  readonly signal?: AbortSignal
}

/** A number that is computed for each group. */
export type Measure =
  /** Counts rows. With a field, only rows in which the field has a value. */
  | { readonly as: string; readonly fn: 'count'; readonly field?: string }
  | { readonly as: string; readonly fn: 'sum' | 'avg' | 'min' | 'max'; readonly field: string }

/** Groups rows by the values of fields, with measures for each group. */
export interface GroupQuery {
  readonly where?: Where
  /** Field names, or an instant field cut to a period in a time zone. */
  readonly by: readonly (
    | string
    | { readonly field: string; readonly unit: 'day' | 'week' | 'month'; readonly timezone: string }
  )[]
  readonly measures: readonly Measure[]
  readonly limit?: number
}
/** One group: the values of its fields and measures, by name. */
export type GroupRow = Record<string, string | number | boolean | null>

/** A part of an entry of a JSON field: its key in an object, its value, or one member of its value. */
export type EntryPart = 'key' | 'value' | `value.${string}`

/** Groups the entries of a JSON field instead of rows. Only for entities stored in columns. */
export interface EntryGroupQuery {
  readonly where?: Where
  /**
   * The field: an array, or an object with undeclared keys. A dotted name selects a field of a declared
   * object. Several fields are read as one list.
   */
  readonly of: string | readonly string[]
  /**
   * For several lists. An entry of a later list counts only if the first list of the row has no entry with
   * the same value in this part. The part must be one of `by`, and occur once in each list.
   */
  readonly unlessFirst?: EntryPart
  /** Selects entries with this text in this part. The part must be one of `by`. */
  readonly entryIs?: { readonly entry: EntryPart; readonly value: string }
  /** Field names of the row, or parts of an entry as text. */
  readonly by: readonly (string | { readonly as: string; readonly entry: EntryPart })[]
  /** `count` counts entries. A summed part must be a number. */
  readonly measures: readonly (
    | { readonly as: string; readonly fn: 'count' }
    | { readonly as: string; readonly fn: 'min' | 'max'; readonly field: string }
    | { readonly as: string; readonly fn: 'sum'; readonly entry: EntryPart }
  )[]
}

/**
 * Reads rows of one entity in the caller's workspace. Lists omit rows of other workspaces, and `get` returns
 * null for them.
 */
export interface ReadRows<E extends AnyEntity> {
  get(id: string): Promise<Row<E> | null>
  list<F extends keyof Row<E> & string>(query: FieldsQuery<F>): Promise<Pick<Row<E>, F | 'id'>[]>
  list(query?: ListQuery): Promise<Row<E>[]>
  /**
   * Yields all matching rows, without a limit. Reads them by key, so that rows that change during the read
   * hide no others.
   *
   * @example for await (const site of ctx.rows(Site).each({ where: where.eq('is_active', true) })) …
   */
  each<F extends keyof Row<E> & string = keyof Row<E> & string>(
    query?: PagesQuery<F>,
  ): AsyncGenerator<Pick<Row<E>, F | 'id'>>
  /** Like `each`, but yields pages of rows. */
  pages<F extends keyof Row<E> & string = keyof Row<E> & string>(
    query?: PagesQuery<F>,
  ): AsyncGenerator<Pick<Row<E>, F | 'id'>[]>
  count(where?: Where): Promise<number>
  group(query: GroupQuery): Promise<GroupRow[]>
  /** Sums rows by day from the sums that are kept of a record type with `daySums`. Another filter than theirs counts the rows. */
  daySums(query: DaySumsQuery): Promise<DaySum[]>
  /** Counts or sums the entries of a JSON field. Throws if the entity is stored in documents. */
  groupEntries(query: EntryGroupQuery): Promise<GroupRow[]>
}

/** The rows of a `mark` context: reads, and setting a date field once. */
export interface MarkRows<E extends AnyEntity> extends ReadRows<E> {
  /**
   * Sets `field` to now and the boolean `flag` to true on those rows of `ids` where `field` is absent or
   * null. Returns the ids of the changed rows.
   */
  stamp(ids: readonly string[], field: keyof Row<E> & string, flag?: keyof Row<E> & string): Promise<string[]>
}

/**
 * The rows of a `draft`, `queue` or `setup` context. They can be inserted and changed in the caller's
 * workspace, but not deleted.
 */
export interface WriteRows<E extends AnyEntity> extends ReadRows<E> {
  /** Inserts a row in the workspace. Throws a `conflict` Refusal if a unique index already has its values. */
  insert(row: NewRow<E>): Promise<Row<E>>
  /**
   * Changes one row of the workspace, if it matches the condition. Returns null if it does not exist or does
   * not match. `undefined` removes a field.
   */
  update(id: string, changes: RowChanges<E>, onlyIf?: Where): Promise<Row<E> | null>
}

/** The workspace of a call. */
export interface WorkspaceInfo {
  readonly id: string
  readonly agency_id: string
  readonly timezone: string
  readonly is_home: boolean
  /** Callers cannot see contact details of people. */
  readonly redact_pii?: boolean
}

/** The caller: a credential, or a person on a page. */
export interface CredentialInfo {
  readonly kind: 'agent_key' | 'oauth' | 'person'
  readonly agency_id: string
  /** True for the platform's agency: the credential may read entities of any workspace. */
  readonly platform: boolean
  readonly scopes: readonly ('read' | 'write')[]
  /** The only workspaces that it may access. Absent if it may access all of its agency's. */
  readonly workspace_ids?: readonly string[]
  /** Id of the credential. Absent for people. */
  readonly id?: string
  /** The name that a connected app states itself. */
  readonly app?: string
}

interface BaseContext {
  readonly workspace: WorkspaceInfo
  readonly credential: CredentialInfo
  readonly requestId: string
  now(): Date
}

/** The context of an operation of class `read`. */
export interface ReadContext extends BaseContext {
  /** The running product. All its contexts have the same object here. `productState` keeps state in memory for it. */
  readonly product: object
  readonly extensions: Extensions
  rows<E extends AnyEntity>(entity: E): ReadRows<E>
  /**
   * Lists rows, each with the row of another entity that its field `by` names, and counts all rows of the filter. Costs
   * one read in SQLite, and three in other stores.
   */
  joined<E extends AnyEntity, J extends AnyEntity>(
    entity: E,
    query: ListQuery,
    other: { readonly entity: J; readonly by: keyof Row<E> & string },
  ): Promise<JoinedPage<E, J>>
}

/** A page of rows with their joined rows, and the number of all rows of the filter. */
export interface JoinedPage<E extends AnyEntity, J extends AnyEntity> {
  /** The joined row has no hidden fields. Null if the caller's workspace has no such row. */
  readonly rows: readonly { readonly row: Row<E>; readonly joined: Row<J> | null }[]
  readonly total: number
}

/** The context of an operation of class `mark`. */
export interface MarkContext extends BaseContext {
  rows<E extends AnyEntity>(entity: E): MarkRows<E>
}
/** The context of an operation of class `draft`, `queue` or `setup`. */
export interface WriteContext extends BaseContext {
  /** True if the caller sent `dry_run`: rows return what would be written and write nothing. */
  readonly dryRun: boolean
  /** Writes drafts. If no model is configured, drafts come from templates and say so. */
  readonly model: Model
  readonly extensions: Extensions
  /** The settings, for an operation of class `setup`. A plugin reads its own settings with `of(ctx)` of its `defineSettings`. */
  readonly settings?: Settings
  rows<E extends AnyEntity>(entity: E): WriteRows<E>
  /** Records an audit event of the workspace's agency, with the credential. Does nothing for `dry_run`. Never fails. */
  recordAudit?(event: AuditedDeed): Promise<void>
}
