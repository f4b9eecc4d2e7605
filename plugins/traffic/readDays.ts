import { assetPath, type Columns, hitsTable, otherPath } from 'renown'
import { type AgentCount, type DayFacts, type PathCount, pathsMax } from './dailyRow'

interface Day {
  readonly site_id: string
  readonly date: string
}

/** Where a day's facts stand in the answer. */
export const dayKey = ({ site_id, date }: Day): string => `${site_id}:${date}`

/** Sums what was counted on these days. The two collecting paths are counted everywhere and listed nowhere. */
export async function readDays(columns: Columns, days: readonly Day[]): Promise<Map<string, DayFacts>> {
  const ask = <T>(sql: string) => columns.query<T & Day>(sql, parameters(days))
  const agents = await ask<AgentCount>(agentsSql)
  const topPaths = await ask<PathCount>(pathsSql('crawl', pathsMax.top))
  const categoryPaths = await ask<PathCount & { category: string }>(categoryPathsSql)
  const referrers = await ask<{ host: string; visits: number }>(referrersSql)
  const referralPaths = await ask<PathCount>(pathsSql('visit', pathsMax.referral))
  const by = {
    agents: byDay(agents),
    topPaths: byDay(topPaths),
    categoryPaths: byDay(categoryPaths),
    referrers: byDay(referrers),
    referralPaths: byDay(referralPaths),
  }
  return new Map(
    days.map(dayKey).map((key) => [
      key,
      {
        agents: by.agents.get(key) ?? [],
        topPaths: by.topPaths.get(key) ?? [],
        categoryPaths: by.categoryPaths.get(key) ?? [],
        referrers: by.referrers.get(key) ?? [],
        referralPaths: by.referralPaths.get(key) ?? [],
      },
    ]),
  )
}

function byDay<T extends Day>(rows: readonly T[]): Map<string, T[]> {
  const grouped = new Map<string, T[]>()
  for (const row of rows) {
    const key = dayKey(row)
    const group = grouped.get(key)
    if (group) group.push(row)
    else grouped.set(key, [row])
  }
  return grouped
}

const parameters = (days: readonly Day[]) => ({
  sites: days.map(({ site_id }) => site_id),
  dates: days.map(({ date }) => date),
  collecting: [otherPath, assetPath],
})

const source = (kind: 'crawl' | 'visit') =>
  `FROM ${hitsTable.name} WHERE kind = '${kind}' AND (site_id, date) IN (
     SELECT day.1, day.2 FROM (SELECT arrayJoin(arrayZip({sites:Array(String)}, {dates:Array(Date)})) AS day))`
const listed = 'path NOT IN {collecting:Array(String)}'

// A sum bears another name inside: ClickHouse would take `hits` in it for the sum itself.
const agentsSql = `SELECT site_id, date, agent, category, operator, h AS hits, v AS verified, s AS spoofed FROM (
  SELECT site_id, date, agent, category, operator, sum(hits) AS h, sum(verified) AS v, sum(spoofed) AS s
  ${source('crawl')} GROUP BY site_id, date, agent, category, operator)`

const pathsSql = (kind: 'crawl' | 'visit', most: number) => `SELECT site_id, date, path, sum(hits) AS n
  ${source(kind)} AND ${listed} GROUP BY site_id, date, path
  ORDER BY site_id, date, n DESC, path LIMIT ${most} BY site_id, date`

const categoryPathsSql = `SELECT site_id, date, category, path, sum(hits) AS n
  ${source('crawl')} AND ${listed} GROUP BY site_id, date, category, path
  ORDER BY site_id, date, category, n DESC, path LIMIT ${pathsMax.category} BY site_id, date, category`

const referrersSql = `SELECT site_id, date, agent AS host, sum(hits) AS visits
  ${source('visit')} GROUP BY site_id, date, host`
