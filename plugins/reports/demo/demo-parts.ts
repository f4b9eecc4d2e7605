import { type DemoBusiness, type DemoRandom, type DemoWorld, shiftDay, wilson } from 'renown'

interface Asked {
  readonly start: string
  readonly end: string
}

const rateOf = (definition: string, k: number, n: number) => ({
  ...{ definition, k, n, rate: n === 0 ? null : k / n },
  ci95: wilson(k, n),
})

/**
 * Returns the data of a sample report about mentions, AI visibility, competitors, AI traffic and posts, as the sections
 * of these domains store it.
 */
export function demoParts(world: DemoWorld, business: DemoBusiness, { start, end }: Asked) {
  const random = world.random(`report parts ${business.key} ${start}`)
  return {
    mentions: mentionsOf(world, random, start),
    visibility: visibilityOf(random, business, start, end),
    competitors: competitorsOf(random, business),
    traffic: trafficOf(random, business, start, end),
    posts: postsOf(world, random, business),
  }
}

function mentionsOf(world: DemoWorld, random: DemoRandom, start: string) {
  const [forum, reddit, negative] = [random.integer(4, 14), random.integer(2, 8), random.integer(1, 3)]
  const all = forum + reddit
  const leads = random.integer(2, 6)
  const counts = (mentions: number, bad: number) => ({
    ...{ mentions, negative: rateOf('mentions.negative_share@2', bad, mentions) },
    ...{ leads, replies: random.integer(1, 4) },
  })
  return {
    ...{ now: counts(all, negative), previous: counts(all + 2, 2), not_comparable_because: null },
    ...{ unjudged: 0, waiting: negative, unquoted: reddit },
    by_source: [
      { source: 'Forum', mentions: forum, negative },
      { source: 'Reddit', mentions: reddit, negative: 0 },
    ].sort((a, b) => b.mentions - a.mentions),
    by_sentiment: [
      { sentiment: 'positive', mentions: all - negative - 1 },
      ...[
        { sentiment: 'neutral', mentions: 1 },
        { sentiment: 'mixed', mentions: 0 },
      ],
      ...[
        { sentiment: 'negative', mentions: negative },
        { sentiment: null, mentions: 0 },
      ],
    ],
    stages: ['new', 'contacted', 'qualified', 'won', 'lost'].map((stage, place) => ({
      ...{ stage, leads: place === 0 ? leads - 1 : place === 3 ? 1 : 0 },
    })),
    quotes: [
      {
        text: world.edgeCases[1] ?? 'They answered in ten minutes. Nobody else in town does.',
        ...{ author: 'harbour_cat', source: 'Forum', at: `${start}T09:00:00.000Z`, lang: 'en' },
      },
    ],
  }
}

function measureOf(k: number, n: number, before: number) {
  const rate = rateOf('visibility.mention_rate@2', k, n)
  return {
    ...{ rate, effective_n: n, is_same: true, not_comparable_because: null },
    common: { now: rate, before: rateOf('visibility.mention_rate@2', before, n) },
    ...{ difference_ci95: [-0.12, 0.14], change_significant: false },
  }
}

function visibilityOf(
  random: DemoRandom,
  { services, name, domain }: DemoBusiness,
  start: string,
  end: string,
) {
  const [named, before] = [random.integer(40, 90), random.integer(40, 90)]
  const prompt = (text: string, rate: number, previous_rate: number) => ({
    ...{ text, answers: 30, rate, previous_rate, instead: ['Riverside & Co'] },
  })
  const weeks = [0, 7, 14, 21, 28].map((days) => shiftDay(start, days)).filter((day) => day <= end)
  const source = (of: string, is_own: boolean, citations: number) => ({
    ...{ domain: of, is_own, citations, cited: rateOf('visibility.cited_share@1', citations, 240) },
  })
  return {
    ...{ answers: 240, failed: 2, empty_because: null, days: weeks.length * 7 },
    total: measureOf(named, 240, before),
    cited: rateOf('visibility.citation_rate@1', Math.round(named / 2), 240),
    by_engine: ['ChatGPT', 'Claude'].map((engine, place) => ({
      ...{ engine, answers: 120, ...measureOf(Math.floor((named + place) / 2), 120, Math.floor(before / 2)) },
    })),
    by_tracker: [{ name, brand: name, answers: 240, ...measureOf(named, 240, before) }],
    more_trackers: 0,
    trend: weeks.map((from) => ({ from, rate: (named + random.integer(0, 30)) / 240 })),
    won: [prompt(`Who offers ${services[0]} near me?`, 0.6, 0.2)],
    lost: [prompt(`Where is the best ${services[1] ?? services[0]}?`, 0.1, 0.5)],
    weakest: [prompt(`Where is the best ${services[1] ?? services[0]}?`, 0.1, 0.5)],
    more_prompts: 0,
    sources: [source(domain ?? 'own.example', true, 40), source('guide.example', false, 25)],
    ...{ more_sources: 3, incidents: [], more_incidents: 0, model_changes: [], more_model_changes: 0 },
  }
}

