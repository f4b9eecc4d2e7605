import { type DemoBusiness, type DemoDeclaration, type DemoRow, type DemoWorld, demoRows } from 'renown'
import { ProspectAudit } from './records/ProspectAudit'
import { answeredShare, namedShare, negativeShare } from './records/rates'
import { type Findings, scoreOf } from './records/score'
import { section } from './records/section'
import { aiAgents } from './website/aiAgents'

type Audit = DemoRow<typeof ProspectAudit>

const states = ['completed', 'running', 'failed', 'queued'] as const

/** One audit of each sample prospect. Each is in another state. */
export const prospectsDemo: DemoDeclaration = {
  rows: (world) => [
    demoRows(
      ProspectAudit,
      world.prospects.map((business, place) => row(world, business, place)),
    ),
  ],
}

function row(world: DemoWorld, business: DemoBusiness, place: number): Audit {
  const status = states[place % states.length] as Audit['status']
  const base = {
    id: world.id(ProspectAudit, business.key),
    workspace_id: business.workspace_id,
    location_id: business.id,
    business_name: business.name,
    website: `https://${business.domain}`,
    status,
    created_date: world.at(20 - place * 6),
  }
  const ended = (hour: number) => ({ completed_at: world.at(20 - place * 6, hour) })
  if (status === 'completed') {
    const findings = findingsOf(world, business, new Date(world.at(20 - place * 6, 9.2)))
    const score = scoreOf(findings)
    return { ...base, ...ended(9.2), findings, ...(score === null ? {} : { score }) }
  }
  if (status === 'failed') return { ...base, ...ended(9.1), error: 'Its process died each time' }
  return base
}

/** Findings for the demo. Each part says that it is sample data. */
function findingsOf(world: DemoWorld, { domain }: DemoBusiness, at: Date): Findings {
  const method = 'Made up for the demo'
  const since = world.at(110)
  const url = `https://${domain}/`
  return {
    reviews: section({
      method,
      at,
      score: 52,
      facts: {
        rating: 3.4,
        total: 20,
        figures_from: 'location',
        stored: 20,
        answered: answeredShare.of(3, 20),
        stars: { 1: 4, 2: 3, 3: 2, 4: 3, 5: 8 },
      },
    }),
    profile: section({
      method,
      at,
      score: 71,
      facts: {
        checks: ['website', 'phone', 'address', 'category', 'opening_hours', 'description', 'photos'].map(
          (field) => ({ field, present: !/hours|description/.test(field), source: 'places' }),
        ),
        missing: ['opening_hours', 'description'],
      },
    }),
    visibility: section({
      method,
      at,
      score: 20,
      facts: {
        since,
        answers: 25,
        named: namedShare.of(5, 25),
        by_engine: ['chatgpt', 'claude', 'copilot', 'gemini', 'perplexity'].map((engine, place) => {
          return { engine, answers: 5, named: place === 0 ? 5 : 0 }
        }),
      },
    }),
    traffic: section({
      method,
      at,
      score: 64,
      facts: {
        website: url,
        url,
        reachable: true,
        https: { works: true },
        http_leads_to_https: true,
        redirects: [],
        robots_txt: { state: 'read', status: 200 },
        ai_agents: aiAgents.map((one) => ({
          ...one,
          ...(one.agent === 'GPTBot'
            ? { allowed: false, group: 'named', rule: 'Disallow: /' }
            : { allowed: true, group: 'none' }),
        })),
        noindex_for: [],
        structured_data: { blocks: 0, unreadable: 0, types: [] },
        counts_ai_traffic: false,
        llms_txt: false,
      },
    }),
    mentions: section({
      method,
      at,
      score: 67,
      facts: {
        since,
        posts: 6,
        negative: negativeShare.of(2, 6),
        by_source: { reddit: 4, forum: 2 },
        by_sentiment: { negative: 2, neutral: 4 },
      },
    }),
  }
}
