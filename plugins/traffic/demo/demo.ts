import { type DemoBusiness, type DemoDeclaration, type DemoWorld, demoRows, shiftDay, where } from 'renown'
import { hitsTable, touchedTable } from 'renown/traffic'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { countedFields } from '../records/dailyRow'
import { dailyTable } from '../records/dailyTable'
import { crawlerSpoofed } from '../records/events'
import { sealedColumns } from '../records/sealedColumns'
import { everySite } from '../sites/every-site'
import { sampleTokenHash } from '../sites/sample-site'
import { accessRows, judgedDay } from './demo-access'
import { factsOf, raidBegan } from './demo-day'

const days = 90
/** Days before today on which the log was not forwarded, so that they have no rows. */
const outage: ReadonlySet<number> = new Set([41, 42, 43])

/** A site for each sample business, with ninety sealed days: real crawlers, spoofed ones, and visits. */
export const trafficDemo: DemoDeclaration = {
  rows: (world) => [
    demoRows(
      AiTrafficSite,
      world.businesses.map((business, place) => siteOf(world, business, place)),
    ),
    ...accessRows(world, (business) => siteId(world, business)),
    {
      table: dailyTable,
      rows: world.businesses.flatMap((business, place) => daysOf(world, business, place)),
    },
  ],
  events: (world) =>
    world.businesses.flatMap((business, place) => {
      const facts = factsOf(world, business, { daysAgo: raidBegan, ...turnOf(place) })
      const { spoofed_hits } = countedFields(facts)
      if (spoofed_hits < raidHits) return []
      const site_id = siteId(world, business)
      const began = shiftDay(world.today, -raidBegan)
      const event = {
        workspace_id: business.workspace_id,
        location_id: business.id,
        entity: AiTrafficSite.name,
        entity_id: site_id,
        key: `${site_id} ${began}`,
        data: { site_id, began, spoofed_hits },
      }
      return [{ type: crawlerSpoofed, event, at: world.at(raidBegan - 1, 0.5) }]
    }),
  async remove(ctx, workspaceIds) {
    const sites = await everySite(ctx, where.in('workspace_id', workspaceIds))
    const ids = sites.map(({ id }) => id)
    await ctx.columns.remove(dailyTable.name, 'workspace_id', workspaceIds)
    for (const table of [hitsTable, touchedTable]) await ctx.columns.remove(table.name, 'site_id', ids)
  },
}

/** How a sample site counts. */
const turnOf = (place: number) => ({ withSearchEngines: place === 2, hasBeacon: place !== 1 })

/** Fewer spoofed hits on the first day of the raid are not reported. */
const raidHits = 50

const siteId = (world: DemoWorld, { key }: DemoBusiness) => world.id(AiTrafficSite, key)

/** Returns a sample site. Its forwarder token does not exist, because no text hashes to zeros. */
const siteOf = (world: DemoWorld, business: DemoBusiness, place: number) => ({
  id: siteId(world, business),
  workspace_id: business.workspace_id,
  location_id: business.id,
  domain: business.domain,
  timezone: business.timezone,
  site_key: `rnw_site_${world.id(AiTrafficSite, `key ${business.key}`).slice(4)}`,
  is_active: business.key !== 'hayarkon',
  count_search_engines: place === 2,
  respect_dnt: place !== 5,
  last_beacon_at: place === 1 ? null : world.at(1, 23),
  last_log_at: world.at(1, 23.5),
  forwarder_token_last4: 'demo',
  forwarder_token_hash: sampleTokenHash,
  created_date: world.at(days + 30),
})

function daysOf(world: DemoWorld, business: DemoBusiness, place: number) {
  return Array.from({ length: days }, (_, n) => n + 1).flatMap((daysAgo) => {
    if (place === 4 && outage.has(daysAgo)) return []
    const date = shiftDay(world.today, -daysAgo)
    const facts = factsOf(world, business, { daysAgo, ...turnOf(place) })
    return [
      {
        id: `${siteId(world, business)}:${date}`,
        workspace_id: business.workspace_id,
        location_id: business.id,
        site_id: siteId(world, business),
        date,
        timezone: business.timezone,
        rev: Date.parse(date),
        sealed_at: world.at(daysAgo - 1, 0.1),
        ...sealedColumns(countedFields({ ...facts, ...judgedDay(facts.agentPaths ?? [], place, daysAgo) })),
        created_date: world.at(daysAgo, 6),
        updated_date: world.at(daysAgo - 1, 0.1),
      },
    ]
  })
}
