import type { AnyCommand, PluginDeclaration } from '../contracts/plugin'
import type { SettingDeclarations } from '../contracts/setting'
import type { Config } from '../process/config'
import { StartError } from '../process/start-error'
import { withCore } from '../product/core-plugins'
import type { CreateIngest } from '../product/serve-deps'
import { loadPlugins } from '../registry/load-plugins'
import { undeclaredReads } from '../registry/registry-checks'
import { configOf } from './config-of'

/** What a main puts together: the only place that knows plugins and counter. */
export interface Composition {
  readonly builtin: readonly PluginDeclaration[]
  loadIngest(): Promise<CreateIngest>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workingFolder: string
}

/** The settings and the plugins of this process; what is wrong with either is said in one go. */
export async function compose(composition: Composition): Promise<{
  config: Config
  plugins: readonly PluginDeclaration[]
}> {
  const core = configOf(composition.env)
  const loaded = await loadPlugins(core.PLUGINS, composition.workingFolder)
  const plugins = [...composition.builtin, ...loaded]
  const undeclared = undeclaredReads(plugins)
  if (undeclared.length > 0)
    throw new StartError(`The plugins cannot be put together:\n  ${undeclared.join('\n  ')}`)
  return { config: configOf(composition.env, settingsOf(plugins)), plugins }
}

/** The settings that plugins declare. The registry reports those that are declared twice. */
const settingsOf = (plugins: readonly PluginDeclaration[]): SettingDeclarations =>
  Object.assign({}, ...plugins.map(({ settings }) => settings?.declared ?? {}))

/** Every owner's command, core's own first. */
export const commandsOf = (plugins: readonly PluginDeclaration[]): AnyCommand[] =>
  withCore(plugins).flatMap((plugin) => plugin.commands ?? [])
