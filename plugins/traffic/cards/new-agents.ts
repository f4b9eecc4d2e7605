import { dayIn, dayMs, type InboxEntry, type InboxSource, shownDomain } from 'renown'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { boundsInWords, daysOfAgent, type ShownNewAgent } from '../sums/new-agent-words'
import { readNewAgents } from '../sums/readNewAgents'

/** Entries wait for this many days after the first hit of the newest name. */
const shownDays = 30
const namedMax = 3
const sitesMax = 500

/** The inbox source for unknown agents: one entry per site. It comes again if another name comes. */
export const newAgentsSource: InboxSource = {
  name: 'new-agents',
  title: 'New agents',
  order: 37,
  icon: 'bot',
  isCounted: false,
  async list(ctx, limit) {
    const since = dayIn('UTC', new Date(ctx.now().getTime() - shownDays * dayMs))
    const sites = await ctx.rows(AiTrafficSite).list({ limit: sitesMax, fields: ['domain'] })
    const found = await readNewAgents(
      ctx,
      sites.map(({ id }) => id),
    )
    const recent = Map.groupBy(
      found.filter(({ first_day }) => first_day >= since),
      ({ site_id }) => site_id,
    )
    const domains = new Map(sites.map(({ id, domain }) => [id, domain]))
    return [...recent]
      .map(([id, agents]) => entryOf(id, shownDomain(domains.get(id) ?? id), agents))
      .toSorted((a, b) => b.at.localeCompare(a.at))
      .slice(0, limit)
  },
}

function entryOf(id: string, about: string, agents: readonly ShownNewAgent[]): InboxEntry {
  const [newest = ''] = agents.map(({ first_day }) => first_day).toSorted((a, b) => b.localeCompare(a))
  const named = agents.slice(0, namedMax).map(({ token }) => token)
  const more = agents.length - named.length
  const list = more === 0 ? named.join(', ') : `${named.join(', ')} and ${more} more`
  return {
    // Another name is news, more hits are not.
    id,
    state: `${newest} ${agents.length}`,
    at: `${newest}T00:00:00.000Z`,
    word: 'New',
    tone: 'plain',
    about,
    title: `New: look at ${list}`,
    text: [
      ...agents
        .slice(0, namedMax)
        .map((agent) => `${agent.token}: ${boundsInWords(agent)} hits, ${daysOfAgent(agent)}.`),
      'They look like agents, but the registry does not know them, so they are not counted.',
    ].join(' '),
    link: { href: `/app/new-agents?site=${id}`, label: 'Open new agents' },
  }
}
