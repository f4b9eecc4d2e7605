import type { PluginDeclaration } from './contracts/plugin'
import { installation } from './first-run'
import { gate } from './gateway/plugin'
import { tenancy } from './tenancy'

/** What belongs to every installation, declared like any other plugin. */
export const corePlugins: readonly PluginDeclaration[] = [gate, tenancy, installation]
