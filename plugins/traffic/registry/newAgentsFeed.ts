import { createHash } from 'node:crypto'
import {
  dayMs,
  type FeedDeclaration,
  type JobDeclaration,
  nullIfConflict,
  type OwnerContext,
  type Row,
  where,
} from 'renown'
import { type NewAgentsReport, newAgentDaysMax, newAgentsReportSchema } from 'renown/traffic'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { NewAgent } from '../records/NewAgent'

/** Most names of a site that are stored. Those with the fewest hits go first. */
const namesPerSite = 50

type Site = Row<typeof AiTrafficSite>
type SiteReport = NewAgentsReport['sites'][number]

/** Stores what an ingest process reports of unknown agents. Bounds are absolute, so a repeated report changes nothing. */
export const newAgentsFeed: FeedDeclaration<typeof newAgentsReportSchema> = {
  summary: 'Unknown user agents that look like agents, as an ingest process counts them',
  takes: newAgentsReportSchema,
  async run(ctx, { instance, sites }) {
    const ids = sites.map(({ site_id }) => site_id)
    const known = await ctx.rows(AiTrafficSite).list({ where: where.in('id', ids), limit: ids.length + 1 })
    for (const report of sites) {
      const site = known.find(({ id }) => id === report.site_id)
      if (site) await store(ctx, site, instance, report)
    }
    return { stored: known.length }
  },
}

async function store(ctx: OwnerContext, site: Site, instance: string, { agents, floor, gone }: SiteReport) {
  const rows = ctx.rows(NewAgent)
  const ofSite = where.eq('site_id', site.id)
  for (const token of gone) await rows.removeWhere(where.and(ofSite, where.eq('token', token)))
  const before = await rows.list({ where: ofSite, limit: namesPerSite * 10 })
  const own = new Map(before.flatMap((row) => (row.instance === instance ? [[row.token, row] as const] : [])))
  for (const agent of agents) {
    const stored = own.get(agent.token)
    own.delete(agent.token)
    if (stored) await update(ctx, stored, agent)
    else await insert(ctx, site, instance, agent)
  }
  // These lost their counters. They may have come again, but not more often than the least frequent counted name.
  for (const row of own.values())
    if (row.hits_at_most < floor) await rows.update(row.id, { hits_at_most: floor })
  if (before.length + agents.length > namesPerSite) await trim(ctx, site)
}

async function update(ctx: OwnerContext, stored: Row<typeof NewAgent>, agent: SiteReport['agents'][number]) {
  const changes = {
    host: agent.host ?? stored.host ?? null,
    hits_at_least: Math.max(stored.hits_at_least, agent.hits_at_least),
    hits_at_most: Math.max(stored.hits_at_least, agent.hits_at_most),
    first_day: agent.first_day < stored.first_day ? agent.first_day : stored.first_day,
    last_day: agent.last_day > stored.last_day ? agent.last_day : stored.last_day,
  }
  const isSame = Object.entries(changes).every(([name, value]) => (stored as never)[name] === value)
  if (!isSame) await ctx.rows(NewAgent).update(stored.id, changes)
}

async function insert(ctx: OwnerContext, site: Site, instance: string, agent: SiteReport['agents'][number]) {
  const { workspace_id, location_id, id: site_id } = site
  const hash = createHash('sha256').update(`${site_id}\n${instance}\n${agent.token}`).digest('hex')
  const row = { ...agent, id: `nag_${hash.slice(0, 26)}`, workspace_id, location_id, site_id, instance }
  await ctx.rows(NewAgent).insertMany([row]).catch(nullIfConflict)
}

async function trim(ctx: OwnerContext, site: Site): Promise<void> {
  const rows = ctx.rows(NewAgent)
  const extra = await rows.list({
    where: where.eq('site_id', site.id),
    sort: [{ field: 'hits_at_least', direction: 'desc' }],
    skip: namesPerSite,
    limit: namesPerSite * 10,
  })
  if (extra.length > 0)
    await rows.removeWhere(
      where.in(
        'id',
        extra.map(({ id }) => id),
      ),
    )
}

/** Forgets unknown agents that did not come again. */
export const forgetNewAgents: JobDeclaration = {
  summary: `Forgets unknown agents that did not come for ${newAgentDaysMax} days`,
  everyMs: dayMs,
  includesInactive: true,
  async run(ctx) {
    const since = new Date(ctx.now().getTime() - newAgentDaysMax * dayMs).toISOString().slice(0, 10)
    await ctx.rows(NewAgent).removeWhere(where.lt('last_day', since))
  },
}
