import type { AnyEntity, NewRow, Row, RowChanges } from './entity'
import type { Model } from './outbound'
import type { SortKey, Where } from './where'

/** What to list: a filter, an order and a window. */
export interface ListQuery {
  readonly where?: Where
  /** `id` is appended as tie-break. */
  readonly sort?: readonly SortKey[]
  readonly limit?: number
  readonly skip?: number
}

/** A list that returns only some fields. In column stores, fields that are left out cost nothing. */
export interface FieldsQuery<F extends string> extends ListQuery {
  /** Names of fields of the entity. `id` is always there. */
  readonly fields: readonly F[]
}

/** A query whose rows are read page by page. */
export interface PagesQuery<F extends string = string> {
  readonly where?: Where
  /** Names of fields of the entity; all of them where it is left out. `id` and the keys are always there. */
  readonly fields?: readonly F[]
  /** The fields that rows are read in order of. Together they must differ from row to row. `id` unless said otherwise. */
  readonly by?: string | readonly string[]
  /** Rows on a page, 500 unless said otherwise. */
  readonly size?: number
  /** Ends the reading before its next page. */
  readonly signal?: AbortSignal
}

/** A number that is computed for each group. */
export type Measure =
  | { readonly as: string; readonly fn: 'count' }
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
/** One group: the values of its fields and its measures, by name. */
export type GroupRow = Record<string, string | number | boolean | null>

/** A part of an entry of a JSON field: its key in an object, its value, or one member of its value. */
export type EntryPart = 'key' | 'value' | `value.${string}`

/** Groups the entries of a JSON field instead of rows. Only for entities stored in columns. */
export interface EntryGroupQuery {
  readonly where?: Where
  /**
   * The field: an array, or an object whose keys are not declared. A dotted name reaches into a declared object. Several fields
   * are read as one list.
   */
  readonly of: string | readonly string[]
  /**
   * With several lists: an entry of a later list counts only where the first list of the row has none with the same part. It
   * must be one of `by`, and each list must name it once.
   */
  readonly unlessFirst?: EntryPart
  /** Only entries with this text in this part, which must be one of `by`. */
  readonly entryIs?: { readonly entry: EntryPart; readonly value: string }
  /** Field names of the row, or parts of an entry as text. */
  readonly by: readonly (string | { readonly as: string; readonly entry: EntryPart })[]
  /** `count` counts entries. A part that is summed must be a number. */
  readonly measures: readonly (
    | { readonly as: string; readonly fn: 'count' }
    | { readonly as: string; readonly fn: 'min' | 'max'; readonly field: string }
    | { readonly as: string; readonly fn: 'sum'; readonly entry: EntryPart }
  )[]
}

/**
 * Reads rows of one entity in the caller's workspace. Rows of other workspaces are left out of lists, and `get`
 * returns null for them.
 */
export interface ReadRows<E extends AnyEntity> {
  get(id: string): Promise<Row<E> | null>
  list<F extends keyof Row<E> & string>(query: FieldsQuery<F>): Promise<Pick<Row<E>, F | 'id'>[]>
  list(query?: ListQuery): Promise<Row<E>[]>
  /**
   * Yields all rows that match, however many. They are read by key, so that rows that change meanwhile hide no others.
   *
   * @example for await (const site of ctx.rows(Site).each({ where: where.eq('is_active', true) })) …
   */
  each<F extends keyof Row<E> & string = keyof Row<E> & string>(
    query?: PagesQuery<F>,
  ): AsyncGenerator<Pick<Row<E>, F | 'id'>>
  /** The same, page by page. */
  pages<F extends keyof Row<E> & string = keyof Row<E> & string>(
    query?: PagesQuery<F>,
  ): AsyncGenerator<Pick<Row<E>, F | 'id'>[]>
  count(where?: Where): Promise<number>
  group(query: GroupQuery): Promise<GroupRow[]>
  /** Throws where the entity is served from documents. */
  groupEntries(query: EntryGroupQuery): Promise<GroupRow[]>
}

/** The rows of a `mark` context: reads, and setting a date field once. */
export interface MarkRows<E extends AnyEntity> extends ReadRows<E> {
  /**
   * Sets `field` to now, and the boolean `flag` with it, on the rows of `ids` where `field` is absent or null; answers
   * the ids that were stamped.
   */
  stamp(ids: readonly string[], field: keyof Row<E> & string, flag?: keyof Row<E> & string): Promise<string[]>
}

/** The rows of a `draft`, `queue` or `setup` context: inserts and changes in the caller's workspace, no deletes. */
export interface WriteRows<E extends AnyEntity> extends ReadRows<E> {
  /** Inserts inside the workspace; throws a `conflict` Refusal where a unique index stands in the way. */
  insert(row: NewRow<E>): Promise<Row<E>>
  /** Changes one row inside the workspace; null where there is none. `undefined` removes a field. */
  update(id: string, changes: RowChanges<E>): Promise<Row<E> | null>
}

/** The workspace of a call. */
export interface WorkspaceInfo {
  readonly id: string
  readonly agency_id: string
  readonly timezone: string
  readonly is_home: boolean
  /** Contact details of people are kept from callers. */
  readonly redact_pii?: boolean
}

/** The caller: a credential, or a person on a page. */
export interface CredentialInfo {
  readonly kind: 'agent_key' | 'oauth' | 'person'
  readonly agency_id: string
  /** Its agency is the platform: entities of any workspace may be read. */
  readonly platform: boolean
  readonly scopes: readonly ('read' | 'write')[]
  /** The workspaces that it was narrowed to; absent where it reads all that its agency does. */
  readonly workspace_ids?: readonly string[]
}

interface BaseContext {
  readonly workspace: WorkspaceInfo
  readonly credential: CredentialInfo
  readonly requestId: string
  now(): Date
}

/** The context of an operation of class `read`. */
export interface ReadContext extends BaseContext {
  rows<E extends AnyEntity>(entity: E): ReadRows<E>
}
/** The context of an operation of class `mark`. */
export interface MarkContext extends BaseContext {
  rows<E extends AnyEntity>(entity: E): MarkRows<E>
}
/** The context of an operation of class `draft`, `queue` or `setup`. */
export interface WriteContext extends BaseContext {
  /** `dry_run` was asked for: rows answer what would be written and write nothing. */
  readonly dryRun: boolean
  /** Writes drafts; where none is configured they come from templates that say so. */
  readonly model: Model
  rows<E extends AnyEntity>(entity: E): WriteRows<E>
}
