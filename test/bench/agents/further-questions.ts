import { dayIn } from '../../../core/kit/periods'
import type { DemoFacts } from './demo-world'
import { asked, type Question } from './question'
import { countBy, type Fact, groups, mean, rounded, shownReviews, siteDays, sum, within } from './sums'

const bakery = 'Harbour Bakehouse'
const bakerySite = 'harbour-bakehouse.example'
const month = ['2026-11-01', '2026-11-20'] as const

const count = (
  asks: string,
  entity: string,
  q: object | undefined,
  expected: Question['expected'],
): Question => asked(asks, 'countRecords', { entity, ...(q ? { q } : {}) }, ({ count }) => count, expected)

const grouped = (
  asks: string,
  args: Readonly<Record<string, unknown>>,
  expected: Question['expected'],
  of?: (group: Fact) => unknown,
): Question => asked(asks, 'aggregateRecords', args, (answer) => groups(answer, of), expected)

/** Failed posts, failed reports of two weeks, and trackers whose last round failed or met a limit. */
const otherProblems = (demo: DemoFacts, paused: ReadonlySet<unknown>) =>
  demo.rows('Post').filter(({ status, business_location_id: id }) => status === 'failed' && !paused.has(id))
    .length +
  demo
    .rows('Report')
    .filter(
      ({ status, created_date, business_location_id }) =>
        status === 'failed' && String(created_date) >= '2026-11-06T12' && !paused.has(business_location_id),
    ).length +
  demo
    .rows('VisibilityTracker')
    .filter(
      ({ is_active, location_id, last_run_summary: last }: Fact) =>
        is_active && !paused.has(location_id) && (last?.message || last?.truncated),
    ).length

