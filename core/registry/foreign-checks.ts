import type { AnyEntity } from '../contracts/entity'
import type { PluginDeclaration } from '../contracts/plugin'
import { writesOf } from '../kit'
import { foreignUsesOf } from '../kit/declared-at'
import { type Field, fieldsOf } from '../kit/fields'

/** Checks that the foreign entities of a plugin exist, with these fields and kinds. */
export function foreignFaults(
  all: readonly PluginDeclaration[],
  entities: ReadonlyMap<string, AnyEntity>,
): string[] {
  return all.flatMap((plugin) =>
    (plugin.reads ?? []).flatMap((foreign) =>
      foreignMismatch(foreign, entities).map((fault) => `${plugin.name}: ${fault}`),
    ),
  )
}

/**
 * Returns entities of other plugins that a plugin uses but does not list under `reads`. They were not checked at
 * start.
 */
export const undeclaredReads = (plugins: readonly PluginDeclaration[]): string[] =>
  plugins.flatMap((plugin) =>
    foreignUsesOf(plugin)
      .filter(({ entity }) => !plugin.reads?.includes(entity))
      .map(
        ({ entity, file }) =>
          `${plugin.name}: ${file} names ${entity.name} by foreignEntity. List it under \`reads\` of the plugin`,
      ),
  )

/** Returns how a foreign entity differs from the loaded entity with its name. */
export function foreignMismatch(foreign: AnyEntity, entities: ReadonlyMap<string, AnyEntity>): string[] {
  const real = entities.get(foreign.name)
  if (!real) return [`reads entity ${foreign.name}, which no loaded plugin declares`]
  const known = new Map(fieldsOf(real).map((field) => [field.name, field]))
  const open = new Set<string>([...(real.readableByPlugins ?? []), ...(real.shared ?? []), ...baseFields])
  const closed = new Set((real.hidden ?? []).filter((name) => !open.has(name)))
  const shared = new Set<string>(real.shared ?? [])
  const unshared = writesOf(foreign).filter((name) => !shared.has(name))
  const written = unshared.map((name) => `writes ${foreign.name}.${name}, which its plugin does not share`)
  const read = fieldsOf(foreign).flatMap(({ name, kind }) => {
    const field = known.get(name)
    if (closed.has(name)) return [`reads ${foreign.name}.${name}, which its plugin keeps to itself`]
    if (!field) return [`reads ${foreign.name}.${name}, which does not exist`]
    const alike = field.kind === kind || plainKinds[field.kind] === plainKinds[kind]
    return alike ? [] : [`reads ${foreign.name}.${name} as ${kind}, it is ${field.kind}`]
  })
  return [...read, ...written]
}

/** Fields that every reader has. */
export const baseFields = ['id', 'workspace_id', 'created_date', 'updated_date'] as const

/** Compatible kinds: a reader may declare an instant as a string, and an integer as a number. */
export const plainKinds: Readonly<Record<Field['kind'], string>> = {
  string: 'string',
  instant: 'string',
  day: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
}
