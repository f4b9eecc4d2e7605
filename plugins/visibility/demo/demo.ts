import {
  type DemoBusiness,
  type DemoDeclaration,
  type DemoRandom,
  type DemoRow,
  type DemoWorld,
  demoRows,
} from 'renown'
import { detectionVersion } from '../detection/judge-answer'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityRun } from '../records/VisibilityRun'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { answers, questions } from './demo-texts'

type Run = DemoRow<typeof VisibilityRun>

const weeks = 26
const models = {
  chatgpt: 'gpt-demo',
  claude: 'claude-demo',
  gemini: 'gemini-demo',
  perplexity: 'sonar-demo',
  google_ai_overview: undefined,
} as const
type Engine = keyof typeof models
const engines = Object.keys(models) as Engine[]
/** How often each engine names a brand, relative to the others. */
const favour: Readonly<Record<Engine, number>> = {
  chatgpt: 0.5,
  claude: 0.42,
  gemini: 0.36,
  perplexity: 0.6,
  google_ai_overview: 0.28,
}
const untracked = new Set(['taller-rios', 'hayarkon', 'stitch-and-story', 'copper-kettle'])

/**
 * Eight brands with four questions each, asked of five engines every week for half a year. Some runs fail,
 * and some are refused.
 */
export const visibilityDemo: DemoDeclaration = {
  rows(world) {
    const tracked = world.businesses.filter(({ key }) => !untracked.has(key))
    return [
      demoRows(
        VisibilityTracker,
        tracked.map((business, place) => trackerOf(world, business, place)),
      ),
      demoRows(
        VisibilityPrompt,
        tracked.flatMap((business) => promptsOf(world, business)),
      ),
      demoRows(
        VisibilityRun,
        tracked.flatMap((business) => runsOf(world, business)),
      ),
    ]
  },
}

const trackerOf = (world: DemoWorld, business: DemoBusiness, place: number) => ({
  id: world.id(VisibilityTracker, business.key),
  workspace_id: business.workspace_id,
  location_id: business.id,
  name: `${business.name} · AI`,
  brand_name: business.name,
  brand_domain: business.domain,
  brand_aliases: [business.key.replaceAll('-', ' ')],
  competitors: business.competitors.map((name, n) => ({
    name,
    ...(n === 0 ? { domain: 'rival.example' } : {}),
  })),
  engines: [...engines],
  provider: 'recorded',
  is_active: place !== 3,
  run_frequency_hours: 168,
  last_run_at: world.at(1, 4),
  last_scheduled_run_at: world.at(1, 4),
  last_run_summary:
    place === 2
      ? { at: world.at(1, 4), ran: 0, message: 'No engine could be reached.' }
      : {
          at: world.at(1, 4.2),
          ran: 19,
          errors: 1,
          planned: 20,
          truncated: false,
          quota_used: 480,
          quota_limit: 1000,
          error_samples: ['gemini: answered 503'],
        },
  created_date: world.at(weeks * 7 + 10),
})

const intents = ['local', 'commercial', 'informational', 'navigational'] as const

const promptsOf = (world: DemoWorld, business: DemoBusiness) =>
  intents.map((intent, place) => ({
    id: world.id(VisibilityPrompt, `${business.key} ${place}`),
    workspace_id: business.workspace_id,
    tracker_id: world.id(VisibilityTracker, business.key),
    location_id: business.id,
    text: questionOf(business, place),
    language: business.language,
    country: business.country,
    ...(place < 2 ? { topic: business.services[place % business.services.length] as string } : {}),
    tags: place === 0 ? ['core'] : [],
    intent,
    status: place === 3 ? ('paused' as const) : ('active' as const),
    source: place === 1 ? ('suggested' as const) : ('user' as const),
    last_run_at: world.at(1, 4),
    created_date: world.at(weeks * 7 + 9),
  }))

function questionOf({ language, trade, city, name, services }: DemoBusiness, place: number): string {
  const asked = (questions[language] ?? questions.en ?? [])[place] ?? ''
  return asked
    .replace('{trade}', trade)
    .replace('{city}', city)
    .replace('{name}', name)
    .replace('{service}', services[0] as string)
}

function runsOf(world: DemoWorld, business: DemoBusiness): Run[] {
  return Array.from({ length: weeks }, (_, week) => week).flatMap((week) =>
    intents.flatMap((_, prompt) => engines.map((engine) => runOf(world, business, { week, prompt, engine }))),
  )
}

interface Turn {
  readonly week: number
  readonly prompt: number
  readonly engine: Engine
}

