import { people } from '../auth/people/plugin'
import type { PluginDeclaration } from '../contracts/plugin'
import { demoPlugin } from '../demo/plugin'
import { installation } from './first-run'
import { gate } from './gate-plugin'
import { jobs } from './jobs-plugin'
import { tenancy } from './tenancy-plugin'

/** What belongs to every installation, declared like any other plugin. */
export const corePlugins: readonly PluginDeclaration[] = [gate, tenancy, people, installation, jobs]

/** Everything that one installation is put together from: core's own, those given, and the demo over all of them. */
export function withCore(plugins: readonly PluginDeclaration[]): readonly PluginDeclaration[] {
  const all = [...corePlugins, ...plugins]
  return [...all, demoPlugin(all)]
}
