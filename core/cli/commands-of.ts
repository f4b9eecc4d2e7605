import type { AnyCommand, PluginDeclaration } from '../contracts/plugin'
import { withCore } from '../product/core-plugins'

/** Returns the commands of all plugins, core's own first. */
export const commandsOf = (plugins: readonly PluginDeclaration[]): AnyCommand[] =>
  withCore(plugins).flatMap((plugin) => plugin.commands ?? [])
