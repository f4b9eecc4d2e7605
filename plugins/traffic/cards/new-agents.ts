import { dayIn, dayMs } from 'renown'
import { type InboxEntry, type InboxSource, type Phrase, shownDomain } from 'renown/pages'
import { AiTrafficSite } from '../records/AiTrafficSite'
import type { ShownNewAgent } from '../sums/new-agent-words'
import { readNewAgents } from '../sums/readNewAgents'
import { trafficWords } from '../words'

/** Entries wait for this many days after the first hit of the newest name. */
const shownDays = 30
const namedMax = 3
const sitesMax = 500

/** The inbox source for unknown agents: one entry per site. It comes again if another name comes. */
export const newAgentsSource: InboxSource = {
  name: 'new-agents',
  title: trafficWords('kindNewAgents'),
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
  const shown = agents.slice(0, namedMax)
  const names = shown.map(({ token }) => token).join(', ')
  const count = agents.length - shown.length
  return {
    // Another name is news, more hits are not.
    id,
    state: `${newest} ${agents.length}`,
    at: `${newest}T00:00:00.000Z`,
    word: trafficWords('new'),
    tone: 'plain',
    about,
    title: count === 0 ? trafficWords('lookAt', { names }) : trafficWords('lookAtMore', { names, count }),
    text: [...shown.map(agentLine), trafficWords('unknownAgents')],
    link: { href: `/app/new-agents?site=${id}`, label: trafficWords('openNewAgents') },
  }
}

const agentLine = ({ token, hits_at_least, hits_at_most, first_day, last_day }: ShownNewAgent): Phrase =>
  trafficWords('agentHits', {
    agent: token,
    hits:
      hits_at_least === hits_at_most
        ? hits_at_least
        : trafficWords('atLeastAtMost', { least: hits_at_least, most: hits_at_most }),
    days:
      first_day === last_day
        ? trafficWords('onDay', { day: { day: first_day } })
        : trafficWords('fromTo', { start: { day: first_day }, end: { day: last_day } }),
  })
