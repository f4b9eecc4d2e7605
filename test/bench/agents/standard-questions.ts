import { asked, type Question } from './question'
import {
  addUp,
  countBy,
  type Fact,
  groups,
  isCounted,
  mean,
  rounded,
  shownReviews,
  siteDays,
  sum,
  within,
} from './sums'

const bakery = 'Harbour Bakehouse'
const bakerySite = 'harbour-bakehouse.example'
/** The 28 days up to the day of the demo, and the 28 before. */
const now = ['2026-10-24', '2026-11-20'] as const
const before = ['2026-09-26', '2026-10-23'] as const

/** What owners ask about reviews, leads and mentions. */
const ofReputation: readonly Question[] = [
  asked(
    'Which reviews wait for an answer?',
    'listReviewsNeedingResponse',
    { limit: 5 },
    ({ total, reviews }) => ({ total, first: reviews[0].priority, listed: reviews.length }),
    (demo) => {
      const waiting = shownReviews(demo).filter(({ needs_response }) => needs_response)
      return { total: waiting.length, first: 'urgent', listed: 5 }
    },
  ),
  asked(
    'What was our rating in each month since June?',
    'aggregateRecords',
    {
      entity: 'Review',
      group_by: ['review_created_at:month'],
      measures: ['count', 'avg:star_rating'],
      date_from: '2026-06-01',
      date_to: '2026-11-20',
    },
    (answer) => groups(answer, ({ count, values }) => [count, rounded(values['avg:star_rating'])]),
    (demo) => {
      const reviews = within(demo, shownReviews(demo), 'review_created_at', '2026-06-01', '2026-11-20')
      const months = Map.groupBy(reviews, (one) => `${demo.dayOf(one.review_created_at).slice(0, 7)}-01`)
      return Object.fromEntries([...months].map(([month, of]) => [month, [of.length, meanStars(of)]]))
    },
  ),
  asked(
    'What do people complain about most?',
    'getReviewAnalytics',
    { days: 90 },
    ({ complaints }) => ({
      reviews: complaints.reviews,
      most: complaints.topics.slice(0, 3).map(({ topic, reviews }: Fact) => [topic, reviews]),
    }),
    (demo) => {
      const complaining = within(
        demo,
        shownReviews(demo),
        'review_created_at',
        '2026-08-23',
        '2026-11-20',
      ).filter(({ star_rating, sentiment }) => (star_rating ?? 5) <= 2 || sentiment === 'negative')
      const topics = Map.groupBy(
        complaining.flatMap(({ key_topics = [] }) => [...new Set<string>(key_topics)]),
        (topic) => topic,
      )
      const most = [...topics]
        .map(([topic, { length }]): [string, number] => [topic, length])
        .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
      return { reviews: complaining.length, most: most.slice(0, 3) }
    },
  ),
  asked(
    'How many leads are in each stage?',
    'aggregateRecords',
    { entity: 'Lead', group_by: ['stage'] },
    (answer) => groups(answer),
    (demo) => countBy(openLeads(demo.rows('Lead')), ({ stage }) => stage),
  ),
  asked(
    'Which new leads look best, and what did they write?',
    'listLeadsWithMentions',
    { stage: 'new', sort: '-intent_score', limit: 3 },
    ({ total, leads }) => ({ total, scores: leads.map(({ intent_score }: Fact) => intent_score) }),
    (demo) => {
      const found = openLeads(demo.rows('Lead')).filter(({ stage }) => stage === 'new')
      const scores = found.map(({ intent_score }) => intent_score).sort((a, b) => b - a)
      return { total: found.length, scores: scores.slice(0, 3) }
    },
  ),
  asked(
    'Who mentions us, and where?',
    'aggregateRecords',
    { entity: 'Mention', group_by: ['source'], days: 90 },
    (answer) => groups(answer),
    (demo) =>
      countBy(
        within(demo, demo.rows('Mention').filter(isCounted), 'posted_at', '2026-08-23', '2026-11-20'),
        ({ source }) => source,
      ),
  ),
  asked(
    'How much of our feedback do we answer?',
    'getReputationSummary',
    { days: 30 },
    ({ reviews }) => [reviews.reviews, reviews.replied],
    (demo) => {
      const of = within(demo, shownReviews(demo), 'review_created_at', '2026-10-22', '2026-11-20')
      return [of.length, of.filter(({ reply_text }) => reply_text != null).length]
    },
  ),
  asked(
    'Why does Google show another number of reviews than you?',
    'explainReviewCount',
    { location_id: bakery },
    ({ sources }) => [sources[0].source_shows, sources[0].we_list],
    (demo) => {
      const location = demo.rows('BusinessLocation').find(({ business_name }) => business_name === bakery)
      const listed = shownReviews(demo).filter(({ location_id }) => location_id === location?.id)
      return [location?.total_reviews, listed.length]
    },
  ),
  asked(
    'Which clients need attention?',
    'aggregateRecords',
    {
      entity: 'Review',
      q: { needs_response: true, priority: { $in: ['urgent', 'high'] } },
      group_by: ['workspace'],
      workspaces: ['*'],
    },
    (answer) => groups(answer),
    (demo) => {
      const names = new Map(demo.rows('Workspace', true).map(({ id, name }) => [id, name]))
      const urgent = shownReviews(demo, true).filter(
        ({ needs_response, priority }) => needs_response && ['urgent', 'high'].includes(priority),
      )
      return countBy(urgent, ({ workspace_id }) => names.get(workspace_id))
    },
  ),
  asked(
    'Is the October report ready?',
    'getReportStatus',
    { period_start: '2026-10-01' },
    ({ reports, total, locations_without }) => [
      total,
      countBy(reports, ({ status }) => status),
      locations_without.total,
      locations_without.names,
    ],
    (demo) => {
      const found = demo.rows('Report').filter(({ period_start }) => period_start === '2026-10-01')
      const about = new Set(found.map(({ business_location_id }) => business_location_id))
      const without = demo
        .rows('BusinessLocation')
        .filter(({ id, is_active, is_prospect }) => is_active && !is_prospect && !about.has(id))
        .map(({ business_name }) => business_name)
        .toSorted()
      return [found.length, countBy(found, ({ status }) => status), without.length, without]
    },
  ),
]

