import type { Hit, IngestSite } from 'renown/contracts'
import type { AgentIndex } from '../judge/agent-index'
import type { Agent } from '../judge/classify'
import { newAgentName } from '../judge/new-agent-name'
import type { DayOf } from '../parse/days'
import { hostOf } from '../parse/paths'
import { isOfSite } from '../sites/site-host'
import type { NewAgents } from './new-agents'
import type { Tally, Unnamed } from './tally'

/** Distinct user agents of a batch that are remembered. */
const agentsMax = 4_096

/** Returns the agent of a line, or null. Notes what looks like an unknown agent. */
export function namedAgent(index: AgentIndex, tally: Tally, hit: Hit, site: IngestSite): Agent | null {
  const known = tally.agents?.get(hit.ua)
  const found = known === undefined ? lookUp(index, tally, hit.ua) : known
  if (found === null || !('token' in found)) return found
  const host = hostOf(hit.target) ?? hit.host
  // The key of a signature may name it after all.
  if (!hit.signed && (!host || isOfSite(host, site.domain))) note(tally, found, hit.ts)
  return null
}

function lookUp(index: AgentIndex, tally: Tally, ua: string): Agent | Unnamed | null {
  const found = index.classify(ua) ?? unnamedOf(index, ua)
  // A batch with one line needs no memory.
  if (tally.lines > 1) {
    tally.agents ??= new Map()
    if (tally.agents.size < agentsMax) tally.agents.set(ua, found)
  }
  return found
}

function unnamedOf({ isOtherRobot }: AgentIndex, ua: string): Unnamed | null {
  const name = newAgentName(ua)
  if (name === null || isOtherRobot(ua, name.token)) return null
  return { ...name, hits: 0, from: 0, to: 0 }
}

function note(tally: Tally, unnamed: Unnamed, ts: number): void {
  if (unnamed.hits === 0) {
    tally.unnamed ??= []
    if (tally.unnamed.length >= agentsMax) return
    tally.unnamed.push(unnamed)
    unnamed.from = ts
  }
  unnamed.hits++
  unnamed.from = Math.min(unnamed.from, ts)
  unnamed.to = Math.max(unnamed.to, ts)
}

export interface SeeDeps {
  readonly newAgents: Pick<NewAgents, 'see'>
  readonly dayOf: DayOf
}

/** Counts the unknown agents of a batch. */
export function seeUnnamed({ newAgents, dayOf }: SeeDeps, site: IngestSite, { unnamed }: Tally): void {
  if (unnamed === undefined) return
  const day = (ts: number) => dayOf(ts, site.timezone)
  newAgents.see(
    site.site_id,
    unnamed.map(({ token, host, hits, from, to }) => ({
      token,
      host,
      hits,
      first: day(from),
      last: day(to),
    })),
  )
}
