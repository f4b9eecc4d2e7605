import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The origin of a plugin in PLUGINS. */
export interface PluginOrigin {
  /** The value for PLUGINS, valid from any working folder. */
  readonly source: string
  /** The version of its package, or `unknown`. */
  readonly version: string
}

const origins = new Map<string, PluginOrigin>()

/** Returns the origin of a loaded plugin, by its name. Undefined for plugins of the product. */
export const originOf = (plugin: string): PluginOrigin | undefined => origins.get(plugin)

/** Records where a plugin was loaded from: its file and its name in PLUGINS. */
export function noteOrigin(plugin: string, file: string, source: string): void {
  origins.set(plugin, { source, version: versionAt(dirname(file)) })
}

/** Returns the version in the nearest package.json above a file. */
function versionAt(folder: string): string {
  const path = join(folder, 'package.json')
  if (existsSync(path)) {
    const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version?: unknown }
    return typeof version === 'string' ? version : 'unknown'
  }
  const above = dirname(folder)
  return above === folder ? 'unknown' : versionAt(above)
}
