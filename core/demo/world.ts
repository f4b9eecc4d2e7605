import type { DemoBusiness, DemoWorld } from '../contracts/demo'
import { type PlatformId, platformId } from '../contracts/platform-id'
import type { PluginDeclaration } from '../contracts/plugin'
import { dayMs, hourMs } from '../contracts/time'
import { type BusinessFacts, prospects, workspaces } from './businesses'
import { idFrom, randomFrom } from './random'

/** The default seed of a demo. */
export const demoSeed = 'renown'

/** The input that determines every row of a demo. */
export interface DemoSeed {
  readonly seed: string
  /** The last UTC day of the demo. */
  readonly today: string
  /** Texts that break careless code, for tests. The demo that people see has none. */
  readonly edgeCases?: readonly string[]
}

/**
 * Returns the world of a seed and a UTC day. Ids depend only on the seed, so they are the same every day. The plugins
 * provide the platforms of the businesses.
 */
export function demoWorld(
  { seed, today, edgeCases = [] }: DemoSeed,
  plugins: readonly Pick<PluginDeclaration, 'provides'>[] = [],
): DemoWorld {
  const midnight = Date.parse(today)
  const platforms = platformsOf(plugins)
  const placeOf = (listing: DemoBusiness['listing'], key: string) => {
    const platform = platforms.find(({ demo }) => demo?.listing === listing)
    return { source: platform?.source, ids: platform?.demo?.ids(key) ?? {} }
  }
  const id: DemoWorld['id'] = ({ idPrefix }, key) => idFrom(idPrefix, `${seed} ${idPrefix} ${key}`)
  const workspaceId = (key: string) => id({ idPrefix: 'wsp' }, key)
  const business = (workspaceKey: string, key: string, facts: BusinessFacts): DemoBusiness => ({
    ...facts,
    id: id({ idPrefix: 'loc' }, key),
    workspace_id: workspaceId(workspaceKey),
    key,
    domain: `${key}.example`,
    ...placeOf(facts.listing, key),
  })
  const all = Object.entries(workspaces)
  // A second demo has the same businesses. Its seed tells their workspaces apart.
  const label = seed === demoSeed ? 'demo' : `demo ${seed}`
  return Object.freeze({
    today,
    label,
    agency_id: id({ idPrefix: 'agc' }, 'demo'),
    workspaces: all.map(([key, { name, timezone, locale }]) => ({
      id: workspaceId(key),
      name: name.replace('(demo)', `(${label})`),
      timezone,
      locale,
    })),
    businesses: all.flatMap(([workspaceKey, { businesses }]) =>
      Object.entries(businesses).map(([key, facts]) => business(workspaceKey, key, facts)),
    ),
    prospects: Object.entries(prospects).map(([key, facts]) => business('islands', key, facts)),
    edgeCases,
    random: (stream: string) => randomFrom(`${seed} ${stream}`, today),
    id,
    at: (daysAgo: number, hour = 9) =>
      new Date(midnight - daysAgo * dayMs + Math.round(hour * hourMs)).toISOString(),
  })
}

/** Returns the platforms that sample businesses can be on, in their order. */
const platformsOf = (plugins: readonly Pick<PluginDeclaration, 'provides'>[]): readonly PlatformId[] =>
  plugins
    .flatMap(({ provides = [] }) => provides)
    .flatMap(({ point, extension }) => (point === platformId.id ? [extension as PlatformId] : []))
    .toSorted((a, b) => a.order - b.order)
