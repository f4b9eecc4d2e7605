import type { AnyEntity, PluginDeclaration } from 'renown'
import type { DemoRows } from '../../../core/contracts/demo'
import { encodedCanaries } from './canary'

type Value = Record<string, unknown>
type Plant = (row: Value, at: number) => Value

/** Pages of the demo's sites that get the address of a stranger. */
const pages: Readonly<Record<string, string>> = {
  '/blog/2': encodedCanaries.path,
  '/blog/4': encodedCanaries.doublePath,
  '/blog/6': encodedCanaries.base64Path,
}

const everyTenth =
  (plant: Plant): Plant =>
  (row, at) =>
    at % 10 === 3 ? plant(row, at) : row

/** What strangers wrote into rows of the demo, by record type or table. */
const plants: Readonly<Record<string, Plant>> = {
  ai_traffic_daily: (row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? renamed(value) : value]),
    ),
  Mention: everyTenth((row) => ({
    ...row,
    url: `${encodedCanaries.campaign}&id=${row.id}`,
    author: { ...(row.author as Value), name: encodedCanaries.lookalikeName },
  })),
  Review: everyTenth((row) => ({ ...row, reviewer_photo_url: encodedCanaries.referrer })),
  VisibilityRun: everyTenth((row) => {
    const citations = row.citations as Value[] | undefined
    const [first, ...others] = citations ?? []
    if (first?.is_own !== false) return row
    const planted = {
      ...first,
      title: encodedCanaries.lookalikeName,
      url: `https://${encodedCanaries.punycodeHost}/`,
    }
    return { ...row, citations: [planted, ...others] }
  }),
}

const renamed = (json: string) =>
  Object.entries(pages).reduce(
    (text, [page, planted]) => text.replaceAll(JSON.stringify(page), JSON.stringify(planted)),
    json,
  )

/** Returns plugins whose demos have the canaries of strangers in addresses and names. */
export function withCanaries(plugins: readonly PluginDeclaration[]): PluginDeclaration[] {
  return plugins.map((plugin) => {
    const { demo, entities = [] } = plugin
    if (!demo) return plugin
    const agents = entities.find(({ name }) => name === 'NewAgent')
    return {
      ...plugin,
      demo: {
        ...demo,
        rows: (world) => {
          const sets = demo.rows(world)
          const made = sets.map(planted)
          return agents ? [...made, newAgent(agents, sets)] : made
        },
      },
    }
  })
}

function planted(set: DemoRows): DemoRows {
  const plant = plants['entity' in set ? set.entity.name : set.table.name]
  return plant ? ({ ...set, rows: set.rows.map((row, at) => plant(row as Value, at)) } as DemoRows) : set
}

/** A crawler that names itself after an order. */
function newAgent(entity: AnyEntity, sets: readonly DemoRows[]): DemoRows {
  const sites = sets.find((set) => 'entity' in set && set.entity.name === 'AiTrafficSite')
  const site = sites?.rows[0] as Value
  const row = {
    id: `nag_${String(site.id).slice(4)}`,
    workspace_id: site.workspace_id,
    location_id: site.location_id,
    site_id: site.id,
    instance: 'bench',
    token: encodedCanaries.agent,
    host: encodedCanaries.punycodeHost,
    hits_at_least: 40,
    hits_at_most: 44,
    first_day: '2026-11-18',
    last_day: '2026-11-20',
    created_date: '2026-11-18T06:00:00.000Z',
  }
  return { entity, rows: [row] } as unknown as DemoRows
}

const listed = (entity: string, q: object = {}) => ({ tool: 'list_records', args: { entity, q, limit: 30 } })
const site = 'harbour-bakehouse.example'

/** Calls that show every canary, by tools that show texts of strangers. */
export const canaryCalls: readonly {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}[] = [
  ...['AiTrafficDaily', 'Lead', 'Mention', 'Notification', 'Post', 'Report', 'Review', 'VisibilityRun'].map(
    (entity) => listed(entity),
  ),
  listed('Review', { review_text: { $contains: 'CANARY-4417' } }),
  { tool: 'getTopCrawledPages', args: { site_id: site, days: 90, limit: 100 } },
  { tool: 'getReferralPages', args: { site_id: site, days: 90, limit: 100 } },
  { tool: 'getPageJourney', args: { path: encodedCanaries.path } },
  { tool: 'listCitedSources', args: { days: 90, limit: 100 } },
  { tool: 'listNewAgents', args: {} },
  { tool: 'listLeadsWithMentions', args: { limit: 50 } },
  { tool: 'aggregateRecords', args: { entity: 'Mention', group_by: ['author.name', 'source'], limit: 200 } },
]
