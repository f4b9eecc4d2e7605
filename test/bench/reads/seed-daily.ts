import { openColumns } from '../../../core/stores/columns/client'
import { dailyTable } from '../../../plugins/traffic/dailyTable'
import { quietLog } from '../../support/quiet-log'
import { randomSource } from '../../support/random-documents'

/**
 * Puts 90 daily rows of each of 1,000 sites into columns that the product has made: `bun seed-daily.ts <folder>
 * <workspace> <site>`. Ten sites belong to the workspace, the site among them.
 */
const [path = '', workspace = '', site = ''] = process.argv.slice(2)
const store = await openColumns({ path }, { log: quietLog })
await store.ensure([dailyTable])
const random = randomSource(1)
const columns = Object.keys(dailyTable.columns) as (keyof typeof dailyTable.columns)[]
const from = Date.parse('2026-08-01T00:00:00Z')
for (let first = 0; first < 1000; first += 50) {
  const rows = Array.from({ length: 50 * 90 }, (_, at) => row(first + Math.floor(at / 90), at % 90))
  await store.insert(
    dailyTable.name,
    columns,
    rows.map((each) => columns.map((column) => each[column])),
  )
}
await store.close()
process.exit(0)

function row(number: number, day: number): Record<keyof typeof dailyTable.columns, unknown> {
  const at = new Date(from + day * 86_400_000).toISOString()
  const date = at.slice(0, 10)
  const site_id = number === 0 ? site : `sit_${number}`
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
    ...{ id: `${site_id}:${date}`, site_id, date, location_id: `loc_${number}`, timezone: 'UTC', rev: 1 },
    workspace_id: number < 10 ? workspace : `wsp_${number % 100}`,
    ...{ sealed_at: at.replace('T', ' ').replace('Z', ''), created_date: at, updated_date: at },
    ...{
      crawler_hits: hits(),
      verified_hits: hits(),
      spoofed_hits: 3,
      unique_agents: 7,
      referral_visits: hits(),
    },
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
    by_referrer: JSON.stringify({ 'chatgpt.com': hits(), 'perplexity.ai': hits() }),
    referral_paths: JSON.stringify(paths(25).map(({ path, hits }) => ({ path, visits: hits }))),
  }
}
