import type { GenericSchema, InferOutput } from 'valibot'
import type { DaySumsDeclaration } from './day-sums'
import type { Deprecation } from './deprecation'
import type { PeopleDeclaration } from './people'
import type { StateMachine } from './states'
import type { Where } from './where'

/** Valibot schemas by field name. `v.description()` is the documentation. Optional fields use `v.optional`. */
export type Fields = Readonly<Record<string, GenericSchema>>

/**
 * The fields that every record has without declaring them. `workspace_id` is hidden unless the entity declares it.
 * This is a type, not an interface, so that rows can be passed where any object is accepted.
 */
export type BaseRow = {
  readonly id: string
  readonly workspace_id: string
  readonly created_date: string
  readonly updated_date: string
}

type OptionalKeys<F extends Fields> = {
  [K in keyof F]: undefined extends InferOutput<F[K]> ? K : never
}[keyof F]

/** The row type of a set of fields. A field is optional when its schema allows it. */
export type RowOf<F extends Fields> = BaseRow & {
  [K in Exclude<keyof F, OptionalKeys<F>>]: InferOutput<F[K]>
} & { [K in OptionalKeys<F>]?: Exclude<InferOutput<F[K]>, undefined> }

type FieldName<F extends Fields> = (keyof F | keyof BaseRow) & string

/** An index over rows of the entity. */
export interface IndexDeclaration<Name extends string = string> {
  /**
   * Field names, `-field` for descending. Indexes begin with `workspace_id`. Indexes that are not unique end
   * with the default sort.
   */
  readonly on: readonly (Name | `-${Name}`)[]
  /**
   * Rows of one workspace have different values in these fields. `workspace_id` is put first unless `on`
   * names it.
   */
  readonly unique?: boolean
  /**
   * Rows of the whole installation have different values in these fields. A conflict then tells one tenant
   * about data of another. Use it only for values that nobody can guess, such as digests of tokens, or that
   * Renown has verified, such as domains.
   */
  readonly unsafeUniqueAcrossTenants?: true
  /** A partial index: only rows whose fields equal these values. */
  readonly where?: Readonly<Partial<Record<Name, string | number | boolean>>>
  /** Rows are removed this many seconds after the instant in the index's first field. */
  readonly ttlSeconds?: number
}

/**
 * How rows belong to a workspace.
 * - `workspace`, `location` and `site` rows have a `workspace_id` that limits who reads them.
 * - `self` rows are workspaces, listed across all that the credential can read.
 * - `agency` rows are not in a workspace and are never offered to callers.
 */
export type ScopeKind = 'workspace' | 'location' | 'site' | 'self' | 'agency'

