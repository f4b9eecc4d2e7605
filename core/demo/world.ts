import type { DemoBusiness, DemoWorld } from '../contracts/demo'
import { dayMs, hourMs } from '../contracts/time'
import { type BusinessFacts, prospects, workspaces } from './businesses'
import { idFrom, randomFrom } from './random'

/** The input that determines every row of a demo. */
export interface DemoSeed {
  readonly seed: string
  /** The last UTC day of the demo. */
  readonly today: string
  /** Texts that break careless code, for tests. The demo that people see has none. */
  readonly edgeCases?: readonly string[]
}

/** Returns the world of a seed and a UTC day. Ids depend only on the seed, so they are the same every day. */
export function demoWorld({ seed, today, edgeCases = [] }: DemoSeed): DemoWorld {
  const midnight = Date.parse(today)
  const id: DemoWorld['id'] = ({ idPrefix }, key) => idFrom(idPrefix, `${seed} ${idPrefix} ${key}`)
  const workspaceId = (key: string) => id({ idPrefix: 'wsp' }, key)
  const business = (workspaceKey: string, key: string, facts: BusinessFacts): DemoBusiness => ({
    ...facts,
    id: id({ idPrefix: 'loc' }, key),
    workspace_id: workspaceId(workspaceKey),
    key,
    domain: `${key}.example`,
  })
  const all = Object.entries(workspaces)
  return Object.freeze({
    today,
    agency_id: id({ idPrefix: 'agc' }, 'demo'),
    workspaces: all.map(([key, { name, timezone, locale }]) => ({
      id: workspaceId(key),
      name,
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
