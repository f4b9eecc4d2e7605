import { people } from '../auth/people/plugin'
import type { ConnectionDeclaration } from '../contracts/connection'
import type { PluginDeclaration } from '../contracts/plugin'
import { demoPlugin } from '../demo/plugin'
import { oncePer } from '../kit/once-per'
import { asCore } from '../registry/own-context'
import { installation } from './first-run'
import { gatewayPlugin } from './gateway-plugin'
import { inbox } from './inbox-plugin'
import { jobsPlugin } from './jobs-plugin'
import { proposalsPlugin } from './proposals-plugin'
import { rights } from './rights-plugin'
import { tenancy } from './tenancy-plugin'

const own = [gatewayPlugin, tenancy, people, installation, inbox, rights].map(asCore)

/** The plugins of every installation, declared like any other plugin. */
export const corePlugins: readonly PluginDeclaration[] = [
  ...own,
  asCore(jobsPlugin([])),
  asCore(proposalsPlugin([])),
]

/**
 * Returns all plugins of an installation: core's own, the given ones, and the demo of all of them. The same list gives
 * the same plugins.
 */
export const withCore = oncePer((plugins: readonly PluginDeclaration[]): readonly PluginDeclaration[] => {
  const all = [
    ...own,
    asCore(jobsPlugin(connectionsOf(plugins))),
    asCore(proposalsPlugin(plugins)),
    ...plugins,
  ]
  return [...all, asCore(demoPlugin(all))]
})

/** Returns the connections that have a name. The registry reports the others. */
const connectionsOf = (plugins: readonly PluginDeclaration[]): ConnectionDeclaration[] =>
  plugins.flatMap(({ connections }: { readonly connections?: unknown }) =>
    Array.isArray(connections) ? connections.filter((one) => typeof one?.provider === 'string') : [],
  )
