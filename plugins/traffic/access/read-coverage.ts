import type { Columns } from 'renown'
import { hitsTable } from 'renown/traffic'
import type { Coverage } from '../records/SiteAccess'

/** Maximum paths in the stored lists. */
const listedMax = { never: 200, ofAgent: 20, agents: 60 } as const

interface Wanted {
  readonly site_id: string
  readonly date_from: string
  readonly date_to: string
}

/** Compares the pages of a sitemap with the pages that crawlers fetched. Spoofed hits are left out. */
export async function readCoverage(
  columns: Columns,
  { site_id, date_from, date_to }: Wanted,
  paths: readonly string[],
): Promise<Coverage> {
  const [agents, pages] = await Promise.all([
    columns.query<{ agent: string }>(
      `SELECT agent FROM ${hitsTable.name} WHERE kind = 'crawl' AND ${ofSite}
       GROUP BY agent HAVING sum(hits) > sum(spoofed) ORDER BY sum(hits) - sum(spoofed) DESC, agent LIMIT ${listedMax.agents}`,
      { site_id, date_from, date_to },
    ),
    columns.query<{ path: string; agents: string[] }>(
      `SELECT path, groupUniqArray(agent) AS agents FROM (
         SELECT path, agent FROM ${hitsTable.name} WHERE kind = 'crawl' AND ${ofSite} AND path IN {paths:Array(String)}
         GROUP BY path, agent HAVING sum(hits) > sum(spoofed)
       ) GROUP BY path`,
      { site_id, date_from, date_to, paths },
    ),
  ])
  const fetchedBy = new Map(pages.map(({ path, agents }) => [path, new Set(agents)]))
  const never = paths.filter((path) => !fetchedBy.has(path))
  return {
    date_from,
    date_to,
    pages: paths.length,
    never: never.length,
    never_paths: never.slice(0, listedMax.never),
    agents: agents.map(({ agent }) => {
      const missing = paths.filter((path) => !fetchedBy.get(path)?.has(agent))
      return { agent, fetched: paths.length - missing.length, missing: missing.slice(0, listedMax.ofAgent) }
    }),
  }
}

/** Returns which agents fetched a file, most hits first. */
export async function readFetches(
  columns: Columns,
  wanted: Wanted,
  path: string,
): Promise<{ agent: string; hits: number; verified: number }[]> {
  const rows = await columns.query<{ agent: string; n: number; verified: number }>(
    `SELECT agent, toUInt64(sum(hits) - sum(spoofed)) AS n, sum(verified) AS verified FROM ${hitsTable.name}
     WHERE kind = 'crawl' AND ${ofSite} AND path = {path:String}
     GROUP BY agent HAVING n > 0 ORDER BY n DESC, agent LIMIT ${listedMax.agents}`,
    { ...wanted, path },
  )
  return rows.map(({ agent, n, verified }) => ({ agent, hits: Number(n), verified: Number(verified) }))
}

const ofSite = 'site_id = {site_id:String} AND date >= {date_from:Date} AND date <= {date_to:Date}'
