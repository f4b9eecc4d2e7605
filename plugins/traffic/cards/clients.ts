import { dayIn, periodOf } from 'renown'
import {
  type ClientCell,
  type ClientFigures,
  type ClientReads,
  type ClientSource,
  clientDays,
} from 'renown/pages'
import { formatNumber } from 'renown/web'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { siteDayMeasures, siteDaysIn, siteFigures } from '../sums/workspaceFigures'

const sitesMax = 100_000

/** Returns when a website of each workspace last reported anything. Null if none has. One read. */
async function lastReports(reads: ClientReads): Promise<ReadonlyMap<string, string | null>> {
  const sites = await reads.rows(AiTrafficSite).list({ limit: sitesMax })
  return new Map(
    [...Map.groupBy(sites, ({ workspace_id }) => workspace_id)].map(([id, own]) => {
      const moments = own.flatMap(({ last_log_at, last_beacon_at }) => [last_log_at, last_beacon_at])
      return [
        id,
        moments
          .filter((one) => typeof one === 'string')
          .toSorted()
          .at(-1) ?? null,
      ]
    }),
  )
}

type Figures = ReturnType<typeof siteFigures>

/**
 * Returns the figures of the period of each workspace. There are never more than three current dates in the world, so
 * this takes at most three reads.
 */
async function readFigures(
  { rows, workspaces, now }: ClientReads,
  withSites: ReadonlyMap<string, unknown>,
): Promise<ReadonlyMap<string, Figures>> {
  const own = workspaces.filter(({ id }) => withSites.has(id))
  const byDay = Map.groupBy(own, ({ timezone }) => dayIn(timezone, now()))
  const read = await Promise.all(
    [...byDay].map(([today, some]) => {
      const { period } = periodOf({}, { today, days: clientDays })
      const ids = some.map(({ id }) => id)
      const by = ['workspace_id']
      return rows(AiTrafficDaily, ids).group({ where: siteDaysIn(period), by, measures: siteDayMeasures })
    }),
  )
  return new Map(read.flat().map((row) => [String(row.workspace_id), siteFigures([row])]))
}

function figuresOf(heard: string | null | undefined, figures: Figures | undefined): ClientFigures {
  const both = (text: string): Record<string, ClientCell> => ({
    crawlers: { value: null, text },
    visits: { value: null, text },
  })
  const active = typeof heard === 'string' ? { active_at: heard } : {}
  if (heard === undefined) return { cells: both('No website') }
  const { hits = null, visits = null } = figures ?? {}
  if (hits === null || visits === null)
    return { cells: both(heard === null ? 'Not heard' : 'No figures'), ...active }
  return {
    cells: {
      crawlers: { value: hits, text: formatNumber(hits) },
      visits: { value: visits, text: visits === 0 ? '0' : `≥ ${formatNumber(visits)}` },
    },
    ...active,
  }
}

/** Columns about AI traffic for the list of clients, summed over all websites of a workspace. */
export const trafficClients: ClientSource = {
  name: 'traffic',
  order: 20,
  columns: [
    {
      name: 'crawlers',
      title: 'AI crawlers',
      worst: 'low',
      href: '/app/traffic',
      definition: `Pages that AI crawlers read in the last ${clientDays} days, on all websites of the workspace.`,
    },
    {
      name: 'visits',
      title: 'AI visits',
      worst: 'low',
      href: '/app/traffic',
      definition: `Visits that AI assistants sent in the last ${clientDays} days, at least, on all websites of the workspace.`,
    },
  ],
  async load(reads) {
    const heard = await lastReports(reads)
    const figures = await readFigures(reads, heard)
    return new Map(reads.workspaces.map(({ id }) => [id, figuresOf(heard.get(id), figures.get(id))]))
  },
}
