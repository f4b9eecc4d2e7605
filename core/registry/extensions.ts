import * as v from 'valibot'
import type { AnyExtensionPoint, Extension, ExtensionPoint, Provided } from '../contracts/extension'
import type { PluginDeclaration } from '../contracts/plugin'

type Points = ReadonlyMap<string, AnyExtensionPoint>

/**
 * Returns what is wrong with the implementations of plugins: unknown extension points, missing parts, duplicate
 * names.
 */
export function extensionFaults(all: readonly PluginDeclaration[], points: Points): string[] {
  const owners = new Map<string, string>()
  return all.flatMap((plugin) =>
    (plugin.provides ?? []).flatMap((provided) => faultsOf(plugin.name, provided, points, owners)),
  )
}

function faultsOf(
  plugin: string,
  { point: id, extension, isOptional }: Provided,
  points: Points,
  owners: Map<string, string>,
): string[] {
  const point = points.get(id)
  if (!point && isOptional === true) return []
  if (!point) return [`${plugin} provides ${id}, an extension point that no loaded plugin declares`]
  const read = v.safeParse(point.contract, extension)
  if (!read.success) {
    return read.issues.map(
      (issue) => `${plugin}: its ${id} does not fit: ${v.getDotPath(issue) ?? 'it'}: ${issue.message}`,
    )
  }
  const key = `${id} ${extension.name}`
  const first = owners.get(key)
  owners.set(key, first ?? plugin)
  return first === undefined ? [] : [`${id} ${extension.name} is provided by ${first} and by ${plugin}`]
}

/**
 * Finds the implementations of an extension point, ordered by name. Throws if no plugin declares the point.
 */
export function extensionsOf(all: Iterable<PluginDeclaration>, points: Points) {
  const byPoint = new Map<string, Extension[]>([...points.keys()].map((id) => [id, []]))
  for (const plugin of all)
    for (const { point, extension } of plugin.provides ?? []) byPoint.get(point)?.push(extension)
  for (const list of byPoint.values()) Object.freeze(list.sort((a, b) => (a.name < b.name ? -1 : 1)))
  return <T extends Extension>({ id }: ExtensionPoint<T>): readonly T[] => {
    const found = byPoint.get(id)
    if (!found) throw new Error(`No loaded plugin declares the extension point ${id}`)
    return found as readonly Extension[] as readonly T[]
  }
}
