import type { DemoRandom } from 'renown'
import type { AgentCount, AgentPath, DayFacts, ErrorCount, StatusCount } from '../records/dailyRow'

/** Pages that are gone or protected, with the status that crawlers get there and the share of hits on them. */
const failing = [
  { path: '/old-menu', status: 404, share: 0.03 },
  { path: '/summer-2024', status: 410, share: 0.015 },
  { path: '/staff/rota', status: 403, share: 0.01 },
  { path: '/search', status: 503, share: 0.01 },
] as const
/** The share of hits whose log line had a status. */
const known = 0.96

/** Returns sample answers to the hits of a day, without spoofed ones, and the pages of each agent. */
export function answersOf(
  agents: readonly AgentCount[],
  paths: readonly string[],
  random: DemoRandom,
): Required<Pick<DayFacts, 'statuses' | 'errors' | 'agentPaths'>> {
  const statuses: StatusCount[] = []
  const errors: ErrorCount[] = []
  const agentPaths: AgentPath[] = []
  for (const { agent, hits, verified, spoofed } of agents) {
    const own = hits - spoofed
    const isVerified = verified > 0
    const failed = failing.flatMap(({ path, status, share }) => {
      const count = Math.floor(own * share * 2 * random.next() + random.next() * 0.5)
      return count > 0 ? [{ agent, path, status, hits: count, verified: isVerified ? count : 0 }] : []
    })
    const failedHits = failed.reduce((sum, error) => sum + error.hits, 0)
    const fine = Math.max(0, Math.floor(own * known) - failedHits)
    if (fine > 0) statuses.push({ agent, status: 0, hits: fine })
    for (const { status, hits } of failed) statuses.push({ agent, status, hits })
    errors.push(...failed)
    agentPaths.push(...pagesOf(agent, fine, isVerified, paths))
  }
  errors.sort((a, b) => b.hits - a.hits || (a.path < b.path ? -1 : 1) || (a.agent < b.agent ? -1 : 1))
  return { statuses, errors, agentPaths }
}

/** Returns the first paths, each with half of the hits that are left. */
function pagesOf(agent: string, hits: number, isVerified: boolean, paths: readonly string[]): AgentPath[] {
  const pages: AgentPath[] = []
  let left = hits
  for (const path of paths.slice(0, 8)) {
    const n = Math.ceil(left / 2)
    if (n === 0) break
    pages.push({ agent, path, n, verified: isVerified ? n : 0 })
    left -= n
  }
  return pages
}