/** What owners ask about AI assistants: crawlers, visits and answers. */
const ofAssistants: readonly Question[] = [
  asked(
    'Which crawlers come more often than before?',
    'getAiTrafficSummary',
    { days: 28, site_id: bakerySite },
    ({ by_operator }) =>
      Object.fromEntries(
        by_operator.flatMap(({ operator, crawled, previous_crawled }: Fact) =>
          crawled > 0 ? [[operator, [crawled, previous_crawled]]] : [],
        ),
      ),
    (demo) => {
      const [after, earlier] = [now, before].map(([from, to]) => {
        const sums: Record<string, number> = {}
        for (const day of siteDays(demo, from, to, bakerySite))
          for (const agent of Object.values(JSON.parse(day.by_agent)) as Fact[])
            sums[agent.operator] = (sums[agent.operator] ?? 0) + agent.hits - agent.spoofed
        return sums
      })
      return Object.fromEntries(
        Object.entries(after ?? {}).map(([name, hits]) => [name, [hits, earlier?.[name] ?? 0]]),
      )
    },
  ),
  asked(
    'How many hits only pretended to be a crawler?',
    'aggregateRecords',
    {
      entity: 'AiTrafficDaily',
      measures: ['sum:spoofed_hits', 'sum:crawler_hits'],
      date_from: '2026-10-24',
      date_to: '2026-11-20',
    },
    (answer) => answer.groups.map(({ values }: Fact) => values)[0],
    (demo) => {
      const days = siteDays(demo, ...now)
      const of = (name: string) => sum(days.map((day) => day[name]))
      return { 'sum:spoofed_hits': of('spoofed_hits'), 'sum:crawler_hits': of('crawler_hits') }
    },
  ),
  asked(
    'Which pages do AI agents fetch most?',
    'getTopCrawledPages',
    { days: 28, limit: 3, site_id: bakerySite },
    ({ crawler_hits, pages }) => [crawler_hits, pages[0].path, pages[0].hits],
    (demo) => {
      const days = siteDays(demo, ...now, bakerySite)
      const hits = sum(days.flatMap(({ top_paths }) => homeIn(top_paths, 'hits')))
      return [sum(days.map(({ crawler_hits }) => crawler_hits)), '/', hits]
    },
  ),
  asked(
    'To which pages do AI assistants send people?',
    'getReferralPages',
    { days: 28, limit: 5, site_id: bakerySite },
    ({ referral_visits, by_assistant, pages }) => ({
      referral_visits,
      hosts: Object.fromEntries(by_assistant.map(({ host, visits }: Fact) => [host, visits])),
      home: pages.find(({ path }: Fact) => path === '/')?.visits,
    }),
    (demo) => {
      const days = siteDays(demo, ...now, bakerySite)
      return {
        referral_visits: sum(days.map(({ referral_visits }) => referral_visits)),
        hosts: addUp(days, 'by_referrer'),
        home: sum(days.flatMap(({ referral_paths }) => homeIn(referral_paths, 'visits'))),
      }
    },
  ),
  asked(
    'How often do AI assistants name us, compared with four weeks ago?',
    'getVisibilitySummary',
    { days: 28, location_id: bakery },
    ({ totals, previous }) => [totals.runs, totals.mentions, previous.runs, previous.mentions],
    (demo) =>
      [now, before].flatMap(([from, to]) => {
        const runs = answeredRuns(demo.rows('VisibilityRun'), demo.idOf(bakery))
        const inside = within(demo, runs, 'started_at', from, to)
        return [inside.length, inside.filter(({ brand_mentioned }) => brand_mentioned).length]
      }),
  ),
  asked(
    'What is our share of voice?',
    'getShareOfVoice',
    { tracker_id: bakery, days: 28 },
    ({ voices }) => Object.fromEntries(voices.map(({ name, presence_v2 }: Fact) => [name, presence_v2.k])),
    (demo) => {
      const [tracker] = demo.rows('VisibilityTracker').filter(({ brand_name }) => brand_name === bakery)
      const open = demo
        .rows('VisibilityPrompt')
        .filter(({ text }) => !String(text).toLowerCase().includes(bakery.toLowerCase()))
      const openIds = new Set(open.map(({ id }) => id))
      const runs = within(
        demo,
        answeredRuns(demo.rows('VisibilityRun'), demo.idOf(bakery)),
        'started_at',
        ...now,
      ).filter(({ prompt_id }) => openIds.has(prompt_id))
      const names = [bakery, ...((tracker?.competitors ?? []) as Fact[]).map(({ name }) => name)]
      const isIn = (run: Fact, name: string) =>
        name === bakery ? run.brand_mentioned : run.competitor_mentions.some((one: Fact) => one.name === name)
      return Object.fromEntries(names.map((name) => [name, runs.filter((run) => isIn(run, name)).length]))
    },
  ),
  asked(
    'Which sources do AI assistants cite?',
    'listCitedSources',
    { days: 28, location_id: bakery, limit: 5 },
    ({ answers, sources }) => ({
      answers,
      first: [sources[0].domain, sources[0].citations],
    }),
    (demo) => {
      const runs = within(
        demo,
        answeredRuns(demo.rows('VisibilityRun'), demo.idOf(bakery)),
        'started_at',
        ...now,
      )
      const citing = runs.flatMap(({ citations }) =>
        (citations as Fact[]).filter(({ cited }) => cited).map(({ domain }) => ({ domain })),
      )
      const [first] = Object.entries(countBy(citing, ({ domain }) => domain)).sort(([, a], [, b]) => b - a)
      return { answers: runs.length, first }
    },
  ),
  asked(
    'Does everything that you read still work?',
    'aggregateRecords',
    { entity: 'SyncStatus', group_by: ['status'] },
    (answer) => groups(answer),
    (demo) => countBy(demo.rows('SyncStatus'), ({ status }) => status),
  ),
  asked(
    'What happened this month that I should know?',
    'aggregateRecords',
    { entity: 'Notification', group_by: ['type'], period: 'this_month' },
    (answer) => groups(answer),
    (demo) =>
      countBy(
        within(demo, demo.rows('Notification'), 'created_date', '2026-11-01', '2026-11-20'),
        ({ type }) => type,
      ),
  ),
  {
    asks: 'Who am I here, and what may you still do today?',
    calls: [
      { tool: 'whoami', args: {} },
      { tool: 'getLimits', args: {} },
    ],
    figures: ({ credential, workspace }, { limits }) => [
      credential.scopes,
      workspace.name,
      Object.fromEntries(
        limits.flatMap(({ name, per, left }: Fact) => (per === 'credential' ? [[name, left]] : [])),
      ),
    ],
    expected: (demo) => [
      ['read', 'write'],
      demo.rows('Workspace')[0]?.name,
      // Nothing was written by this key, so the defaults of the settings are left.
      {
        drafts_per_day: 500,
        reports_per_day: 50,
        setups_per_day: 20,
        own_open_proposals: 30,
        own_event_subscriptions: 50,
      },
    ],
  },
]

export const standardQuestions = [...ofReputation, ...ofAssistants]

const meanStars = (reviews: readonly Fact[]) =>
  mean(reviews.flatMap(({ star_rating }) => (star_rating == null ? [] : [star_rating])))

const openLeads = (leads: readonly Fact[]) => leads.filter(({ is_archived }) => !is_archived)

const answeredRuns = (runs: readonly Fact[], location: string) =>
  runs.filter(({ location_id, status }) => location_id === location && status === 'ok')

const homeIn = (json: string, name: string): number[] =>
  (JSON.parse(json) as Fact[]).filter(({ path }) => path === '/').map((one) => one[name])
