import { dayIn } from '../../../core/kit/periods'
import { unmarked } from '../../support/mcp'
import { signedIn } from '../../support/signed-in'
import type { openDemo } from './demo-world'
import { type Fact, isCounted, mean, rounded, sum } from './sums'

type Demo = Awaited<ReturnType<typeof openDemo>>
type Figures = Readonly<Record<string, number | null>>

/** The 28 days up to the day of the demo. It is the same day in all its workspaces. */
export const clientPeriod = { date_from: '2026-10-24', date_to: '2026-11-20' } as const

const round = (value: unknown): number | null => (value == null ? null : rounded(Number(value)))

/** Calls a tool in a workspace, and returns its answer. */
async function callIn(demo: Demo, tool: string, args: object): Promise<Fact> {
  const { content, isError } = await demo.callTool(tool, { ...args })
  if (isError) throw new Error(`${tool}: ${content[0]?.text}`)
  return unmarked(JSON.parse(content[0]?.text ?? '{}')) as Fact
}

const workspacesOf = (demo: Demo): readonly Fact[] => demo.facts.rows('Workspace', true)

/** The figures of compareWorkspaces, by name of the workspace. Without arguments it has its default period. */
export async function comparedFigures(demo: Demo, args: object = {}): Promise<Record<string, Figures>> {
  const { workspaces, period } = await callIn(demo, 'compareWorkspaces', args)
  if (period.date_from !== clientPeriod.date_from || period.date_to !== clientPeriod.date_to)
    throw new Error(`Another period: ${JSON.stringify(period)}`)
  return Object.fromEntries(
    workspaces.map(({ name, figures }: Fact) => [
      name,
      Object.fromEntries(
        Object.entries(figures as Fact).map(([figure, { value }]) => [figure, round(value)]),
      ),
    ]),
  )
}

/** Columns of the page Clients, and the figures of compareWorkspaces that they show. */
export const clientColumns = {
  waiting: 'unanswered',
  rating: 'rating',
  'reply-rate': 'reply_rate',
  crawlers: 'crawler_hits',
  visits: 'ai_visits',
  'ai-visibility': 'ai_mention_rate',
} as const

/** The figures of the page Clients, by name of the workspace, as a person downloads them. */
export async function listedFigures(demo: Demo): Promise<Record<string, Figures>> {
  const agencyId = String(workspacesOf(demo)[0]?.agency_id)
  const { cookie } = await signedIn(demo.gate, { agencyId })
  const path = `/app/w/${demo.facts.workspaceId}/data/clients.csv?sort=name`
  const file = await (await demo.gate.ask(path, { key: null, headers: { cookie } })).text()
  const [head = [], ...lines] = file.split('\r\n').map((line) => line.split(','))
  return Object.fromEntries(
    workspacesOf(demo).map(({ id, name }) => {
      const line = lines.find(([first]) => first === id) ?? []
      const cellOf = (column: string) => line[head.indexOf(column)] ?? ''
      return [
        name,
        Object.fromEntries(
          Object.entries(clientColumns).map(([column, figure]) => [figure, round(cellOf(column) || null)]),
        ),
      ]
    }),
  )
}

/** The same figures, added up from the rows of the demo. */
export async function figuresOfRows(demo: Demo): Promise<Record<string, Figures>> {
  const found: Record<string, Figures> = {}
  for (const workspace of workspacesOf(demo)) {
    const own = (name: string): readonly Fact[] =>
      demo.facts.rows(name, true).filter(({ workspace_id }) => workspace_id === workspace.id)
    const within = (facts: readonly Fact[], field: string) =>
      facts.filter((fact) => {
        const day = fact[field] && dayIn(String(workspace.timezone), new Date(fact[field]))
        return clientPeriod.date_from <= day && day <= clientPeriod.date_to
      })
    const shown = own('Review').filter(({ removed_at_source_at }) => removed_at_source_at == null)
    const reviews = within(shown, 'review_created_at')
    const stars = reviews.flatMap(({ star_rating }) => star_rating ?? [])
    const leads = within(own('Lead'), 'created_date').filter(({ is_archived }) => !is_archived)
    const days = own('ai_traffic_daily').filter(
      ({ date }) => clientPeriod.date_from <= date && date <= clientPeriod.date_to,
    )
    const answers = within(own('VisibilityRun'), 'started_at').filter(({ status }) => status === 'ok')
    found[String(workspace.name)] = {
      reviews: reviews.length,
      rating: mean(stars),
      reply_rate: rounded(reviews.filter(({ reply_text }) => reply_text != null).length / reviews.length),
      unanswered: shown.filter((one) => one.needs_response && one.reply_text == null).length,
      mentions: within(own('Mention'), 'posted_at').filter(isCounted).length,
      leads: leads.length,
      leads_won: leads.filter(({ stage }) => stage === 'won').length,
      ai_mention_rate: mentionRate(answers, own, await incidentsIn(demo, String(workspace.id), workspace)),
      crawler_hits: sum(days.map(({ crawler_hits }) => crawler_hits)),
      ai_visits: sum(days.map(({ referral_visits }) => referral_visits)),
    }
  }
  return found
}

