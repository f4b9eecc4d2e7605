import type { Columns } from 'renown'
import { assetPath, hitsTable, otherPath } from 'renown/traffic'
import { type DayFacts, pathsMax } from '../records/dailyRow'
import { signedCount } from '../records/signed-counts'
import { readAnswers } from './readAnswers'

interface Day {
  readonly site_id: string
  readonly date: string
}

/** Returns the key of a day's counts in the answer. */
export const dayKey = ({ site_id, date }: Day): string => `${site_id}:${date}`

/** Sums the counts of these days. The two collecting paths count, but are not listed. */
export async function readDays(columns: Columns, days: readonly Day[]): Promise<Map<string, DayFacts>> {
  const wanted = {
    sites: [...new Set(days.map(({ site_id }) => site_id))],
    dates: [...new Set(days.map(({ date }) => date))],
    keys: days.map(dayKey),
    collecting: [otherPath, assetPath],
  }
  const [rows, answers] = await Promise.all([
    columns.query<Sum>(sumsSql, wanted),
    readAnswers(columns, wanted),
  ])
  const byDay = new Map<string, Sum[]>(days.map((day) => [dayKey(day), []]))
  for (const row of rows) byDay.get(dayKey(row))?.push(row)
  return new Map([...byDay].map(([key, sums]) => [key, { ...factsOf(sums), ...answers(key) }]))
}

interface Sum extends Day {
  readonly kind: 'crawl' | 'visit' | 'signed'
  readonly agent: string
  readonly category: string
  readonly operator: string
  readonly path: string
  readonly n: number
  readonly verified: number
  readonly spoofed: number
  /** The key of the sum: an agent, a path, or a path within a category. */
  readonly over: 'agent' | 'path' | 'category path'
}

function factsOf(sums: readonly Sum[]): DayFacts {
  const of = (kind: Sum['kind'], over: Sum['over']) =>
    sums.filter((sum) => sum.kind === kind && sum.over === over)
  const listed = new Map<string, number>()
  return {
    agents: of('crawl', 'agent').map(({ n, ...agent }) => ({ ...agent, hits: n })),
    topPaths: of('crawl', 'path').slice(0, pathsMax.top),
    categoryPaths: of('crawl', 'category path').filter(({ category }) => {
      const place = (listed.get(category) ?? 0) + 1
      listed.set(category, place)
      return place <= pathsMax.category
    }),
    referrers: of('visit', 'agent').map(({ agent, n }) => ({ host: agent, visits: n })),
    referralPaths: of('visit', 'path').slice(0, pathsMax.referral),
    signed: of('signed', 'agent').map(({ agent, operator, n }) => signedCount(agent, operator, n)),
  }
}

const most = Math.max(pathsMax.top, pathsMax.referral, pathsMax.category)

/**
 * One read of the hits returns all sums: those over agents completely, those over paths up to the longest
 * list. The sites and dates use the table's key, and the exact keys then select the days.
 */
const sumsSql = `SELECT site_id, date, kind, agent, category, operator, path, h AS n, v AS verified, s AS spoofed,
    multiIf(NOT is_path, 'agent', by_category, 'category path', 'path') AS over
  FROM (
    SELECT site_id, date, kind, agent, category, operator, path,
      grouping(path) = 0 AS is_path, is_path AND grouping(category) = 0 AS by_category,
      sum(hits) AS h, sum(verified) AS v, sum(spoofed) AS s
    FROM ${hitsTable.name}
    WHERE kind IN ('crawl', 'visit', 'signed') AND site_id IN {sites:Array(String)} AND date IN {dates:Array(Date)}
      AND concat(site_id, ':', toString(date)) IN {keys:Array(String)}
    GROUP BY GROUPING SETS (
      (site_id, date, kind, agent, category, operator), (site_id, date, kind, path), (site_id, date, kind, category, path)
    )
  )
  WHERE NOT (is_path AND path IN {collecting:Array(String)}) AND NOT (by_category AND kind = 'visit')
    AND NOT (is_path AND kind = 'signed')
  ORDER BY site_id, date, kind, is_path, by_category, category, agent, operator, h DESC, path
  LIMIT ${most} BY site_id, date, kind, is_path, by_category, category, agent, operator`
