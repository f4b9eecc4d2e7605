import * as v from 'valibot'

/** What every implementation of an extension point has. */
export interface Extension {
  /** Unique within the point, in kebab-case, such as `laser`. */
  readonly name: string
}

/** Something that a plugin adds to an extension point of another plugin. */
export interface Provided {
  /** Id of the extension point. */
  readonly point: string
  readonly extension: Extension
  /** Copied from the point. */
  readonly isOptional?: boolean
}

/** A point where other plugins add implementations. The plugin that uses them declares it. */
export interface ExtensionPoint<T extends Extension = Extension> {
  /** `<domain>.<noun>`, such as `reviews.source`. Unique among the loaded plugins. */
  readonly id: string
  readonly summary: string
  /**
   * If true, implementations are ignored while the plugin of the point is not loaded. If false, they stop the
   * start.
   */
  readonly isOptional: boolean
  /** The schema of an implementation. If one does not match, the product does not start. */
  readonly contract: v.GenericSchema<unknown, unknown>
  /** Returns the name that `field.provided` accepts for an implementation. Default: its `name`. */
  nameOf(extension: T): string
  /** Lists an implementation: an entry of `provides` of a plugin. */
  with(extension: T): Provided
}
/** An extension point of any contract. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds points of any contract
export type AnyExtensionPoint = ExtensionPoint<any>

/**
 * Declares an extension point. `shape` names the fields that an implementation must have: `{ open:
 * v.function() }`. Other fields are allowed. List the point under `extensionPoints` of the plugin.
 */
export const defineExtensionPoint = <T extends Extension>(declaration: {
  readonly id: string
  readonly summary: string
  readonly isOptional?: true
  readonly shape: Readonly<Partial<Record<keyof T, v.GenericSchema<unknown, unknown>>>>
  readonly nameOf?: (extension: T) => string
}): ExtensionPoint<T> => ({
  id: declaration.id,
  summary: declaration.summary,
  isOptional: declaration.isOptional === true,
  contract: v.looseObject({
    ...(declaration.shape as v.ObjectEntries),
    name: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,39}$/, 'kebab-case of at most 40 characters')),
  }),
  nameOf: declaration.nameOf ?? (({ name }) => name),
  with: (extension) => ({
    point: declaration.id,
    extension,
    ...(declaration.isOptional ? { isOptional: true } : {}),
  }),
})

/** Finds the implementations of an extension point, ordered by name. */
export type Extensions = <T extends Extension>(point: ExtensionPoint<T>) => readonly T[]
