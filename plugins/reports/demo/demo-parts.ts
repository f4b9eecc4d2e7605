import { type DemoBusiness, type DemoWorld, shiftDay } from 'renown'
import { type DemoMonth, rateOf, type TwoMonths } from './demo-month'
import { demoVisibility } from './demo-visibility'

/**
 * Returns the data of a sample report about mentions, AI visibility, competitors, AI traffic and posts, as the sections
 * of these domains store it.
 */
export const demoParts = (world: DemoWorld, business: DemoBusiness, months: TwoMonths) => ({
  mentions: mentionsOf(world, months),
  ...demoVisibility(business, months),
  traffic: trafficOf(business, months),
  posts: postsOf(world, business, months),
})

function mentionsOf(world: DemoWorld, { now, before }: TwoMonths) {
  const { forum, reddit, negative, leads, start } = now
  const all = forum + reddit
  const counts = (month: DemoMonth) => ({
    mentions: month.forum + month.reddit,
    negative: rateOf('mentions.negative_share@2', month.negative, month.forum + month.reddit),
    leads: month.leads,
    replies: month.mention_replies,
  })
  return {
    now: counts(now),
    previous: counts(before),
    not_comparable_because: null,
    unjudged: 0,
    waiting: negative,
    unquoted: all - 1,
    by_source: [
      { source: 'Forum', mentions: forum, negative },
      { source: 'Reddit', mentions: reddit, negative: 0 },
    ].sort((a, b) => b.mentions - a.mentions),
    by_sentiment: [
      { sentiment: 'positive', mentions: all - negative - 1 },
      { sentiment: 'neutral', mentions: 1 },
      { sentiment: 'mixed', mentions: 0 },
      { sentiment: 'negative', mentions: negative },
      { sentiment: null, mentions: 0 },
    ],
    stages: ['new', 'contacted', 'qualified', 'won', 'lost'].map((stage, place) => ({
      stage,
      leads: place === 0 ? leads - 1 : place === 3 ? 1 : 0,
    })),
    quotes: [
      {
        text: world.edgeCases[1] ?? 'They answered in ten minutes. Nobody else in town does.',
        author: 'harbour_cat',
        source: 'Forum',
        at: `${shiftDay(start, 8)}T09:00:00.000Z`,
        lang: 'en',
      },
    ],
  }
}

function trafficOf({ domain }: DemoBusiness, { now, before }: TwoMonths) {
  const totals = trafficTotals(now)
  const previous = trafficTotals(before)
  const {
    crawler_hits: hits,
    verified_hits: verified,
    spoofed_hits: spoofed,
    referral_visits: visits,
  } = totals
  const [first, second] = [0.75, 1].map((end, place) => {
    const part = (count: number) => Math.round(count * end) - (place === 0 ? 0 : Math.round(count * 0.75))
    return {
      crawled: part(hits - spoofed),
      verified: part(verified),
      spoofed: part(spoofed),
      sent: part(visits),
    }
  })
  const page = (path: string, share: number) => ({
    domain: domain ?? 'own.example',
    path,
    hits: Math.round(hits * share),
    hits_at_most: Math.round(hits * share * 1.1),
  })
  return {
    sites: 1,
    is_complete: true,
    counted_since: { hits: '2020-01-01', visits: '2020-01-01' },
    is_known: { hits: true, visits: true },
    is_compared: { hits: true, visits: true },
    totals,
    previous,
    verified_share: rateOf('ai_traffic.verified_share@1', verified, hits),
    spoofed_share: rateOf('ai_traffic.spoofed_share@1', spoofed, verified + spoofed),
    answers_share: rateOf('ai_traffic.answers_share@1', Math.round(hits * 0.4), hits),
    trend: now.traffic,
    by_operator: [
      { operator: 'OpenAI', ...first },
      { operator: 'Anthropic', ...second },
    ],
    more_operators: 0,
    pages: [page('/', 0.4), page('/menu', 0.2)],
    more_pages: 6,
    floors: [
      'Referral visits are a lower limit: apps and some browsers send no referrer, and only pages with the beacon count.',
    ],
  }
}

function trafficTotals({ traffic }: DemoMonth) {
  const sum = (name: 'crawler_hits' | 'referral_visits') => traffic.reduce((all, one) => all + one[name], 0)
  const hits = sum('crawler_hits')
  const verified = Math.round(hits * 0.7)
  const spoofed = Math.round(hits * 0.05)
  return {
    crawler_hits: hits,
    verified_hits: verified,
    spoofed_hits: spoofed,
    unchecked_hits: hits - verified - spoofed,
    unique_agents: 2,
    referral_visits: sum('referral_visits'),
  }
}

function postsOf(world: DemoWorld, { services, domain }: DemoBusiness, { now, before }: TwoMonths) {
  const { published } = now
  const post = (text: string, place: number) => ({
    id: `pst_demo_${place}`,
    text,
    platform: 'Feed',
    url: `https://${domain ?? 'own.example'}/news/${place + 1}`,
  })
  return {
    published,
    previous: before.published,
    by_platform: [{ platform: 'Feed', posts: published }],
    latest: services
      .slice(0, Math.min(3, published))
      .map((service, place) =>
        post(world.edgeCases[place + 3]?.slice(0, 140) ?? `New this month: ${service}`, place),
      ),
    failed: 0,
    failures: [],
    scheduled: 2,
  }
}
