import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../contracts/errors'
import type { PluginDeclaration } from '../contracts/plugin'
import { StartError } from '../process/start-error'
import { serveOwnModules } from './own-modules'
import { noteOrigin } from './plugin-origin'

/**
 * Loads the plugins in PLUGINS: npm packages, or files from the working folder. Each has one plugin as its default
 * export.
 */
export async function loadPlugins(names: readonly string[], from: string): Promise<PluginDeclaration[]> {
  if (names.length > 0) serveOwnModules()
  const loaded = await Promise.allSettled(
    names.map(async (name) => {
      const path = pathOf(name, from)
      const plugin = await load(name, path)
      if (plugin !== null && typeof plugin === 'object' && 'name' in plugin) {
        noteOrigin(String(plugin.name), path, isFile(name) ? path : name)
        return plugin as PluginDeclaration
      }
      throw new StartError(
        `The plugin ${name} has no default export made by definePlugin. Fix the plugin, or remove it from PLUGINS.`,
      )
    }),
  )
  const failed = loaded.flatMap((one) => (one.status === 'rejected' ? [String(one.reason.message)] : []))
  if (failed.length > 0) throw new StartError(failed.join('\n'))
  return loaded.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

const isFile = (name: string) => name.startsWith('.') || isAbsolute(name)

function pathOf(name: string, from: string): string {
  try {
    return isFile(name) ? resolve(from, name) : Bun.resolveSync(name, from)
  } catch (error) {
    throw notLoaded(name, error)
  }
}

async function load(name: string, path: string): Promise<unknown> {
  try {
    return ((await import(pathToFileURL(path).href)) as { default?: unknown }).default
  } catch (error) {
    throw notLoaded(name, error)
  }
}

const notLoaded = (name: string, error: unknown) =>
  new StartError(`The plugin ${name} of PLUGINS cannot be loaded: ${messageOf(error)}`)
