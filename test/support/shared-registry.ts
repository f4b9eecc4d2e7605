import type { PluginDeclaration } from '../../core/contracts/plugin'
import { createRegistry, type Registry } from '../../core/registry/registry'

/** More lists than one file uses. A list that was not used for long is forgotten. */
const listsMax = 12
const registries = new Map<string, Registry>()
const numbers = new WeakMap<PluginDeclaration, number>()
let last = 0

/**
 * Returns the registry of these plugins. It never changes, so tests of the same plugins share one: checking the
 * declarations takes longer than most tests.
 */
export function sharedRegistry(plugins: readonly PluginDeclaration[]): Registry {
  const key = plugins.map(numberOf).join(' ')
  const registry = registries.get(key) ?? createRegistry(plugins)
  registries.delete(key)
  registries.set(key, registry)
  const [oldest] = registries.keys()
  if (registries.size > listsMax && oldest !== undefined) registries.delete(oldest)
  return registry
}

function numberOf(plugin: PluginDeclaration): number {
  const known = numbers.get(plugin) ?? ++last
  numbers.set(plugin, known)
  return known
}
