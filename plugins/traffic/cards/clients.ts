import {
  type ClientCell,
  type ClientFigures,
  type ClientReads,
  type ClientSource,
  dayIn,
  shiftDay,
  where,
} from 'renown'
import { formatNumber } from 'renown/web'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { AiTrafficSite } from '../records/AiTrafficSite'

const days = 28
const sitesMax = 100_000

/** The sites of a workspace, with what its figures need. */
interface SitesOf {
  /** The latest current day of its sites, which is the last day of the period. */
  readonly today: string
  /** When a site last reported anything. Null if none has. */
  readonly heard: string | null
}

async function readSites(reads: ClientReads): Promise<ReadonlyMap<string, SitesOf>> {
  const sites = await reads.rows(AiTrafficSite).list({ limit: sitesMax })
  const days = new Map<string, string>()
  const todayIn = (timezone: string) => {
    const known = days.get(timezone) ?? dayIn(timezone, reads.now())
    days.set(timezone, known)
    return known
  }
  const grouped = Map.groupBy(sites, ({ workspace_id }) => workspace_id)
  return new Map(
    [...grouped].map(([id, own]) => {
      const latest = (texts: readonly (string | null | undefined)[]) =>
        texts
          .filter((text) => typeof text === 'string')
          .toSorted()
          .at(-1)
      const today = latest(own.map(({ timezone }) => todayIn(timezone))) ?? ''
      const heard = latest(own.flatMap(({ last_log_at, last_beacon_at }) => [last_log_at, last_beacon_at]))
      return [id, { today, heard: heard ?? null }]
    }),
  )
}

interface Sums {
  readonly hits: number
  readonly visits: number
}

/**
 * Reads the sums of the period. There are never more than three current dates in the world, so this takes at
 * most three reads.
 */
async function readSums(
  reads: ClientReads,
  sites: ReadonlyMap<string, SitesOf>,
): Promise<ReadonlyMap<string, Sums>> {
  const byDay = Map.groupBy([...sites], ([, { today }]) => today)
  const read = await Promise.all(
    [...byDay].map(([today, own]) =>
      reads
        .rows(
          AiTrafficDaily,
          own.map(([id]) => id),
        )
        .group({
          where: where.and(where.gte('date', shiftDay(today, 1 - days)), where.lte('date', today)),
          by: ['workspace_id'],
          measures: [
            { as: 'hits', fn: 'sum', field: 'crawler_hits' },
            { as: 'visits', fn: 'sum', field: 'referral_visits' },
          ],
        }),
    ),
  )
  return new Map(
    read
      .flat()
      .map((row) => [String(row.workspace_id), { hits: Number(row.hits), visits: Number(row.visits) }]),
  )
}

function figuresOf(site: SitesOf | undefined, sums: Sums | undefined): ClientFigures {
  const both = (text: string): Record<string, ClientCell> => ({
    crawlers: { value: null, text },
    visits: { value: null, text },
  })
  if (!site) return { cells: both('No website') }
  if (site.heard === null && !sums) return { cells: both('Not heard') }
  const { hits = 0, visits = 0 } = sums ?? {}
  return {
    cells: {
      crawlers: { value: hits, text: formatNumber(hits) },
      visits: { value: visits, text: visits === 0 ? '0' : `≥ ${formatNumber(visits)}` },
    },
    ...(site.heard === null ? {} : { active_at: site.heard }),
  }
}

/** Columns about AI traffic for the list of clients, summed over all websites of a workspace. */
export const trafficClients: ClientSource = {
  name: 'traffic',
  order: 20,
  columns: [
    {
      ...{ name: 'crawlers', title: 'AI crawlers', worst: 'low', href: '/app/traffic' },
      definition: `Pages that AI crawlers read in the last ${days} days, on all websites of the workspace.`,
    },
    {
      ...{ name: 'visits', title: 'AI visits', worst: 'low', href: '/app/traffic' },
      definition: `Visits that AI assistants sent in the last ${days} days, at least, on all websites of the workspace.`,
    },
  ],
  async load(reads) {
    const sites = await readSites(reads)
    const sums = await readSums(reads, sites)
    return new Map(reads.workspaces.map(({ id }) => [id, figuresOf(sites.get(id), sums.get(id))]))
  },
}
