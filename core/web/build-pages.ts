import type { Registry } from '../registry/registry'
import { type Bundle, buildBundle } from './bundle'

/** What browsers run, of every page that plugins declare. */
export const buildPages = (registry: Registry): Promise<Bundle> =>
  buildBundle(
    [...registry.pages.values()].map(({ path, module, style }) => ({
      ...{ path, module, style },
      plugin: registry.pluginOf('page', path) ?? '',
    })),
  )
