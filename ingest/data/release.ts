import { type AgentRegistry, releaseRegistryVersion } from 'renown/contracts'
import { agents } from './agents'
import { assistants } from './assistants'
import { documentedRanges, rangeLists } from './operators'
import { otherRobots } from './robots'

/** The release's own registry never expires. These are the day it was reviewed and a day that never comes. */
const reviewed = '2026-11-28T00:00:00.000Z'
const never = '9999-12-31T00:00:00.000Z'

/** The registry of this release, in the form that mirrors publish. */
export const releaseRegistry: AgentRegistry = {
  format: 1,
  version: releaseRegistryVersion,
  issued_at: reviewed,
  expires_at: never,
  lists: rangeLists.map((list) => ({ ...list })),
  documented: Object.fromEntries(Object.entries(documentedRanges).map(([name, own]) => [name, [...own]])),
  agents: agents.map((row) => ({ ...row, aliases: [...row.aliases], lists: [...row.lists] })),
  assistants: assistants.map(({ name, hosts, parts = [], utm = [], android = [], markers = [] }) => ({
    name,
    hosts: [...hosts],
    parts: [...parts],
    utm: [...utm],
    android: [...android],
    markers: [...markers],
  })),
  robots: [...otherRobots],
}
