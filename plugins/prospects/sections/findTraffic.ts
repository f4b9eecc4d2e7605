import { isPassing, type OwnerContext, oneLine, type ServiceFault, where } from 'renown'
import { AiTrafficSite, type Prospect } from '../records/foreign'
import { type Section, section, shownUrl, type UnknownFact } from '../records/section'
import { aiAgents } from '../website/aiAgents'
import { lookAtWebsite, type WebsiteLook, type WebsiteReading } from '../website/lookAtWebsite'
import type { RobotsWord } from '../website/readPage'

const method =
  'Requests to its website: robots.txt (RFC 9309) for each agent, the page as a visitor sees it, and llms.txt'

/** Returns how the website treats AI agents. It does not count visits, because the site is not counted yet. */
export async function findTraffic(
  ctx: OwnerContext,
  prospect: Prospect,
  isLast: WebsiteReading['isLast'],
): Promise<Section> {
  const at = ctx.now()
  const nothing = (reason: string) =>
    section({ method, at, facts: null, unknown: [{ what: 'website', reason }] })
  const website = URL.parse(prospect.website ?? '')
  if (!prospect.website) return nothing('Its website is unknown.')
  if (!website || !/^https?:$/.test(website.protocol)) return nothing('Its website is not a web address.')
  const seen = await lookAtWebsite({ safeFetch: ctx.outbound.safeFetch, website, isLast })
  if (seen.refused !== undefined) return nothing(seen.refused)
  if (seen.fault?.code === 'unresolvable' && !(await isKnownToDns(ctx, seen.url)))
    return nothing(seen.fault.message)
  const agents = agentsOf(seen)
  return section({
    method,
    at,
    unknown: unknownOf(seen),
    score: scoreOf(seen, agents),
    facts: {
      website: shownUrl(website),
      url: shownUrl(seen.url),
      reachable: seen.reachable,
      https: seen.https,
      http_leads_to_https: seen.http_leads_to_https,
      redirects: seen.redirects,
      robots_txt: seen.robots && { state: seen.robots.state, status: seen.robots.status },
      ai_agents: agents,
      ...(seen.page ? await pageFacts(ctx, prospect, seen.page) : {}),
      llms_txt: seen.llms_txt,
    },
  })
}

/**
 * Whether the DNS answers for a name, even without a record. If not, Renown's own network may be the cause.
 */
const isKnownToDns = ({ outbound }: OwnerContext, { hostname }: URL): Promise<boolean> =>
  outbound.dns.addresses(hostname).then(
    () => true,
    () => false,
  )

/** Returns what robots.txt allows each agent for the page. */
function agentsOf({ robots: file, url }: WebsiteLook) {
  const robots = file?.robots
  if (!robots) return null
  return aiAgents.map(({ agent, ...known }) => {
    const { rule, ...verdict } = robots.verdict(agent, `${url.pathname}${url.search}`)
    return { agent, ...known, ...verdict, ...(rule === undefined ? {} : { rule: oneLine(rule, 100) }) }
  })
}

async function pageFacts(
  ctx: OwnerContext,
  { workspace_id }: Prospect,
  page: NonNullable<WebsiteLook['page']>,
) {
  const words = [...page.robots, ...page.headers]
  const own = where.and(where.eq('workspace_id', workspace_id), where.in('site_key', page.script_keys))
  const ours = page.script_keys.length === 0 ? 0 : await ctx.rows(AiTrafficSite).count(own)
  return {
    robots_directives: words,
    noindex_for: [...new Set(words.filter(isNoindex).map(({ robot }) => robot))],
    structured_data: { ...page.json_ld, types: page.types },
    has_title: page.has_title,
    has_description: page.has_description,
    counts_ai_traffic: ours > 0,
  }
}

/** Whether Renown's own network may be the cause if a host does not answer. */
const mayBeOurs = (fault: ServiceFault) => isPassing(fault) && fault.code !== 'unresolvable'

const isNoindex = ({ directives }: RobotsWord) =>
  directives.some((directive) => directive === 'noindex' || directive === 'none')

function unknownOf({ fault, page, unread = '', robots, llms_txt }: WebsiteLook): UnknownFact[] {
  if (fault) return mayBeOurs(fault) ? [{ what: 'website', reason: fault.message }] : []
  return [
    ...(robots?.robots ? [] : [{ what: 'ai_agents', reason: 'Its robots.txt could not be read.' }]),
    ...(page ? [] : [{ what: 'page', reason: unread }]),
    ...(llms_txt === null
      ? [{ what: 'llms_txt', reason: 'It was not requested, or the request failed.' }]
      : []),
  ]
}

/**
 * Returns the score. Unknown parts do not count.
 * - 20 points for https
 * - 45 points for the share of allowed agents that search or fetch for a user and follow robots.txt
 * - 20 points for a page that may be indexed
 * - 15 points for structured data
 */
function scoreOf({ fault, https, page }: WebsiteLook, agents: ReturnType<typeof agentsOf>): number | null {
  if (fault) return mayBeOurs(fault) ? null : 0
  const welcome = agents?.filter((one) => one.heeds_robots_txt && one.purpose !== 'training') ?? []
  const words = page ? [...page.robots, ...page.headers] : []
  const parts: readonly (readonly [weight: number, got: number])[] = [
    [20, https.works ? 1 : 0],
    ...(agents ? [[45, welcome.filter(({ allowed }) => allowed).length / welcome.length] as const] : []),
    ...(page
      ? [
          [20, words.some((word) => word.robot === 'robots' && isNoindex(word)) ? 0 : 1] as const,
          [15, page.types.length > 0 ? 1 : 0] as const,
        ]
      : []),
  ]
  const sum = (pick: (part: readonly [number, number]) => number) =>
    parts.reduce((total, part) => total + pick(part), 0)
  return (100 * sum(([weight, got]) => weight * got)) / sum(([weight]) => weight)
}
