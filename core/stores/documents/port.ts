import type { EntryGroupQuery, GroupQuery, GroupRow } from '../../contracts/context'
import type { AnyEntity, BaseRow, Row } from '../../contracts/entity'
import type { Scalar, SortKey, Where } from '../../contracts/where'

/** A row of an entity that is known only at run time. */
export type Document = BaseRow & Readonly<Record<string, unknown>>

/** The row type of an entity, or `Document` if the entity is not known at compile time. */
export type StoredRow<E extends AnyEntity> = AnyEntity extends E ? Document : Row<E>

/** A field of an entity, or a dotted path into one. */
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
  /** Keyset paging: the sort keys' values and the id of the last row seen. */
  readonly after?: { readonly values: readonly Scalar[]; readonly id: string }
}

/** A list query for callers: rows without the fields that the caller does not see. */
export interface ListQuery extends FindQuery {
  readonly omit: readonly string[]
}

/**
 * A list query with what its store worked out for it, by `prepareList`. Read it with `findJson` and `examined` of the same collection, as
 * often as you like.
 */
export interface PreparedList extends ListQuery {
  /** The store's own. */
  readonly compiled?: unknown
}

export interface JsonPage {
  /** A JSON array of the rows without the omitted fields, ready to be sent. */
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly count: number
  /** Sort keys and id of the last row, for the next `after`; null for an empty page. */
  readonly last: { readonly values: readonly Scalar[]; readonly id: string } | null
  /** Whether rows follow after `limit`. The adapter reads one row more than it returns. */
  readonly more: boolean
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
  /** Only when an upsert inserts. */
  readonly setOnInsert?: Values<E>
  /** Fields set to the store's own clock plus this many milliseconds, as RFC 3339 text: for leases. */
  readonly setNow?: ByPath<E, number>
}

export interface UpdateOptions {
  readonly sort?: readonly SortKey[]
  readonly upsert?: boolean
  readonly returning?: 'before' | 'after'
}

/** A unique index rejected a write. */
export class ConflictError extends Error {
  readonly entity: string
  readonly index: string
  /** The fields that must differ, without the workspace that they must differ in. */
  readonly fields: readonly string[]
  constructor(entity: string, index: string, held: readonly string[]) {
    const fields = held.length > 1 ? held.filter((field) => field !== 'workspace_id') : held
    super(`${entity}: another document holds the same ${fields.join(', ')}`)
    this.name = 'ConflictError'
    this.entity = entity
    this.index = index
    this.fields = fields
  }
}

/** The store cannot be reached or is not ready. Callers answer 503 with Retry-After. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
}

/** The documents of one entity. `get` and `find` answer plain objects exactly as inserted; absent fields are missing. */
export interface Collection<E extends AnyEntity = AnyEntity> {
  get(id: string): Promise<StoredRow<E> | null>
  find(query: FindQuery): Promise<StoredRow<E>[]>
  /** The fast list: bytes from the store to the socket, without the `omit` fields (hidden from the caller). */
  findJson(query: ListQuery | PreparedList): Promise<JsonPage>
  /** Compiles a list query that is read more than once. Reads nothing. */
  prepareList(query: ListQuery): PreparedList
  /** Counts rows. With `limit` it stops there and returns it. */
  count(where: Where, limit?: number): Promise<number>
  /** Changes with every write to these rows. Absent if another process may write. */
  version?(): number
  group(query: GroupQuery): Promise<GroupRow[]>
  /** Groups the entries of a JSON field. Only columns can. */
  groupEntries?(query: EntryGroupQuery): Promise<GroupRow[]>
  insert(document: StoredRow<E>): Promise<void>
  /** Inserts what it can and reports each failure by position. */
  insertMany(documents: readonly StoredRow<E>[]): Promise<{
    readonly inserted: number
    readonly failures: readonly { readonly index: number; readonly error: ConflictError }[]
  }>
  /** Atomic, for compare-and-set and "claim the next". Null if nothing matched and there was no upsert. */
  updateOne(where: Where, patch: Patch<E>, options?: UpdateOptions): Promise<StoredRow<E> | null>
  updateMany(where: Where, patch: Patch<E>): Promise<number>
  remove(where: Where): Promise<number>
  /** Returns how many rows a filter would examine, up to `limit`, for `filter_too_broad`. 0 if an index answers it. */
  examined(query: FindQuery, limit: number): Promise<number>
}

/**
 * The collections of a store, each typed by its entity. An adapter keeps rows of any fields: what it hands out was checked against the
 * entity when it was stored.
 */
export const typedCollection = (collection: (entity: AnyEntity) => Collection): Documents['collection'] =>
  collection as Documents['collection']

/** The same collection for code that works with entities of any kind and checks each row against its entity. */
export const anyRows = <E extends AnyEntity>(collection: Collection<E>): Collection =>
  collection as unknown as Collection

/** The documents port. Adapters: `mongo` and `sqlite`. One conformance suite checks that both return the same. */
export interface Documents {
  readonly kind: 'mongodb' | 'sqlite'
  collection<E extends AnyEntity>(entity: E): Collection<E>
  /** Collections, indexes and TTLs of these entities; idempotent. */
  ensure(entities: readonly AnyEntity[]): Promise<void>
  /** A cheap round trip; throws UnavailableError. */
  ping(): Promise<void>
  close(): Promise<void>
}
