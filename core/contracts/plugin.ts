import type { GenericSchema, InferOutput } from 'valibot'
import type { GroupQuery, GroupRow, ListQuery } from './context'
import type { DemoDeclaration } from './demo'
import type { AnyEntity, NewRow, Row } from './entity'
import type { AnyOperation } from './operation'
import type { StateMachine } from './states'
import type { Where } from './where'

/** Where a part says what happens: one line each, with fields beside the message. */
export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** Rows of one entity across all workspaces: for jobs, feeds and the owner's commands, never for callers. */
export interface OwnerRows<E extends AnyEntity> {
  get(id: string): Promise<Row<E> | null>
  list(query?: ListQuery): Promise<Row<E>[]>
  count(where?: Where): Promise<number>
  group(query: GroupQuery): Promise<GroupRow[]>
  insert(row: NewRow<E> & { readonly workspace_id: string }): Promise<Row<E>>
  update(
    id: string,
    changes: Partial<Omit<Row<E>, 'id' | 'workspace_id' | 'created_date' | 'updated_date'>>,
  ): Promise<Row<E> | null>
  /** Compare-and-set: changes the first row that matches, or answers null. */
  updateWhere(
    where: Where,
    changes: Partial<Omit<Row<E>, 'id' | 'workspace_id' | 'created_date' | 'updated_date'>>,
  ): Promise<Row<E> | null>
  /**
   * Inserts many rows, each with its own past where it names one; answers how many. A row that cannot stand is a Refusal,
   * and those before it stand.
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

/** ClickHouse, for plugins that own column tables. Parameters are `{name:Type}` in the SQL; never paste values. */
export interface Columns {
  query<T = Record<string, unknown>>(sql: string, params?: Record<string, unknown>): Promise<T[]>
  insert(table: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): Promise<void>
  /** Removes the rows whose column holds one of these values; they are gone when this resolves. */
  remove(table: string, column: string, values: readonly string[]): Promise<void>
}

/** What jobs, feeds and commands work with: the owner's side, above the clamp. */
export interface OwnerContext {
  rows<E extends AnyEntity>(entity: E): OwnerRows<E>
  readonly columns: Columns
  readonly log: Log
  /** Public origin of the ingest, without a slash at its end. */
  readonly ingestUrl: string
  now(): Date
  /** A new id with this entity's prefix. */
  newId(entity: AnyEntity): string
  /** 256 random bits as a token `<prefix>` + base62, and the SHA-256 (hex) under which it is stored. */
  newToken(prefix: string): Promise<{ token: string; hash: string; last4: string }>
  /** Tells the feed of that name that its answer has changed. */
  changed(feed: string): void
}

/** A periodic task. One runner per job in the whole installation, by a lease. */
export interface JobDeclaration {
  readonly summary: string
  readonly everyMs: number
  run(ctx: OwnerContext, signal: AbortSignal): Promise<void>
}

/** An owner's command: `bun renown site create --domain …`. The words of `name` are the words typed. */
export interface CommandDeclaration<I extends GenericSchema = GenericSchema> {
  readonly name: string
  readonly summary: string
  /** A `v.strictObject`; keys are the long options (`workspace_id` is `--workspace-id`), descriptions the help. */
  readonly input: I
  /** Input keys given by position, in order. */
  readonly positional?: readonly string[]
  /** Keys of the answer that hold secrets: printed only to a terminal or with `--json`. */
  readonly secrets?: readonly string[]
  run(ctx: OwnerContext, input: InferOutput<I>): Promise<Record<string, unknown>>
}
/** A command of any input. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds commands of any input
export type AnyCommand = CommandDeclaration<any>

/** Internal facts for sister processes: `GET /internal/<name>` with the ingest secret, or a direct call in one process. */
export interface FeedDeclaration {
  readonly summary: string
  run(ctx: OwnerContext): Promise<unknown>
}

/** A column table: DDL is derived and applied by the core at start; an entity may be served from it. */
export interface TableDeclaration {
  readonly name: string
  readonly columns: Readonly<Record<string, string>>
  readonly engine: string
  readonly orderBy: readonly string[]
  readonly partitionBy?: string
  readonly ttl?: string
  readonly settings?: Readonly<Record<string, string | number>>
}

/** A job that people ask for, offered to MCP clients as a prompt; its words send the model to the tools. */
export interface PromptDeclaration {
  /** Words in snake_case. */
  readonly name: string
  readonly summary: string
  readonly takes?: Readonly<Record<string, { readonly description: string; readonly required?: boolean }>>
  text(given: Readonly<Record<string, string>>): string
}

/** One domain of the product. Plugins import `renown`, npm packages and their own files, nothing else. */
export interface PluginDeclaration {
  readonly name: string
  readonly summary?: string
  /** The range of core versions it works with, such as `^1.0.0`. */
  readonly renown: string
  readonly entities?: readonly AnyEntity[]
  readonly operations?: readonly AnyOperation[]
  /** Entities of other plugins that are read here, by `foreignEntity`: checked at boot. */
  readonly reads?: readonly AnyEntity[]
  /** The states of its entities' fields and the moves between them. */
  readonly states?: readonly StateMachine[]
  /** Names of plugins that must be loaded too. */
  readonly needs?: readonly string[]
  readonly jobs?: Readonly<Record<string, JobDeclaration>>
  readonly commands?: readonly AnyCommand[]
  readonly prompts?: readonly PromptDeclaration[]
  readonly feeds?: Readonly<Record<string, FeedDeclaration>>
  readonly tables?: readonly TableDeclaration[]
  readonly migrations?: readonly MigrationDeclaration[]
  /** Made-up rows of its entities, for a product that shows something before it has anything. */
  readonly demo?: DemoDeclaration
}

/** A change of stored data, run once in the whole installation, in order of version, under a lease, before serving. */
export interface MigrationDeclaration {
  readonly version: number
  readonly summary: string
  up(ctx: OwnerContext): Promise<void>
}
