import type { EntryGroupQuery, GroupQuery, GroupRow } from '../../contracts/context'
import type { AnyEntity, BaseRow, Row } from '../../contracts/entity'
import type { Scalar, SortKey, Where } from '../../contracts/where'
import type { DaySums } from './sums/store'

/** A row of an entity that is known only at run time. */
export type Document = BaseRow & Readonly<Record<string, unknown>>

/** The row type of an entity, or `Document` if the entity is not known at compile time. */
export type StoredRow<E extends AnyEntity> = AnyEntity extends E ? Document : Row<E>

/** A field of an entity, or a dotted path inside one. */
type Path<E extends AnyEntity> = AnyEntity extends E
  ? string
  : (keyof Row<E> & string) | `${string}.${string}`

/** New values by field or dotted path. */
type Values<E extends AnyEntity> = AnyEntity extends E
  ? Readonly<Record<string, unknown>>
  : Readonly<Partial<Row<E>> & { [path: `${string}.${string}`]: unknown }>

type ByPath<E extends AnyEntity, Value> = AnyEntity extends E
  ? Readonly<Record<string, Value>>
  : { readonly [K in keyof Row<E> & string]?: Value } & { readonly [path: `${string}.${string}`]: Value }

export interface FindQuery {
  readonly where: Where
  readonly sort?: readonly SortKey[]
  readonly limit?: number
  readonly skip?: number
  /** Only these fields, and `id`. */
  readonly fields?: readonly string[]
  /** Keyset paging: the values of the sort keys and the id of the last row that was read. */
  readonly after?: { readonly values: readonly Scalar[]; readonly id: string }
}

/** A list query for callers: rows without the fields that the caller does not see. */
export interface ListQuery extends FindQuery {
  readonly omit: readonly string[]
}

/**
 * A list query in the form that its store has compiled with `prepareList`. Use it with `findJson` and
 * `examined` of the same collection, as often as you like.
 */
export interface PreparedList extends ListQuery {
  /** The compiled form of the store. */
  readonly compiled?: unknown
}

export interface JsonPage {
  /** A JSON array of the rows without the omitted fields, ready to be sent. */
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly count: number
  /** Sort keys and id of the last row, for the next `after`. Null for an empty page. */
  readonly last: { readonly values: readonly Scalar[]; readonly id: string } | null
  /** Whether more rows follow. The store reads one row more than it returns. */
  readonly more: boolean
}

/** The entity of joined rows. `by` is the field that contains their id, and `where` the condition that they meet. */
export interface JoinedEntity {
  readonly entity: AnyEntity
  readonly by: string
  readonly where: Where
}

export interface FoundJoined {
  /** The joined row has no hidden fields. */
  readonly rows: readonly { readonly row: Document; readonly joined: Document | null }[]
  readonly total: number
}

/** One atomic change of one document. Dotted paths lead into objects. */
export interface Patch<E extends AnyEntity = AnyEntity> {
  readonly set?: Values<E>
  readonly unset?: readonly Path<E>[]
  readonly inc?: ByPath<E, number>
  readonly min?: ByPath<E, Scalar>
  readonly max?: ByPath<E, Scalar>
  readonly push?: ByPath<E, { readonly values: readonly unknown[]; readonly cap?: number }>
  readonly addToSet?: ByPath<E, readonly Scalar[]>
  readonly pull?: ByPath<E, readonly Scalar[]>
  /** Set only if an upsert inserts. */
  readonly setOnInsert?: Values<E>
  /** Fields set to the store's own clock plus this many milliseconds, as RFC 3339 text: for leases. */
  readonly setNow?: ByPath<E, number>
}

export interface UpdateOptions {
  readonly sort?: readonly SortKey[]
  readonly upsert?: boolean
  /** Default: `after`. */
  readonly returning?: 'before' | 'after'
}

/** A stored value that differs from the document that it repeats. */
export interface Mismatch {
  /** Id of the row. Empty for a count of rows. */
  readonly id: string
  /** The dotted path of the value, or the name of the counts. */
  readonly path: string
}

/** One of several writes that are stored together. */
export type TogetherWrite =
  | { readonly entity: AnyEntity; readonly insert: Document }
  | { readonly entity: AnyEntity; readonly where: Where; readonly patch: Patch }

/** Thrown if a unique index rejects a write. */
export class ConflictError extends Error {
  readonly entity: string
  readonly index: string
  /** The fields that must differ, without the workspace. None if the store names an index that is not declared. */
  readonly fields: readonly string[]
  constructor(entity: string, index: string, held: readonly string[]) {
    const fields = held.length > 1 ? held.filter((field) => field !== 'workspace_id') : held
    super(`${entity}: another document holds the same ${fields.join(', ') || `value of the index ${index}`}`)
    this.name = 'ConflictError'
    this.entity = entity
    this.index = index
    this.fields = fields
  }
}

