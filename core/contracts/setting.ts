import * as v from 'valibot'

/** One setting of the environment: how its text is read, its default and what it does. */
export interface SettingDeclaration<
  S extends v.GenericSchema<string, unknown> = v.GenericSchema<string, unknown>,
> {
  readonly schema: S
  /** The text that is used if the environment does not set it. */
  readonly fallback: string
  readonly description: string
}

/** Settings by name, as a plugin or core declares them. */
export type SettingDeclarations = Readonly<Record<string, SettingDeclaration>>

/** The values of declared settings. */
export type SettingValues<D extends SettingDeclarations> = {
  readonly [K in keyof D]: v.InferOutput<D[K]['schema']>
}

/** The settings of a plugin. */
export interface PluginSettings<D extends SettingDeclarations = SettingDeclarations> {
  readonly declared: D
  /** Names of the settings that other plugins may read too. */
  readonly shared?: readonly string[]
  /** Returns the plugin's own settings, typed. Throws when the process read the settings without this plugin. */
  of(ctx: { readonly settings: object }): SettingValues<D>
}

/** Declares one setting. `fallback` is text, as in the environment. */
export const setting = <S extends v.GenericSchema<string, unknown>>(
  schema: S,
  fallback: string,
  description: string,
): SettingDeclaration<S> => ({ schema, fallback, description })

/** Schemas for the texts of settings. */
export const settingForm = {
  text: v.string(),
  /** A whole number. */
  count: v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'a whole number'), v.transform(Number)),
} as const

/**
 * Declares the settings of a plugin. List the result under `settings` of the plugin and read it with `of(ctx)`. Other
 * plugins can read only those that `shared` names.
 */
export function defineSettings<const D extends SettingDeclarations>(
  declared: D,
  { shared = [] }: { readonly shared?: readonly (keyof D & string)[] } = {},
): PluginSettings<D> {
  return {
    declared,
    shared,
    of({ settings }) {
      const missing = Object.keys(declared).find((name) => !Object.hasOwn(settings, name))
      if (missing !== undefined) {
        throw new Error(`The setting ${missing} was not read. Declare it in the plugin's \`settings\``)
      }
      return settings as SettingValues<D>
    },
  }
}

/** Reads declared settings from an environment. Throws one Error that lists every invalid setting. */
export function readDeclared<D extends SettingDeclarations>(
  declared: D,
  env: Readonly<Record<string, string | undefined>>,
): SettingValues<D> {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { schema, fallback }] of Object.entries(declared)) {
    const result = v.safeParse(schema, env[name]?.trim() || fallback)
    if (result.success) values[name] = result.output
    else faults.push(`${name}: expected ${result.issues[0]?.message ?? 'another value'}`)
  }
  if (faults.length > 0) throw new Error(`The settings cannot be used:\n  ${faults.join('\n  ')}`)
  return values as SettingValues<D>
}
