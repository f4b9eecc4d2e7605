import { people } from '../auth/people/plugin'
import type { ConnectionDeclaration } from '../contracts/connection'
import type { PluginDeclaration } from '../contracts/plugin'
import { demoPlugin } from '../demo/plugin'
import { oncePer } from '../kit/once-per'
import { installation } from './first-run'
import { gatewayPlugin } from './gateway-plugin'
import { inbox } from './inbox-plugin'
import { jobsPlugin } from './jobs-plugin'
import { proposalsPlugin } from './proposals-plugin'
import { tenancy } from './tenancy-plugin'

const own = [gatewayPlugin, tenancy, people, installation, inbox]

/** The plugins of every installation, declared like any other plugin. */
export const corePlugins: readonly PluginDeclaration[] = [...own, jobsPlugin([]), proposalsPlugin([])]

/**
 * Returns all plugins of an installation: core's own, the given ones, and the demo of all of them. The same list gives
 * the same plugins.
 */
export const withCore = oncePer((plugins: readonly PluginDeclaration[]): readonly PluginDeclaration[] => {
  const all = [...own, jobsPlugin(connectionsOf(plugins)), proposalsPlugin(plugins), ...plugins]
  return [...all, demoPlugin(all)]
})

/** Returns the connections that have a name. The registry reports the others. */
const connectionsOf = (plugins: readonly PluginDeclaration[]): ConnectionDeclaration[] =>
  plugins.flatMap(({ connections }: { readonly connections?: unknown }) =>
    Array.isArray(connections) ? connections.filter((one) => typeof one?.provider === 'string') : [],
  )
