import { type DemoBusiness, type DemoWorld, demoRows, shiftDay } from 'renown'
import { parseRobots } from 'renown/sources'
import { judgePaths } from '../access/judge-paths'
import type { AgentPath, DayFacts } from '../records/dailyRow'
import { RobotsCopy } from '../records/RobotsCopy'
import { SiteAccess } from '../records/SiteAccess'

const rules = ['User-agent: Bytespider', 'Disallow: /', '', 'User-agent: *', 'Disallow: /staff/'].join('\n')
const robots = parseRobots(rules)
/** Days before today on which the robots.txt was first seen. */
const firstSeen = 61
/** The site whose robots.txt cannot be read. */
const unreadable = 3
/** The date of the next check, so that a sample site is never fetched. */
const never = '9999-01-01T00:00:00.000Z'

/** Returns what the robots.txt says about the pages of a sample day. */
export function judgedDay(
  paths: readonly AgentPath[],
  place: number,
  daysAgo: number,
): Pick<DayFacts, 'robots'> {
  if (place === unreadable || daysAgo >= firstSeen) return {}
  const held = { rules, first_seen_at: '', last_seen_at: '' }
  return { robots: judgePaths(paths, [held], () => robots) }
}

/** Returns the last check of each sample site, and its copy of the robots.txt. */
export function accessRows(world: DemoWorld, siteId: (business: DemoBusiness) => string) {
  const { businesses } = world
  const ids = ({ id: location_id, workspace_id, ...business }: DemoBusiness) => ({
    workspace_id,
    location_id,
    site_id: siteId({ id: location_id, workspace_id, ...business }),
  })
  return [
    demoRows(
      RobotsCopy,
      businesses
        .filter((_, place) => place !== unreadable)
        .map((business) => ({
          id: world.id(RobotsCopy, business.key),
          ...ids(business),
          rules,
          is_absent: false,
          created_date: world.at(firstSeen, 3),
          first_seen_at: world.at(firstSeen, 3),
          last_seen_at: world.at(1, 23),
        })),
    ),
    demoRows(
      SiteAccess,
      businesses.map((business, place) => ({
        id: world.id(SiteAccess, business.key),
        ...ids(business),
        created_date: world.at(firstSeen, 3),
        next_check_at: never,
        checked_at: world.at(1, 23),
        ...checkOf(world, business, place),
      })),
    ),
  ]
}

function checkOf(world: DemoWorld, { services }: DemoBusiness, place: number) {
  const fault = 'The server answers 403 to Renown. Crawlers may get the same.'
  if (place === unreadable) return { robots: { state: 'unreadable' as const, fault, read_at: null } }
  const pages = [
    '/',
    '/about',
    ...services.map((service) => `/${encodeURIComponent(service)}`),
    '/jobs',
    '/press',
  ]
  const never_paths = ['/jobs', '/press']
  const agents = ['GPTBot', 'ClaudeBot', 'ChatGPT-User', 'PerplexityBot'].map((agent, n) => {
    const missing = [...pages.slice(pages.length - 2 - n, -2), ...never_paths]
    return { agent, fetched: pages.length - missing.length, missing }
  })
  return {
    robots: { state: 'read' as const, is_cut: false, read_at: world.at(1, 23) },
    llms:
      place === 0
        ? { state: 'valid' as const, fetches: [{ agent: 'ChatGPT-User', hits: 2, verified: 2 }] }
        : { state: 'absent' as const, fetches: [] },
    sitemap: {
      state: 'read' as const,
      coverage: {
        date_from: shiftDay(world.today, -28),
        date_to: shiftDay(world.today, -1),
        pages: pages.length,
        never: never_paths.length,
        never_paths,
        agents,
      },
    },
  }
}
