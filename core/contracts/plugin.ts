import type { GenericSchema, InferOutput } from 'valibot'
import type { ConnectionDeclaration } from './connection'
import type { DemoDeclaration } from './demo'
import type { AnyEntity } from './entity'
import type { Fault } from './errors'
import type { AnyEventType, RecordedEvent } from './event-type'
import type { AnyExtensionPoint, Provided } from './extension'
import type { AnyOperation } from './operation'
import type { OwnerContext, TableDeclaration } from './owner'
import type { AnyPage } from './page'
import type { ProposableChange } from './proposal'
import type { PublicPageDeclaration } from './public-page'
import type { AnyQueue } from './queue'
import type { ReceiverDeclaration } from './receiver'
import type { PluginSettings } from './setting'

export * from './audit-event'
export * from './owner'

/** A scheduled task. A lease makes sure that one process at a time runs it. */
export interface JobDeclaration {
  readonly summary: string
  readonly everyMs: number
  /**
   * Set it for a task that must also see rows of inactive workspaces and agencies, such as one that removes
   * old rows. Otherwise, queries and conditional writes omit them.
   */
  readonly includesInactive?: true
  run(ctx: OwnerContext, signal: AbortSignal): Promise<void>
}

/** A command for operators, such as `bun renown site create example.com`. `name` is the words to type. */
export interface CommandDeclaration<I extends GenericSchema = GenericSchema> {
  readonly name: string
  readonly summary: string
  /** A `v.strictObject`. Its keys are the long options (`workspace_id` is `--workspace-id`), and its descriptions are the help. */
  readonly input: I
  /** Input keys that are given by position, in order. */
  readonly positional?: readonly string[]
  /** Keys of the answer that contain secrets. They are printed only to a terminal or with `--json`. */
  readonly secrets?: readonly string[]
  /**
   * Returns further faults of the typed input, which depend on the loaded plugins. They are reported with those of
   * `input`, also if `input` does not fit.
   */
  faultsIn?(ctx: OwnerContext, typed: unknown): readonly Fault[]
  /** Set if agents may propose it. A person approves each proposal in the inbox. */
  readonly proposal?: ProposableChange<I>
  /** Whether an answer reports a problem. The command then exits with status 1. */
  isBad?(answer: Readonly<Record<string, unknown>>): boolean
  run(ctx: OwnerContext, input: InferOutput<I>): Promise<Record<string, unknown>>
}
/** A command with any input. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds commands of any input
export type AnyCommand = CommandDeclaration<any>

/** Who receives a feed's answer: the installation's ingest, or a process that sent `RENOWN_INGEST_SECRET`. */
export type FeedReader = 'own' | 'remote'

/**
 * Internal data for other processes of the product: `GET /internal/<name>` with the ingest secret, or a
 * direct call in one process.
 */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds feeds of any input
export interface FeedDeclaration<I extends GenericSchema = any> {
  readonly summary: string
  /** A `v.strictObject`. The feed is then called by POST with this JSON body. */
  readonly takes?: I
  run(ctx: OwnerContext, given: InferOutput<I>, reader: FeedReader): Promise<unknown>
}

/**
 * A task that people can request, offered to MCP clients as a prompt. Its text tells the model which tools to
 * use.
 */
export interface PromptDeclaration {
  /** Words in snake_case. */
  readonly name: string
  readonly summary: string
  readonly takes?: Readonly<Record<string, { readonly description: string; readonly required?: boolean }>>
  text(given: Readonly<Record<string, string>>): string
}

/**
 * Subscribers: what a plugin does right after an event, by the name of its type, or `*` for all types. They only save
 * time: a job of the plugin must find the same work later, for example in the log of events.
 */
export interface Subscribers {
  readonly [name: `${string}.${string}`]: Subscriber
  readonly '*'?: Subscriber
}

/** What a plugin does right after an event. */
export type Subscriber = (ctx: OwnerContext, event: RecordedEvent) => Promise<void>

/**
 * The kinds of declaration: what a plugin can add to the product, by key. `core/registry/kinds.ts` has a row for each.
 * It says what the declaration looks like, which context each of its functions gets, and where it is described.
 */
export interface PluginKinds {
  readonly entities: readonly AnyEntity[]
  readonly operations: readonly AnyOperation[]
  /** Entities of other plugins that this plugin reads, made by `foreignEntity`. Checked at start. */
  readonly reads: readonly AnyEntity[]
  readonly commands: readonly AnyCommand[]
  readonly prompts: readonly PromptDeclaration[]
  readonly jobs: Readonly<Record<string, JobDeclaration>>
  /** Its queues, by name. */
  readonly queues: Readonly<Record<string, AnyQueue>>
  readonly feeds: Readonly<Record<string, FeedDeclaration>>
  /** Receivers of messages from services outside, by name. */
  readonly receivers: Readonly<Record<string, ReceiverDeclaration>>
  /** Pages and files for people without an account, by name. */
  readonly publicPages: Readonly<Record<string, PublicPageDeclaration>>
  /** Pages for people, added to core's own. */
  readonly pages: readonly AnyPage[]
  /** Its own settings, by `defineSettings`. */
  readonly settings: PluginSettings
  /** Points where other plugins add implementations, made by `defineExtensionPoint`. */
  readonly extensionPoints: readonly AnyExtensionPoint[]
  /** Its implementations of extension points, each made by `point.with(implementation)`. */
  readonly provides: readonly Provided[]
  /** Services whose accounts people connect, each made by `defineConnection`. */
  readonly connections: readonly ConnectionDeclaration[]
  readonly tables: readonly TableDeclaration[]
  /** The types of its events, made by `defineEvent`. Only declared types can be published. */
  readonly events: readonly AnyEventType[]
  /** Its subscribers to events. */
  readonly subscribers: Subscribers
  readonly migrations: readonly MigrationDeclaration[]
  /** Sample rows of its entities. */
  readonly demo: DemoDeclaration
}

/** What a plugin says about itself. */
export interface PluginFacts {
  readonly name: string
  readonly summary?: string
  /**
   * What the plugin declares but cannot do yet, as sentences. Published with each of its record types,
   * operations and prompts: in the surface, in OpenAPI, to MCP clients and in docs/reference/surface.md.
   */
  readonly notYet?: string
  /** The range of core versions it works with, such as `^1.0.0`. */
  readonly renown: string
  /** Names of other plugins that must be loaded. */
  readonly needs?: readonly string[]
}

/** One domain of the product. Plugins import only `renown`, npm packages and their own files. */
export interface PluginDeclaration extends PluginFacts, Partial<PluginKinds> {}

/**
 * A change of stored data. Each runs once per installation before the start, in order of version, under a
 * lease.
 */
export interface MigrationDeclaration {
  readonly version: number
  readonly summary: string
  up(ctx: OwnerContext): Promise<void>
}
