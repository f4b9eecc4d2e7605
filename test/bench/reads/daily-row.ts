import { dailyTable } from '../../../plugins/traffic/records/dailyTable'
import { randomSource } from '../../support/random-documents'

export type DailyColumn = keyof typeof dailyTable.columns
export const dailyColumns = Object.keys(dailyTable.columns) as DailyColumn[]

interface DailyOf {
  readonly number: number
  readonly day: number
  readonly site_id: string
  readonly workspace_id: string
}

const random = randomSource(1)
const from = Date.parse('2026-08-01T00:00:00Z')

/** Makes the daily row of a site, the same ones every time. */
export function dailyRow({ number, day, site_id, workspace_id }: DailyOf): Record<DailyColumn, unknown> {
  const at = new Date(from + day * 86_400_000).toISOString()
  const date = at.slice(0, 10)
  const hits = () => random.below(500)
  const paths = (count: number) =>
    Array.from({ length: count }, (_, place) => ({
      path: `/articles/${place}-a-page-about-something`,
      hits: hits(),
    }))
  const agents = [
    'GPTBot',
    'ClaudeBot',
    'PerplexityBot',
    'Bytespider',
    'ChatGPT-User',
    'OAI-SearchBot',
    'CCBot',
  ]
  const agent = () => ({
    hits: hits(),
    verified: hits(),
    spoofed: 3,
    category: 'training',
    operator: 'Somebody',
  })
  return {
    id: `${site_id}:${date}`,
    site_id,
    date,
    location_id: `loc_${number}`,
    timezone: 'UTC',
    rev: 1,
    workspace_id,
    sealed_at: at.replace('T', ' ').replace('Z', ''),
    created_date: at,
    updated_date: at,
    crawler_hits: hits(),
    verified_hits: hits(),
    spoofed_hits: 3,
    signed_hits: 0,
    verified_by: null,
    by_signer: null,
    unique_agents: 7,
    referral_visits: hits(),
    by_agent: JSON.stringify(Object.fromEntries(agents.map((name) => [name, agent()]))),
    by_category: JSON.stringify({
      ai_answers: hits(),
      search_index: hits(),
      training: hits(),
      other_ai: hits(),
    }),
    top_paths: JSON.stringify(paths(25)),
    paths_by_category: JSON.stringify({
      ai_answers: paths(12),
      search_index: paths(12),
      training: paths(12),
    }),
    crawler_errors: JSON.stringify(
      paths(10).map((path) => ({ ...path, agent: 'GPTBot', status: 404, verified: 1 })),
    ),
    robots_check: JSON.stringify({ judged: 900, disallowed: 0, verified: 0, most: [] }),
    agent_paths: JSON.stringify(agents.flatMap((agent) => paths(10).map((path) => ({ agent, ...path })))),
    by_referrer: JSON.stringify({ 'chatgpt.com': hits(), 'perplexity.ai': hits() }),
    referral_paths: JSON.stringify(paths(25).map(({ path, hits }) => ({ path, visits: hits }))),
  }
}