/** Days of engines that the summary leaves out. A test of its own checks which they are. */
async function incidentsIn(demo: Demo, workspace_id: string, { timezone }: Fact) {
  const { incidents } = await callIn(demo, 'getVisibilitySummary', { ...clientPeriod, workspace_id })
  const keys = new Set(incidents.map(({ engine, day }: Fact) => `${engine} ${day}`))
  return ({ engine, started_at }: Fact) =>
    keys.has(`${engine} ${dayIn(String(timezone), new Date(started_at))}`)
}

/** The mean of the rates of all cells, of prompts that do not name the brand. */
function mentionRate(
  answers: readonly Fact[],
  own: (name: string) => readonly Fact[],
  isIncident: (answer: Fact) => boolean,
): number {
  const names = new Map(
    own('VisibilityTracker').map(({ id, brand_name, brand_aliases }) => [id, [brand_name, ...brand_aliases]]),
  )
  const branded = new Set(
    own('VisibilityPrompt')
      .filter(({ tracker_id, text }) =>
        names.get(tracker_id)?.some((name) => text.toLowerCase().includes(name.toLowerCase())),
      )
      .map(({ id }) => id),
  )
  const cells = Map.groupBy(
    answers.filter((answer) => !branded.has(answer.prompt_id) && !isIncident(answer)),
    ({ tracker_id, prompt_id, engine, country }) => JSON.stringify([tracker_id, prompt_id, engine, country]),
  )
  return mean(
    [...cells.values()].map((cell) => cell.filter((one) => one.brand_mentioned).length / cell.length),
  )
}

/** The same figures, as the tools of each domain answer in each workspace. */
export async function figuresOfTools(demo: Demo): Promise<Record<string, Figures>> {
  const found: Record<string, Figures> = {}
  for (const { id: workspace_id, name } of workspacesOf(demo)) {
    const ask = (tool: string, more: object = {}) =>
      callIn(demo, tool, { ...clientPeriod, workspace_id, ...more })
    const countOf = async (entity: string, more: object = {}) =>
      (await ask('aggregateRecords', { entity, ...more })).groups[0]?.count ?? 0
    const [reputation, visibility, traffic] = await Promise.all(
      ['getReputationSummary', 'getVisibilitySummary', 'getAiTrafficSummary'].map((tool) => ask(tool)),
    )
    const waiting = await callIn(demo, 'listReviewsNeedingResponse', { workspace_id, limit: 1 })
    if (waiting.total !== reputation?.waiting) throw new Error('Two numbers of waiting reviews')
    found[String(name)] = {
      reviews: reputation?.reviews.reviews,
      rating: round(reputation?.reviews.average_rating),
      reply_rate: round(reputation?.reviews.response_rate.rate),
      unanswered: waiting.total,
      mentions: reputation?.mentions.total,
      leads: await countOf('Lead'),
      leads_won: await countOf('Lead', { q: { stage: 'won' } }),
      ai_mention_rate: round(visibility?.totals.mention_rate_v2.rate),
      crawler_hits: traffic?.totals.crawler_hits,
      ai_visits: traffic?.totals.referral_visits,
    }
  }
  return found
}

/** What aggregateRecords answers for all workspaces at once. */
export async function figuresOfRecords(demo: Demo): Promise<Record<string, Figures>> {
  const found: Record<string, Figures> = {}
  const read = async (entity: string, names: Readonly<Record<string, string>>, more: object = {}) => {
    const measures = Object.values(names)
    const { groups } = await callIn(demo, 'aggregateRecords', {
      entity,
      measures,
      group_by: ['workspace'],
      workspaces: ['*'],
      ...clientPeriod,
      ...more,
    })
    for (const { keys, count, values } of groups)
      for (const [figure, measure] of Object.entries(names)) {
        const value = measure === 'count' ? count : round(values[measure])
        found[keys.workspace] = { ...found[keys.workspace], [figure]: value }
      }
  }
  await read('Review', { reviews: 'count', rating: 'avg:star_rating' })
  await read('Mention', { mentions: 'count' })
  await read('Lead', { leads: 'count' })
  await read('Lead', { leads_won: 'count' }, { q: { stage: 'won' } })
  await read('AiTrafficDaily', { crawler_hits: 'sum:crawler_hits', ai_visits: 'sum:referral_visits' })
  return found
}
