import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PluginDeclaration } from '../contracts/plugin'
import { StartError } from '../process/start-error'

/** The plugins that PLUGINS names: npm packages, or files from the working folder. Each exports one as its default. */
export async function loadPlugins(names: readonly string[], from: string): Promise<PluginDeclaration[]> {
  const loaded = await Promise.allSettled(
    names.map(async (name) => {
      const plugin = await load(name, from)
      if (plugin !== null && typeof plugin === 'object' && 'name' in plugin)
        return plugin as PluginDeclaration
      throw new StartError(
        `The plugin ${name} has no default export made by definePlugin. Mend it, or take it out of PLUGINS.`,
      )
    }),
  )
  const failed = loaded.flatMap((one) => (one.status === 'rejected' ? [String(one.reason.message)] : []))
  if (failed.length > 0) throw new StartError(failed.join('\n'))
  return loaded.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

async function load(name: string, from: string): Promise<unknown> {
  const isFile = name.startsWith('.') || isAbsolute(name)
  try {
    const path = isFile ? resolve(from, name) : Bun.resolveSync(name, from)
    return ((await import(pathToFileURL(path).href)) as { default?: unknown }).default
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`The plugin ${name} of PLUGINS cannot be loaded: ${reason}`)
  }
}