function runOf(world: DemoWorld, business: DemoBusiness, { week, prompt, engine }: Turn): Run {
  const key = `${business.key} ${week} ${prompt} ${engine}`
  const random = world.random(`run ${key}`)
  const started_at = new Date(
    Date.parse(world.at(1 + week * 7, 4)) + random.integer(0, 1_200_000),
  ).toISOString()
  const finished_at = new Date(Date.parse(started_at) + random.integer(2_000, 40_000)).toISOString()
  const ended = random.weighted({ ok: 90, no_answer: 4, error: 4, refused: 2 })
  // Japanese is not a language whose verdicts are measured.
  const status = ended === 'ok' && business.language === 'ja' ? 'not_judged' : ended
  const model = models[engine]
  return {
    id: world.id(VisibilityRun, key),
    workspace_id: business.workspace_id,
    tracker_id: world.id(VisibilityTracker, business.key),
    prompt_id: world.id(VisibilityPrompt, `${business.key} ${prompt}`),
    location_id: business.id,
    engine,
    ...(model ? { model } : {}),
    provider: 'recorded',
    access: 'recorded',
    country: business.country,
    started_at,
    finished_at,
    status,
    ...(status === 'error' ? { error: 'The engine answered 503.' } : {}),
    ...(ended === 'ok' ? answerOf(business, { week, prompt, engine }, random) : nothing),
    ...(status === 'not_judged' ? unjudged : {}),
    definition_version: detectionVersion,
    ...(model ? { model_asked: model } : {}),
    place_pinned: random.weighted({ country: 8, language: 1, none: 1 }),
    local_day: started_at.slice(0, 10),
    search_calls: ended === 'ok' ? random.integer(1, 3) : 0,
    batch_id: `demo-${business.key}-${week}`,
    ...costOf(random),
    created_date: finished_at,
  }
}

/** What an answer says of the business, where no verdict is measured. */
const unjudged = {
  brand_mentioned: false,
  brand_position: undefined,
  position_basis: undefined,
  stance: 'not_judged' as const,
  competitor_mentions: [],
}

const nothing = {
  search_queries: [],
  citations: [],
  brand_mentioned: false,
  brand_cited: false,
  competitor_mentions: [],
}

/** Some answers say that they do not know the brand, or describe another business with its name. */
const notMeant = (random: DemoRandom) =>
  random.chance(0.1) ? { stance: random.weighted({ unknown_to_engine: 3, other_entity: 1 }) } : {}

/** The brand is named more often in later months, and if its customers are satisfied. */
function answerOf(business: DemoBusiness, { week, prompt, engine }: Turn, random: DemoRandom) {
  const trend = ((weeks - week) / weeks) * 0.25
  const isNamed = random.chance(prompt === 3 ? 0.9 : favour[engine] * business.quality + trend)
  const rivals = business.competitors.filter(() => random.chance(0.55))
  const place = random.integer(0, rivals.length)
  const order = isNamed ? [...rivals.slice(0, place), business.name, ...rivals.slice(place)] : rivals
  const isOwnCited = isNamed && random.chance(0.45)
  const domains = [
    ...(isOwnCited ? [business.domain] : []),
    'guide.example',
    'reviews.example',
    'rival.example',
  ]
  const [before = '', after = ''] = (answers[business.language] ?? answers.en ?? '').split('{}')
  return {
    answer_text: order.length > 0 ? `${before}${order.join(', ')}${after}` : after.trim() || '–',
    search_queries: [`${business.trade} ${business.city}`],
    citations: domains.slice(0, random.integer(1, domains.length)).map((domain, n) => ({
      url: `https://${domain}/${business.key}`,
      domain,
      title: `${business.trade} — ${business.city}`,
      position: n + 1,
      is_own: domain === business.domain,
      cited: domain === business.domain || n < 3,
    })),
    brand_mentioned: isNamed,
    brand_cited: isOwnCited,
    ...(isNamed
      ? {
          brand_position: place + 1,
          position_basis: random.weighted({ list: 2, text: 1 }),
          stance: random.weighted({ recommended: 5, listed: 8, compared: 2, discouraged: 1 }),
        }
      : notMeant(random)),
    competitor_mentions: rivals.map((name) => ({ name, position: order.indexOf(name) + 1 })),
  }
}

/** A cost that nobody knows, not even at most, is absent. */
function costOf(random: DemoRandom) {
  const cost = random.integer(0, 40) / 1000
  const cost_basis = random.weighted({ computed: 12, reported: 6, at_most: 1, unknown: 1 })
  return cost_basis === 'unknown' ? { cost_basis } : { cost_basis, cost }
}