function competitorsOf(random: DemoRandom, { name }: DemoBusiness) {
  const namings = [random.integer(60, 90), random.integer(40, 80), random.integer(10, 30)]
  const all = namings.reduce((sum, one) => sum + one, 0)
  const voices = [name, 'Riverside & Co', 'Old Mill'].map((of, place) => ({
    ...{ name: of, is_brand: place === 0, avg_position: 1.5 + place / 2, positions: namings[place] ?? 0 },
    share: rateOf('visibility.share_of_voice@1', namings[place] ?? 0, all),
    previous_share: rateOf('visibility.share_of_voice@1', (namings[place] ?? 0) - 5 + place * 5, all),
    presence: rateOf('visibility.presence@1', namings[place] ?? 0, 240),
  }))
  return {
    trackers: [
      {
        ...{ name, brand: name, answers: 240, previous_answers: 236, empty_because: null },
        ...{ not_comparable_because: null, more_voices: 0 },
        voices: voices.sort((a, b) => b.share.k - a.share.k),
      },
    ],
    more_trackers: 0,
  }
}

function trafficOf(random: DemoRandom, { domain }: DemoBusiness, start: string, end: string) {
  const dates = Array.from({ length: 31 }, (_, n) => shiftDay(start, n)).filter((day) => day <= end)
  const trend = dates.map((from) => ({
    ...{ from, crawler_hits: random.integer(20, 80), referral_visits: random.integer(0, 6) },
  }))
  const hits = trend.reduce((sum, one) => sum + one.crawler_hits, 0)
  const visits = trend.reduce((sum, one) => sum + one.referral_visits, 0)
  const [verified, spoofed] = [Math.round(hits * 0.7), Math.round(hits * 0.05)]
  const totals = {
    ...{ crawler_hits: hits, verified_hits: verified, spoofed_hits: spoofed },
    ...{ unchecked_hits: hits - verified - spoofed, unique_agents: 2, referral_visits: visits },
  }
  const operator = (name: string, share: number) => ({
    ...{
      operator: name,
      crawled: Math.round((hits - spoofed) * share),
      verified: Math.round(verified * share),
    },
    ...{ spoofed: Math.round(spoofed * share), sent: Math.round(visits * share) },
  })
  const page = (path: string, share: number) => ({
    ...{ domain: domain ?? 'own.example', path, hits: Math.round(hits * share) },
    hits_at_most: Math.round(hits * share * 1.1),
  })
  return {
    ...{ sites: 1, is_complete: true, counted_since: { hits: '2020-01-01', visits: '2020-01-01' } },
    ...{ is_known: { hits: true, visits: true }, is_compared: { hits: true, visits: true }, totals },
    previous: { ...totals, crawler_hits: Math.round(hits * 0.9), referral_visits: Math.round(visits * 0.8) },
    verified_share: rateOf('ai_traffic.verified_share@1', verified, hits),
    spoofed_share: rateOf('ai_traffic.spoofed_share@1', spoofed, verified + spoofed),
    answers_share: rateOf('ai_traffic.answers_share@1', Math.round(hits * 0.4), hits),
    ...{ trend, by_operator: [operator('OpenAI', 0.75), operator('Anthropic', 0.25)], more_operators: 0 },
    ...{ pages: [page('/', 0.4), page('/menu', 0.2)], more_pages: 6 },
    floors: [
      'Referral visits are a lower limit: apps and some browsers send no referrer, and only pages with the beacon count.',
    ],
  }
}

function postsOf(world: DemoWorld, random: DemoRandom, { services, domain }: DemoBusiness) {
  const published = random.integer(3, 6)
  const post = (text: string, place: number) => ({
    ...{ id: `pst_demo_${place}`, text, platform: 'Feed' },
    url: `https://${domain ?? 'own.example'}/news/${place + 1}`,
  })
  return {
    ...{ published, previous: published - 1, by_platform: [{ platform: 'Feed', posts: published }] },
    latest: services
      .slice(0, Math.min(3, published))
      .map((service, place) =>
        post(world.edgeCases[place + 3]?.slice(0, 140) ?? `New this month: ${service}`, place),
      ),
    ...{ failed: 0, failures: [] },
    scheduled: 2,
  }
}
