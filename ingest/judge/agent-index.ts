import { type AgentRegistry, tokensOfAgent } from 'renown/contracts'
import { releaseRegistry } from '../data/release'
import { type Assistants, assistantOf, beaconLists, createAssistants } from './assistant'
import { type Classify, classify, createClassify } from './classify'
import type { Ranges } from './ranges'
import { createTokens } from './tokens'

/** The searches of one registry. */
export interface AgentIndex extends Assistants {
  readonly registry: AgentRegistry
  readonly classify: Classify
  /** Whether a user agent with this name in it is of a robot that is not of AI, or a name that is never counted. */
  isOtherRobot(ua: string, name?: string): boolean
}

/** The registry in use. `current` changes when a newer one arrives. */
export interface AgentsInUse {
  readonly current: AgentIndex
  /**
   * Uses a registry of a mirror if it is newer than the release, else the release's own. Returns whether that is
   * another one than before.
   */
  use(registry: AgentRegistry | undefined): boolean
}

/** The searches of the release's registry. */
export const releaseAgents: AgentIndex = {
  registry: releaseRegistry,
  classify,
  assistantOf,
  beaconLists,
  isOtherRobot: otherRobotsOf(releaseRegistry),
}

/** Starts with the registry of the release. */
export function createAgentsInUse(ranges: Pick<Ranges, 'use'>): AgentsInUse {
  let current = releaseAgents
  return {
    get current() {
      return current
    },
    use(registry) {
      const wanted = registry && registry.version > releaseRegistry.version ? registry : releaseRegistry
      if (Bun.deepEquals(wanted, current.registry)) return false
      current = wanted === releaseRegistry ? releaseAgents : indexOf(wanted)
      const { lists, documented } = wanted
      ranges.use({ lists, documented })
      return true
    },
  }
}

function indexOf(registry: AgentRegistry): AgentIndex {
  const classify = createClassify(registry.agents)
  return {
    registry,
    classify,
    ...createAssistants(registry.assistants),
    isOtherRobot: otherRobotsOf(registry),
  }
}

function otherRobotsOf({ robots, agents }: AgentRegistry): AgentIndex['isOtherRobot'] {
  const ofNames = createTokens(robots)
  const uncounted = agents.filter((agent) => agent.class === 'robots_only' || agent.class === 'namesake')
  const ofAgents = createTokens(uncounted.flatMap(tokensOfAgent))
  // Libraries are in the user agents of agents too. So only the name itself is searched for robots.
  return (ua, name = ua) => ofNames(name) !== -1 || ofAgents(ua) !== -1
}
