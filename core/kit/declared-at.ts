import { dirname } from 'node:path'
import type { AnyEntity } from '../contracts/entity'
import type { PluginDeclaration } from '../contracts/plugin'

/** An entity of another plugin that a file declares with `foreignEntity`. */
export interface ForeignUse {
  readonly entity: AnyEntity
  readonly file: string
}

const uses: ForeignUse[] = []
const folders = new WeakMap<PluginDeclaration, string>()

/** Records which file declares an entity of another plugin. */
export function noteForeign(entity: AnyEntity): void {
  const file = callingFile()
  if (file !== null) uses.push({ entity, file })
}

/** Records the folder of a plugin. */
export function notePlugin(plugin: PluginDeclaration): void {
  const file = callingFile()
  if (file !== null) folders.set(plugin, dirname(file))
}

/**
 * Returns the foreign entities that files in a plugin's folder declare. Empty if the plugin was made without
 * `definePlugin`.
 */
export function foreignUsesOf(plugin: PluginDeclaration): readonly ForeignUse[] {
  const folder = folders.get(plugin)
  if (folder === undefined) return []
  // Packages that the plugin installs, the product among them, are not its own files.
  return uses.filter(
    ({ file }) => file.startsWith(`${folder}/`) && !file.slice(folder.length).includes('/node_modules/'),
  )
}

/** Returns the file that called a function of this folder. */
function callingFile(): string | null {
  const lines = (new Error('for its stack').stack ?? '').split('\n')
  const files = lines.map(fileIn).filter((file) => file !== null)
  return files.find((file) => dirname(file) !== import.meta.dir) ?? null
}

/**
 * Returns the file in a line of a stack trace: `at name (/folder/file.ts:1:2)` or `at /folder/file.ts:1:2`.
 */
function fileIn(line: string): string | null {
  const start = line.indexOf('/')
  const end = line.lastIndexOf(':', line.lastIndexOf(':') - 1)
  return start < 0 || end < start ? null : line.slice(start, end)
}
