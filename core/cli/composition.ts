import type { ReadLogSample } from '../contracts/log-mapping'
import type { PluginDeclaration } from '../contracts/plugin'
import type { SettingDeclarations } from '../contracts/setting'
import type { Config } from '../process/config'
import { StartError } from '../process/start-error'
import type { CreateIngest } from '../product/serve-deps'
import { undeclaredReads } from '../registry/foreign-checks'
import { loadPlugins } from '../registry/load-plugins'
import { configOf } from './config-of'

/** The parts that a main file combines. Only main files import plugins and the ingest. */
export interface Composition {
  readonly builtin: readonly PluginDeclaration[]
  loadIngest(): Promise<CreateIngest>
  loadLogReader?(): Promise<ReadLogSample>
  /** Whether the running product has the plugins, and this process only sends it files. Then no plugin is loaded. */
  readonly isLight?: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workingFolder: string
}

/** Returns the settings and the plugins of this process. Reports all errors in both at once. */
export async function compose(composition: Composition): Promise<{
  config: Config
  plugins: readonly PluginDeclaration[]
}> {
  const core = configOf(composition.env)
  if (composition.isLight) return { config: core, plugins: [] }
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