/** One record type: fields, visibility, scope and indexes. Stores, routes, documents and tools are derived from it. */
export interface EntityDeclaration<Name extends string = string, F extends Fields = Fields> {
  readonly name: Name
  readonly summary: string
  /** The first three letters of this entity's ids. */
  readonly idPrefix: string
  readonly store: 'documents' | 'columns'
  readonly scope: { readonly by: ScopeKind; readonly field: FieldName<F> }
  /** What callers may do. Empty for internal entities. */
  readonly reads: readonly ('list' | 'get')[]
  readonly fields: F
  /** Fields that callers never see, and cannot filter or sort by. */
  readonly hidden?: readonly FieldName<F>[]
  /** Hidden fields that contain texts of `secrets.seal`. `renown secret reseal` seals them again under the newest key. */
  readonly sealed?: readonly FieldName<F>[]
  /**
   * Contact details of people. If the workspace sets `redact_pii`, callers cannot see these fields or filter
   * by them.
   */
  readonly personal?: readonly FieldName<F>[]
  /**
   * How one person is found in its rows and erased. `testPlugin` and the tests of the product fail for a record type without
   * it.
   */
  readonly people?: PeopleDeclaration
  /** Set when a row is inserted. No context can change it afterwards. */
  readonly immutable?: readonly FieldName<F>[]
  /** Fields that are passed through unchanged. Callers cannot filter by them. */
  readonly opaque?: readonly FieldName<F>[]
  /** Fields that a short list for an agent leaves out if its rows do not fit. Agents can request them. */
  readonly seldom?: readonly FieldName<F>[]
  /** Fields that accept `$contains` and `$startsWith`. */
  readonly searchable?: readonly FieldName<F>[]
  /** The states of its fields and the moves between them, made by `defineStates`. */
  readonly states?: readonly StateMachine[]
  readonly sortable: readonly FieldName<F>[]
  /** Default: `-created_date`. */
  readonly defaultSort?: FieldName<F> | `-${FieldName<F>}`
  /**
   * The day or instant that a period is about, such as when a review was written. Default: the field of the default sort
   * if it is a date, otherwise `created_date`.
   */
  readonly periodField?: FieldName<F>
  readonly indexes?: readonly IndexDeclaration<FieldName<F>>[]
  /**
   * Fields that jobs, commands and pages of other plugins may change, through `foreignEntity`. Only the own
   * plugin changes the others.
   */
  readonly shared?: readonly FieldName<F>[]
  /**
   * Hidden fields that other plugins may read through `foreignEntity`. They can read `shared` fields anyway,
   * and no other hidden fields.
   */
  readonly readableByPlugins?: readonly FieldName<F>[]
  /** Lists omit rows with this value unless `q` names the field. */
  readonly except?: Readonly<Partial<Record<FieldName<F>, boolean | string>>>
  /** Lists and counts omit rows in which this field has a value, whatever `q` says. */
  readonly exceptSet?: readonly FieldName<F>[]
  /**
   * The rows that figures count, if they are fewer than lists return. Made with `where.eq` and `where.ne`. `aggregateRecords`
   * counts only these, unless the request names the field, and says so.
   */
  readonly usual?: readonly Where[]
  /**
   * Arguments of operations, and fields of other records, that take the id of a row, such as `location_id`. A list of ids has
   * an `s` at its end. `names` and `domains` are the fields that may name the row instead. The value must be unique in the
   * workspace. Domains are also found by a web address.
   */
  readonly namedIn?: {
    readonly arguments: readonly string[]
    readonly names: readonly FieldName<F>[]
    readonly domains: readonly FieldName<F>[]
    /** Fields that a refusal shows of the newest rows, where rows have no names. */
    readonly shown?: readonly FieldName<F>[]
  }
  /**
   * Fields by which the embedded store keeps the number of rows, besides workspace and scope. A filter of these fields
   * alone is counted without reading rows. Choose fields with few values: each combination is a row. MongoDB counts by
   * its indexes.
   */
  readonly counts?: {
    readonly by: readonly FieldName<F>[]
    /** Fields of which only matters whether they have a value, such as instants. */
    readonly bySet?: readonly FieldName<F>[]
  }
  /**
   * Sums of rows that are kept for each workspace and day. The embedded store keeps them. Other stores count the rows, with
   * the same answers.
   */
  readonly daySums?: DaySumsDeclaration<FieldName<F>>
  /**
   * Published in the surface, in OpenAPI and in the headers of every read. Use `deprecated()` for single
   * fields.
   */
  readonly deprecated?: Deprecation
}

/** A record type of any fields. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds entities of any fields; `Fields` is invariant in FieldName
export type AnyEntity = EntityDeclaration<string, any>

/** The row type of an entity. */
export type Row<E> = E extends EntityDeclaration<string, infer F> ? RowOf<F> : never

/**
 * Another plugin's entity, made by `foreignEntity`. It has the fields that a plugin reads, and those that its
 * jobs, commands and pages change. A plugin cannot insert or remove its rows.
 */
export interface ForeignEntity<Name extends string, F extends Fields, W extends keyof F & string>
  extends EntityDeclaration<Name, F> {
  readonly foreign: { readonly writes: readonly W[] }
}

/** The fields for inserting a row. `id` is optional. Core sets the other base fields. */
export type NewRow<E> = E extends { readonly foreign: object }
  ? never
  : Omit<Row<E>, keyof BaseRow> & { readonly id?: string }

/**
 * The fields of a stored row that may change. For another plugin's entity, those that `foreignEntity` lists under
 * `writes`.
 */
export type RowChanges<E> =
  E extends ForeignEntity<string, infer F, infer W>
    ? Partial<Pick<RowOf<F>, W & keyof RowOf<F>>> & { readonly [K in Exclude<keyof RowOf<F>, W>]?: never }
    : Partial<Omit<Row<E>, keyof BaseRow>>
