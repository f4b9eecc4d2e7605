import { dirname } from 'node:path'
import type { AnyEntity } from '../contracts/entity'
import type { PluginDeclaration } from '../contracts/plugin'

/** An entity that a file names by `foreignEntity`. */
export interface ForeignUse {
  readonly entity: AnyEntity
  readonly file: string
}

const uses: ForeignUse[] = []
const folders = new WeakMap<PluginDeclaration, string>()

/** Notes which file declares an entity of another plugin. */
export function noteForeign(entity: AnyEntity): void {
  const file = callingFile()
  if (file !== null) uses.push({ entity, file })
}

/** Notes in which folder a plugin is declared. */
export function notePlugin(plugin: PluginDeclaration): void {
  const file = callingFile()
  if (file !== null) folders.set(plugin, dirname(file))
}

/**
 * Returns the entities of other plugins that files in the folder of a plugin name. Empty if the plugin was made
 * without `definePlugin`.
 */
export function foreignUsesOf(plugin: PluginDeclaration): readonly ForeignUse[] {
  const folder = folders.get(plugin)
  if (folder === undefined) return []
  // The packages of a plugin, the product among them, are not its own files.
  return uses.filter(
    ({ file }) => file.startsWith(`${folder}/`) && !file.slice(folder.length).includes('/node_modules/'),
  )
}

/** The file that called a function of this folder. */
function callingFile(): string | null {
  const lines = (new Error('for its stack').stack ?? '').split('\n')
  const files = lines.map(fileIn).filter((file) => file !== null)
  return files.find((file) => dirname(file) !== import.meta.dir) ?? null
}

/** The file that a line of a stack names: `at name (/folder/file.ts:1:2)` or `at /folder/file.ts:1:2`. */
function fileIn(line: string): string | null {
  const start = line.indexOf('/')
  const end = line.lastIndexOf(':', line.lastIndexOf(':') - 1)
  return start < 0 || end < start ? null : line.slice(start, end)
}
