import type { PluginDeclaration } from '../contracts/plugin'
import { version } from '../process/version'
import { deprecationFaults } from './deprecations'
import { kindList, nameFaults, partsOf } from './kinds'

/** Returns what is wrong inside one plugin, or between its requirements and the loaded plugins. */
export function pluginFaults(plugin: PluginDeclaration, all: readonly PluginDeclaration[]): string[] {
  const { name: at, renown, needs = [] } = plugin
  const faults = nameFaults(at, 'plugin', at, [/^[a-z][a-z0-9-]*$/, 'kebab-case'])
  if (!/[\d*]/.test(renown ?? '') || !Bun.semver.satisfies(version, renown))
    faults.push(`${at} works with renown ${renown}, but this is ${version}`)
  for (const need of needs) {
    if (!all.some(({ name }) => name === need))
      faults.push(`${at} needs the plugin ${need}, which is not loaded`)
  }
  for (const [key, kind] of kindList) {
    for (const [name, part] of partsOf(plugin, key, kind)) {
      if (kind.names) faults.push(...nameFaults(at, kind.word, name, kind.names))
      faults.push(...(kind.check?.(part as never, name, at) ?? []))
    }
    faults.push(...(kind.checkPlugin?.(plugin) ?? []))
  }
  return [...faults, ...deprecationFaults(plugin)]
}
