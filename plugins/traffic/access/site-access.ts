import { field, type ReadContext, where } from 'renown'
import { parseRobots } from 'renown/sources'
import * as v from 'valibot'
import type { Site } from '../records/days'
import { RobotsCopy } from '../records/RobotsCopy'
import { type Access, SiteAccess } from '../records/SiteAccess'

const count = (description: string) => field.integer(description, { min: 0 })

/** How much of a site an agent may read. */
export interface AgentAccess {
  readonly agent: string
  /** Whether the robots.txt names the agent, or all robots, or neither. */
  readonly group: 'named' | 'all' | 'none'
  readonly closed: 'all' | 'some' | 'none'
}

/** What a site lets crawlers read, as the last check found it. */
export interface SiteAccessView {
  readonly site_id: string
  readonly domain: string
  /** Null before the first check. */
  readonly checked_at: string | null
  readonly robots: NonNullable<Access['robots']> | null
  readonly llms: NonNullable<Access['llms']> | null
  readonly sitemap: NonNullable<Access['sitemap']> | null
  /** When the robots.txt was first fetched. Earlier days are not judged. */
  readonly judged_after: string | null
  readonly agents: readonly AgentAccess[]
}

/** Reads the last check of a site. `agents` are the agents whose access is of interest. */
export async function readAccess(
  ctx: ReadContext,
  site: Pick<Site, 'id' | 'domain'>,
  agents: readonly string[],
): Promise<SiteAccessView> {
  const ofSite = where.eq('site_id', site.id)
  const copies = (direction: 'asc' | 'desc') =>
    ctx.rows(RobotsCopy).list({ where: ofSite, sort: [{ field: 'first_seen_at', direction }], limit: 1 })
  const [[access], [newest], [oldest]] = await Promise.all([
    ctx.rows(SiteAccess).list({ where: ofSite, limit: 1 }),
    copies('desc'),
    copies('asc'),
  ])
  const robots = access?.robots ?? null
  return {
    site_id: site.id,
    domain: site.domain,
    checked_at: access?.checked_at ?? null,
    robots,
    llms: access?.llms ?? null,
    sitemap: access?.sitemap ?? null,
    judged_after: oldest?.first_seen_at ?? null,
    // A file that cannot be read allows nothing and forbids nothing.
    agents: newest && robots && robots.state !== 'unreadable' ? accessOf(newest.rules, agents) : [],
  }
}

function accessOf(rules: string, agents: readonly string[]): AgentAccess[] {
  const robots = parseRobots(rules)
  const came = new Set(agents.map((agent) => agent.toLowerCase()))
  const others = robots.named.filter((name) => !came.has(name)).slice(0, namedMax)
  return [...agents, ...others].map((agent) => ({ agent, ...robots.reach(agent) }))
}

/** Maximum agents that only the robots.txt names. */
const namedMax = 100
const pathsMax = 25

/** The access in the answer of an operation. */
export const siteAccess = {
  schema: v.pipe(
    v.nullable(
      v.object({
        checked_at: v.nullable(
          field.instant('When Renown last checked the site. Null before the first check'),
        ),
        robots_txt: v.nullable(
          v.object({
            state: field.oneOf(
              ['read', 'absent', 'unreadable'],
              'unreadable says nothing about what is allowed',
            ),
            fault: v.nullable(field.text('Why it could not be read')),
          }),
        ),
        agents: v.pipe(
          v.array(
            v.object({
              agent: field.text('Agent that came, or that robots.txt names'),
              closed: field.oneOf(['all', 'some', 'none'], 'How much robots.txt closes to it'),
            }),
          ),
          v.description('Empty if robots.txt could not be read'),
        ),
        llms_txt: v.nullable(
          v.object({
            state: field.oneOf(['valid', 'invalid', 'absent', 'unreadable'], 'What the check found'),
            verified_fetches: count('Verified fetches of it in 28 days'),
          }),
        ),
        never_crawled: v.nullable(
          v.object({
            pages: count('Pages of the sitemap'),
            never: count('Those that no crawler fetched in 28 days'),
            paths: field.texts(`Paths of those, at most ${pathsMax}`),
          }),
        ),
      }),
    ),
    v.description('What the site lets crawlers read. Null unless the answer is about one site'),
  ),
  of({ checked_at, robots, llms, sitemap, agents }: SiteAccessView) {
    const coverage = sitemap?.coverage
    return {
      checked_at,
      robots_txt: robots && { state: robots.state, fault: robots.fault ?? null },
      agents: agents.map(({ agent, closed }) => ({ agent, closed })),
      llms_txt: llms && {
        state: llms.state,
        verified_fetches: llms.fetches.reduce((sum, { verified }) => sum + verified, 0),
      },
      never_crawled: coverage
        ? { pages: coverage.pages, never: coverage.never, paths: coverage.never_paths.slice(0, pathsMax) }
        : null,
    }
  },
}
