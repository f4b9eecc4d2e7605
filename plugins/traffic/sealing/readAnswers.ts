import type { Columns } from 'renown'
import { hitsTable, okStatus } from 'renown/traffic'
import {
  type AgentPath,
  type DayFacts,
  type ErrorCount,
  pathsMax,
  type StatusCount,
} from '../records/dailyRow'

/** The days to read, and the paths that collect others and are not listed. */
interface Wanted {
  readonly sites: readonly string[]
  readonly dates: readonly string[]
  /** Site and date of each day, joined by a colon. */
  readonly keys: readonly string[]
  readonly collecting: readonly string[]
}

/** Maximum pairs of agent and path that are read of one day, most hits first. */
export const pairsMax = 2_000

type Answers = Pick<DayFacts, 'statuses' | 'errors' | 'agentPaths'>

/**
 * Reads which agents fetched which paths, and what they were answered. Spoofed hits are left out, because they are not
 * from these agents. Returns the part of each day by its key.
 */
export async function readAnswers(columns: Columns, wanted: Wanted): Promise<(key: string) => Answers> {
  const params = { ...wanted, ok: okStatus }
  const [answers, pairs] = await Promise.all([
    columns.query<AnswerSum>(answersSql, params),
    columns.query<AgentPath & { readonly day: string }>(pairsSql, params),
  ])
  const answersOf = Map.groupBy(answers, ({ day }) => day)
  const pairsOf = Map.groupBy(pairs, ({ day }) => day)
  return (key) => {
    const own = (answersOf.get(key) ?? []).map((sum) => ({ ...sum, status: Number(sum.status) }))
    const statuses = own.filter(({ is_path }) => !is_path).map(statusOf)
    return {
      statuses,
      ...(statuses.length === 0 ? {} : { errors: own.filter(({ is_path }) => is_path).map(errorOf) }),
      agentPaths: (pairsOf.get(key) ?? []).map(({ agent, path, n, verified }) => ({
        agent,
        path,
        n,
        verified,
      })),
    }
  }
}

interface AnswerSum extends ErrorCount {
  readonly day: string
  /** Whether it is the sum of one path. The others are sums over all paths. */
  readonly is_path: number
}

const statusOf = ({ agent, status, hits }: StatusCount): StatusCount => ({ agent, status, hits })
const errorOf = ({ agent, status, hits, path, verified }: ErrorCount): ErrorCount => ({
  agent,
  status,
  hits,
  path,
  verified,
})

const ofDays = `site_id IN {sites:Array(String)} AND date IN {dates:Array(Date)}
      AND concat(site_id, ':', toString(date)) IN {keys:Array(String)}`

const answersSql = `SELECT concat(site_id, ':', toString(date)) AS day, agent, toUInt16OrZero(category) AS status, path,
    toUInt64(h - s) AS hits, v AS verified, is_path
  FROM (
    SELECT site_id, date, agent, category, path, grouping(path) = 0 AS is_path,
      sum(hits) AS h, sum(verified) AS v, sum(spoofed) AS s
    FROM ${hitsTable.name} WHERE kind = 'status' AND ${ofDays}
    GROUP BY GROUPING SETS ((site_id, date, agent, category), (site_id, date, agent, category, path))
  )
  WHERE h > s AND NOT (is_path AND (category = {ok:String} OR path IN {collecting:Array(String)}))
  ORDER BY day, is_path, if(is_path, '', agent), if(is_path, 0, status), hits DESC, path, agent, status
  LIMIT ${pathsMax.errors} BY day, is_path, if(is_path, '', agent), if(is_path, 0, status)`

const pairsSql = `SELECT concat(site_id, ':', toString(date)) AS day, agent, path, toUInt64(sum(hits) - sum(spoofed)) AS n,
    sum(verified) AS verified
  FROM ${hitsTable.name} WHERE kind = 'crawl' AND ${ofDays} AND path NOT IN {collecting:Array(String)}
  GROUP BY site_id, date, agent, path HAVING n > 0
  ORDER BY day, n DESC, agent, path LIMIT ${pairsMax} BY day`