/** Thrown if the store cannot be reached or is not ready. Callers answer 503 with Retry-After. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
  /** The store answers, but refuses this statement at the moment. Another statement may work. */
  readonly isBusy: boolean
  constructor(
    message: string,
    { isBusy = false, ...options }: ErrorOptions & { readonly isBusy?: boolean } = {},
  ) {
    super(message, options)
    this.isBusy = isBusy
  }
}

/**
 * The documents of one entity. `get` and `find` return plain objects exactly as inserted, without absent
 * fields.
 */
export interface Collection<E extends AnyEntity = AnyEntity> {
  get(id: string): Promise<StoredRow<E> | null>
  find(query: FindQuery): Promise<StoredRow<E>[]>
  /**
   * Returns a list as JSON bytes ready for the socket, without the `omit` fields, which callers must not see.
   */
  findJson(query: ListQuery | PreparedList): Promise<JsonPage>
  /** Compiles a list query that is read more than once. Reads nothing. */
  prepareList(query: ListQuery): PreparedList
  /** Counts rows. With `limit` it stops counting there. */
  count(where: Where, limit?: number): Promise<number>
  /** Returns a number that changes with every write to these rows. Absent if other processes may write. */
  version?(): number
  /** Finds rows, each with its row of another entity, and counts all rows of the filter in one read. */
  findJoined?(query: FindQuery, other: JoinedEntity): Promise<FoundJoined>
  group(query: GroupQuery): Promise<GroupRow[]>
  /** The sums that are kept by day. Absent if the entity declares none, or the store keeps none. */
  readonly daySums?: DaySums
  /** Groups the entries of a JSON field. Only columns can. */
  groupEntries?(query: EntryGroupQuery): Promise<GroupRow[]>
  insert(document: StoredRow<E>): Promise<void>
  /** Inserts all rows that it can, and reports each failure by position. */
  insertMany(documents: readonly StoredRow<E>[]): Promise<{
    readonly inserted: number
    readonly failures: readonly { readonly index: number; readonly error: ConflictError }[]
  }>
  /**
   * Changes one row atomically, for compare-and-set and "claim the next". Null if nothing matched and nothing
   * was inserted.
   */
  updateOne(where: Where, patch: Patch<E>, options?: UpdateOptions): Promise<StoredRow<E> | null>
  updateMany(where: Where, patch: Patch<E>): Promise<number>
  remove(where: Where): Promise<number>
  /**
   * Returns rows whose values for filters and figures are not those of their documents, and counts that are not those of the rows,
   * at most `limit`. Absent if the store keeps no such values.
   */
  mismatches?(limit: number): Promise<readonly Mismatch[]>
  /** Returns how many rows a filter would examine, up to `limit`, for `filter_too_broad`. 0 if an index answers it. */
  examined(query: FindQuery, limit: number): Promise<number>
}

/**
 * Returns the collections of a store, typed by entity. Rows are checked against the entity when they are
 * stored, not when they are read.
 */
export const typedCollection = (collection: (entity: AnyEntity) => Collection): Documents['collection'] =>
  collection as Documents['collection']

/** Returns the same collection for code that works with any entity and checks each row itself. */
export const anyRows = <E extends AnyEntity>(collection: Collection<E>): Collection =>
  collection as unknown as Collection

/** How much of a limited resource of a store is in use. */
export interface PoolLoad {
  /** `connections` of the driver, `scans` of documents or `reads` of columns. */
  readonly pool: 'connections' | 'scans' | 'reads'
  readonly running: number
  readonly waiting: number
  /** How many may run at once. */
  readonly slots: number
}

/** The documents port. Adapters: `mongo` and `sqlite`. One conformance suite checks that both return the same. */
export interface Documents {
  readonly kind: 'mongodb' | 'sqlite'
  collection<E extends AnyEntity>(entity: E): Collection<E>
  /** Creates collections, indexes and TTLs of these entities. Idempotent. */
  ensure(entities: readonly AnyEntity[]): Promise<void>
  /** Stores all of these writes or none. Absent if the store has no transactions. */
  together?(writes: readonly TogetherWrite[]): Promise<void>
  /**
   * Overwrites what removed and changed rows left in the files of an embedded store. Writes wait in the meantime. Absent if a server
   * has the files.
   */
  purge?(): Promise<void>
  /** Makes a cheap request. Throws UnavailableError if it fails. */
  ping(): Promise<void>
  /** How much of what is limited is in use in this process, for metrics. Absent if nothing is. */
  load?(): readonly PoolLoad[]
  close(): Promise<void>
}