/** Further questions of owners, beside the standard ones. */
export const furtherQuestions: readonly Question[] = [
  grouped(
    'Which location has the worst rating?',
    { entity: 'Review', group_by: ['location_id'], measures: ['avg:star_rating'] },
    (demo) => {
      const rated = shownReviews(demo).filter(({ star_rating }) => star_rating != null)
      const all = Map.groupBy(shownReviews(demo), ({ location_id }) => location_id)
      return Object.fromEntries(
        [...all.keys()].map((id) => {
          const of = rated.filter(({ location_id }) => location_id === id)
          return [id, of.length === 0 ? null : mean(of.map(({ star_rating }) => star_rating))]
        }),
      )
    },
    ({ values }) => (values['avg:star_rating'] === null ? null : rounded(values['avg:star_rating'])),
  ),
  grouped('How many reviews come from each platform?', { entity: 'Review', group_by: ['source'] }, (demo) =>
    countBy(shownReviews(demo), ({ source }) => source),
  ),
  grouped(
    'How do reviews feel this month?',
    { entity: 'Review', group_by: ['sentiment'], period: 'this_month' },
    (demo) =>
      countBy(
        within(demo, shownReviews(demo), 'review_created_at', ...month),
        ({ sentiment }) => sentiment ?? null,
      ),
  ),
  count(
    'How many bad reviews have no answer?',
    'Review',
    { star_rating: { $lte: 2 }, needs_response: true },
    (demo) =>
      shownReviews(demo).filter(
        ({ star_rating, needs_response }) => star_rating != null && star_rating <= 2 && needs_response,
      ).length,
  ),
  count(
    'How many reviews are flagged?',
    'Review',
    { is_flagged: true },
    (demo) => shownReviews(demo).filter(({ is_flagged }) => is_flagged).length,
  ),
  grouped(
    'Which locations win leads?',
    { entity: 'Lead', q: { stage: 'won' }, group_by: ['location_id'] },
    (demo) =>
      countBy(
        demo.rows('Lead').filter(({ stage, is_archived }) => stage === 'won' && !is_archived),
        ({ location_id }) => location_id,
      ),
  ),
  grouped(
    'Where do the most promising leads come from?',
    { entity: 'Lead', group_by: ['source'], measures: ['avg:intent_score'] },
    (demo) => {
      const leads = demo.rows('Lead').filter(({ is_archived }) => !is_archived) as readonly Fact[]
      const bySource = Map.groupBy(leads, ({ source }) => String(source))
      return Object.fromEntries(
        [...bySource].map(([source, of]) => [source, mean(of.map(({ intent_score }) => intent_score))]),
      )
    },
    ({ values }) => rounded(values['avg:intent_score']),
  ),
  grouped('Which posts are planned or failed?', { entity: 'Post', group_by: ['status'] }, (demo) =>
    countBy(demo.rows('Post'), ({ status }) => status),
  ),
  asked(
    'Which question names us least?',
    'getPromptPerformance',
    { tracker_id: bakery, days: 28, sort: 'mention_rate', limit: 1 },
    ({ total, prompts: [first] }) => [total, first.runs, first.mentions],
    (demo) => {
      const runs = within(demo, demo.rows('VisibilityRun'), 'started_at', '2026-10-24', '2026-11-20').filter(
        ({ location_id, status }) => location_id === demo.idOf(bakery) && status === 'ok',
      )
      const prompts = demo
        .rows('VisibilityPrompt')
        .filter(({ location_id }) => location_id === demo.idOf(bakery))
      const rates = prompts.map(({ id }) => {
        const of = runs.filter(({ prompt_id }) => prompt_id === id)
        return [of.length, of.filter(({ brand_mentioned }) => brand_mentioned).length] as const
      })
      const [least = [0, 0]] = rates.sort(([n, k], [m, j]) => k / n - j / m)
      return [prompts.length, ...least]
    },
  ),
  asked(
    'How many people does ChatGPT send us?',
    'getReferralPages',
    { days: 28, assistant: 'chatgpt.com', limit: 1 },
    ({ referral_visits }) => referral_visits,
    (demo) =>
      sum(
        siteDays(demo, '2026-10-24', '2026-11-20').map(
          ({ by_referrer }) => JSON.parse(by_referrer)['chatgpt.com'] ?? 0,
        ),
      ),
  ),
  asked(
    'Which pages do people ask AI assistants about?',
    'getTopCrawledPages',
    { days: 7, category: 'ai_answers', limit: 3, site_id: `https://${bakerySite}/` },
    ({ crawler_hits }) => crawler_hits,
    (demo) =>
      sum(
        siteDays(demo, '2026-11-14', '2026-11-20', bakerySite).map(
          ({ by_category }) => JSON.parse(by_category).ai_answers,
        ),
      ),
  ),
  grouped(
    'How did crawling develop by week?',
    {
      entity: 'AiTrafficDaily',
      group_by: ['date:week'],
      measures: ['sum:crawler_hits'],
      date_from: '2026-10-26',
      date_to: '2026-11-15',
    },
    (demo) => {
      const weeks = ['2026-10-26', '2026-11-02', '2026-11-09']
      return Object.fromEntries(
        weeks.map((first) => {
          const last = new Date(Date.parse(first) + 6 * 86_400_000).toISOString().slice(0, 10)
          return [first, sum(siteDays(demo, first, last).map(({ crawler_hits }) => crawler_hits))]
        }),
      )
    },
    ({ values }) => values['sum:crawler_hits'],
  ),
  grouped(
    'Did last month bring more reviews than the month before?',
    { entity: 'Review', group_by: ['source'], period: 'last_month', compare: 'calendar' },
    (demo) => {
      const of = (from: string, to: string) =>
        countBy(within(demo, shownReviews(demo), 'review_created_at', from, to), ({ source }) => source)
      const october = of('2026-10-01', '2026-10-31')
      const september = of('2026-09-01', '2026-09-30')
      return Object.fromEntries(
        Object.entries(october).map(([source, count]) => [source, [count, september[source] ?? 0]]),
      )
    },
    ({ count, previous_count }) => [count, previous_count],
  ),
  asked(
    'Which of our clients does best, and which got worse?',
    'compareWorkspaces',
    { figures: ['reviews', 'rating'], period: 'last_month' },
    ({ workspaces }) =>
      Object.fromEntries(
        workspaces.map(({ name, figures: { reviews, rating } }: Fact) => [
          name,
          [reviews.value, reviews.previous, rating.value === null ? null : rounded(rating.value)],
        ]),
      ),
    (demo) => {
      const shown = shownReviews(demo, true)
      return Object.fromEntries(
        demo.rows('Workspace', true).map(({ id, name, timezone }) => {
          const of = (from: string, to: string) =>
            shown.filter(({ workspace_id, review_created_at }) => {
              const day = dayIn(String(timezone), new Date(review_created_at))
              return workspace_id === id && from <= day && day <= to
            })
          const now = of('2026-10-01', '2026-10-31')
          const stars = now.flatMap(({ star_rating }) => (star_rating == null ? [] : [star_rating]))
          const before = of('2026-08-31', '2026-09-30')
          return [name, [now.length, before.length, stars.length === 0 ? null : mean(stars)]]
        }),
      )
    },
  ),
  grouped(
    'How many five-star reviews has each client?',
    { entity: 'Review', q: { star_rating: 5 }, group_by: ['workspace'], workspaces: ['*'] },
    (demo) => {
      const names = new Map(demo.rows('Workspace', true).map(({ id, name }) => [id, name]))
      return countBy(
        shownReviews(demo, true).filter(({ star_rating }) => star_rating === 5),
        ({ workspace_id }) => names.get(workspace_id),
      )
    },
  ),
  grouped('Which prospects were audited?', { entity: 'ProspectAudit', group_by: ['status'] }, (demo) =>
    countBy(demo.rows('ProspectAudit'), ({ status }) => status),
  ),
  asked(
    'When is the next report due?',
    'list_records',
    {
      entity: 'ScheduledReport',
      q: { is_active: true },
      sort: 'next_run_at',
      limit: 1,
      fields: ['next_run_at'],
    },
    ({ rows: [first] }) => first.next_run_at,
    (demo) =>
      demo
        .rows('ScheduledReport')
        .filter(({ is_active }) => is_active)
        .map(({ next_run_at }) => next_run_at)
        .sort()[0],
  ),
  asked(
    'How does our front page do, from crawl to lead?',
    'getPageJourney',
    { path: `https://${bakerySite}/`, days: 28 },
    ({ crawls, citations, visits, leads }) => [crawls.total, citations.cited.n, visits.total, leads.total],
    (demo) => {
      const from = '2026-10-24'
      const to = '2026-11-20'
      const days = siteDays(demo, from, to, bakerySite)
      const home = (lists: string, name: string) =>
        sum(
          days.flatMap((day) =>
            (JSON.parse(day[lists]) as Fact[]).filter(({ path }) => path === '/').map((one) => one[name]),
          ),
        )
      const runs = within(demo, demo.rows('VisibilityRun'), 'started_at', from, to)
      return [
        home('top_paths', 'hits'),
        runs.filter(({ status }) => status === 'ok').length,
        home('referral_paths', 'visits'),
        within(demo, demo.rows('Lead'), 'created_date', from, to).length,
      ]
    },
  ),
  asked(
    'Does everything still work?',
    'getActiveSyncs',
    {},
    ({ all_well, problems, problems_total, not_known, count }) => [
      all_well,
      not_known,
      problems_total,
      problems.length,
      count,
      problems.map(({ kind }: Fact) => kind).filter((kind: string) => kind === 'sync_failed').length,
    ],
    (demo) => {
      const paused = new Set(demo.rows('BusinessLocation').flatMap((one) => (one.is_active ? [] : [one.id])))
      const syncs = demo.rows('SyncStatus').filter(({ location_id }) => !paused.has(location_id))
      const of = (status: string) => syncs.filter((one) => one.status === status).length
      const broken = of('failed') + of('partial') + otherProblems(demo, paused)
      const running = demo.rows('SyncStatus').filter(({ status }) => status === 'running').length
      return [broken === 0, [], broken, Math.min(20, broken), running, of('failed')]
    },
  ),
  asked(
    'What does the best recent lead say?',
    'list_records',
    { entity: 'Lead', sort: '-intent_score', limit: 3, fields: ['intent_score', 'notes'] },
    ({ rows }) => rows.map(({ intent_score }: Fact) => intent_score),
    (demo) =>
      demo
        .rows('Lead')
        .filter(({ is_archived }) => !is_archived)
        .map(({ intent_score }) => Number(intent_score))
        .sort((a, b) => b - a)
        .slice(0, 3),
  ),
]
