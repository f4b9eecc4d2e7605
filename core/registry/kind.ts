import type { GenericSchema } from 'valibot'
import type { AnyEntity } from '../contracts/entity'
import type { AnyEventType } from '../contracts/event-type'
import type { AnyExtensionPoint } from '../contracts/extension'
import type { ActionContext, PageContext } from '../contracts/page'
import type {
  OwnerContext,
  PluginDeclaration,
  PluginKinds,
  Subscriber,
  TableDeclaration,
} from '../contracts/plugin'
import type { AnyWords } from '../contracts/words'
import type { Form, Forms } from './forms'

/** A key of a plugin under which it declares something. */
export type KindKey = keyof PluginKinds

/** One declaration of a kind, such as one job. */
export type PartOf<K extends KindKey> = K extends 'subscribers'
  ? Subscriber
  : PluginKinds[K] extends readonly (infer Part)[]
    ? Part
    : string extends keyof PluginKinds[K]
      ? PluginKinds[K][keyof PluginKinds[K]]
      : PluginKinds[K]

/** Returns the context of a plugin for a context of the product. `workspace` is the one that the code works for, if any. */
export type Own = <C extends object>(ctx: C, workspace?: string) => C

/** The contexts that functions of plugins get. */
export type Gives =
  /** Every workspace, as jobs read and write it. */
  | 'system'
  /** Reads of one workspace, for a page. */
  | 'page'
  /** A page with the system context, for a form. */
  | 'action'
  /** A part of the system context, such as the settings. */
  | 'part'
  /** What the class of the operation allows. */
  | 'operation'
  /** Any of these, wherever it stands among the arguments. */
  | 'any'
  /** What the plugin passes itself. The product never calls it. */
  | 'own'
  /** No context. */
  | 'nothing'

/** Which context a function gets as its first argument, and how it becomes that of the plugin. */
export interface Rule<G extends Gives = Gives> {
  readonly gives: G
  /** Returns the first argument for the plugin. Null: the function gets its arguments as they are. */
  readonly give: ((own: Own, given: readonly unknown[], part: object) => unknown) | null
}

type IsAny<T> = 0 extends 1 & T ? true : false

/** What contains functions that no plugin wrote, or none. */
type Closed = GenericSchema | URL | AnyEntity | AnyExtensionPoint | AnyWords | readonly unknown[]

type HasFunction<T> =
  IsAny<T> extends true
    ? false
    : T extends (...given: never[]) => unknown
      ? true
      : T extends Closed
        ? false
        : T extends object
          ? string extends keyof T
            ? HasFunction<T[keyof T]>
            : { [K in keyof T]-?: HasFunction<NonNullable<T[K]>> }[keyof T]
          : false

/** The names by which a context is known to the compiler. */
type ContextKey = 'columns' | 'outbound' | 'owner' | 'rows' | 'settings' | 'system'

type RuleOfFirst<C> =
  IsAny<C> extends true
    ? Rule<'nothing'>
    : [C] extends [OwnerContext]
      ? Rule<'system'>
      : [C] extends [ActionContext]
        ? Rule<'action'>
        : [C] extends [PageContext]
          ? Rule<'page'>
          : string extends keyof C
            ? Rule<'nothing'>
            : [ContextKey & keyof C] extends [never]
              ? Rule<'nothing'>
              : Rule<'operation'> | Rule<'own'> | Rule<'part'>

/**
 * A rule for every function of a declaration. A function without one is a type error, and so is a function that takes a
 * context and whose rule gives none.
 */
export type Contexts<T> = T extends (...given: infer Given) => unknown
  ? Given extends readonly [infer First, ...unknown[]]
    ? RuleOfFirst<First>
    : Rule<'nothing'>
  : string extends keyof T
    ? { readonly each: Contexts<NonNullable<T[keyof T]>> }
    : {
        readonly [K in keyof T as true extends HasFunction<NonNullable<T[K]>> ? K : never]-?: Contexts<
          NonNullable<T[K]>
        >
      }

/** The form of names, and the words for it. */
export type NameForm = readonly [RegExp, string]

/** A map of the registry. */
export interface MapRule<V = unknown> {
  /** What it contains, for two plugins that declare the same. */
  readonly word: string
  /** Returns what a declaration adds to the map, by name. */
  entries(name: string, part: never): Iterable<readonly [string, V]>
}

/** Names that plugins provide, by extension point. */
export type ProvidedNames = ReadonlyMap<string, readonly string[]>

/** What all plugins declare, for checks of one plugin against the others. */
export interface Declared {
  readonly entities: ReadonlyMap<string, AnyEntity>
  readonly tables: ReadonlyMap<string, TableDeclaration>
  readonly points: ReadonlyMap<string, AnyExtensionPoint>
  readonly eventTypes: ReadonlyMap<string, AnyEventType>
}

/** A kind of declaration: one row of the table. */
export interface Kind<K extends KindKey> {
  /** The word for one of them. */
  readonly word: string
  /** Whether the plugin lists them, names them by keys, or has one. */
  readonly holds: 'list' | 'map' | 'one'
  /** What the plugin has under the key. */
  readonly form: Form
  /** What each of them looks like. Null if `form` says all. */
  readonly shape: (K extends 'reads' ? Partial<Forms<PartOf<K>>> : Forms<PartOf<K>>) | null
  /** Whether it may have other keys too. */
  readonly isOpen?: true
  /** Another check reports it, so its shape is not checked. */
  readonly isElsewhere?: (part: object) => boolean
  /** Whether a declaration with a fault is clear enough for the other checks. */
  readonly isReadable?: (part: object) => boolean
  /** In a list: the key of the name. */
  readonly namedBy?: keyof PartOf<K> & string
  /** The form of names. */
  readonly names?: NameForm
  readonly contexts: K extends 'provides' ? { readonly extension: Rule<'any'> } : Contexts<PartOf<K>>
  /** Its maps in the registry. */
  readonly maps: Readonly<Record<string, MapRule>>
  /** Whether callers see it in the surface. */
  readonly isPublished?: true
  /** Returns what is wrong with one declaration. */
  check?(part: PartOf<K>, name: string, plugin: string): readonly string[]
  /** Returns what is wrong with those of one plugin. */
  checkPlugin?(plugin: PluginDeclaration): readonly string[]
  /** Returns what is wrong between plugins. */
  checkAll?(all: readonly PluginDeclaration[], declared: Declared): readonly string[]
  /** Returns the declaration with schemas that accept the provided names too, or itself. */
  widened?(part: PartOf<K>, names: ProvidedNames): PartOf<K>
  /** What of `renown/testing` tries it. */
  readonly triedBy: readonly [string, ...string[]]
  /** The heading in `docs/` under which it is described. */
  readonly chapter: string
}
