import {
  daysBetween,
  defineOperation,
  field,
  ours,
  type Period,
  periodInput,
  periodOf,
  periodSchema,
  shiftDay,
} from 'renown'
import { trafficCategories } from 'renown/traffic'
import { formatCount } from 'renown/web'
import * as v from 'valibot'
import { readAccess, siteAccess } from '../access/site-access'
import { crawlsPerVisit } from '../records/crawlsPerVisit'
import { daysWhere, siteInput, sitesOf, todayOf } from '../records/days'
import { answersShare, spoofedShare, verifiedShare } from '../records/rates'
import { currentOperators } from '../registry/registry-in-use'
import { withDays } from '../sums/by-day'
import { countedSince, isCounted, uncountedFloor } from '../sums/countedSince'
import { crawlerErrors, readErrors } from '../sums/crawler-errors'
import { readDisallowed, robotsSums } from '../sums/disallowed'
import { type DayCounts, summedDays } from '../sums/summedDays'
import { type OperatorTally, type Tally, type Totals, tallyOf } from '../sums/tally'

const count = (description: string) => field.integer(description, { min: 0 })

const totals = {
  crawler_hits: count('Hits of identifiable AI agents'),
  verified_hits: count("Hits from inside the operator's published ranges, or with its signature"),
  spoofed_hits: count('Hits from other addresses, which only used the name, or with a false signature'),
  signed_hits: count('Verified hits with a valid signature'),
  unchecked_hits: count('Hits that could not be checked'),
  unique_agents: count('Number of different agents'),
  referral_visits: count('Visits from AI assistants. A lower limit: see floors'),
}

const change = v.pipe(
  v.nullable(
    v.object({
      now: count('The figure over the first compared_days of the period'),
      previous: count('The figure over the same days of the previous period'),
      absolute: field.integer('now less previous'),
      relative: v.nullable(
        field.number('The difference as a share of the previous period; null where that is 0'),
      ),
    }),
  ),
  v.description(
    'Null unless both periods were counted completely (see counted_since), or if compared_days is 0',
  ),
)

const operator = v.object({
  operator: ours(field.text('Who runs the agents and the assistant')),
  crawled: count('Hits that name its agents, without spoofed ones'),
  verified: count('Number of verified hits'),
  spoofed: count('Hits that name its agents but come from other addresses'),
  sent: count('Visits from its assistant. A floor'),
  previous_crawled: count('crawled in the previous period'),
  previous_sent: count('sent in the previous period'),
  crawls_per_visit: crawlsPerVisit.schema,
  line: ours(field.text('Both in words: crawled N → sent M visits')),
  agents: v.array(
    v.object({
      agent: field.code('Name of the agent'),
      category: field.oneOf(trafficCategories, 'Purpose of its fetches'),
      hits: count('Its hits, including spoofed ones'),
      verified: count('Number of verified hits'),
      spoofed: count('Hits that only used its name'),
      previous_hits: count('hits in the previous period'),
      previous_spoofed: count('spoofed in the previous period'),
    }),
  ),
  by_day: v.optional(
    v.pipe(
      v.object({
        verified: v.array(count('Verified hits of a day')),
        unchecked: v.array(count('Hits of a day that could not be checked')),
        spoofed: v.array(count('Spoofed hits of a day')),
      }),
      v.description('One number for each day of the period, with daily_by'),
    ),
  ),
})

/** Returns crawlers and referrals of a period and of the previous one. */
export const getAiTrafficSummary = defineOperation({
  name: 'getAiTrafficSummary',
  summary: 'AI crawler hits and AI referrals of a period, by operator, compared with the previous period',
  class: 'read',
  crossAgency: 'own',
  seldom: [
    'daily',
    'errors.most[5]',
    'robots.most[3]',
    'by_operator.line',
    ...['definition', 'crawls', 'visits'].map((name) => `by_operator.crawls_per_visit.${name}`),
  ],
  input: v.strictObject({
    ...periodInput,
    ...siteInput,
    daily_by: v.optional(field.oneOf(['operator'], 'Adds by_day to each operator')),
  }),
  output: v.object({
    period: periodSchema('The requested period. Default 28 days'),
    previous_period: periodSchema('The period of the same length before it'),
    complete: field.flag('The last day of the period is over at every site'),
    compared_days: count(
      'Number of days from the start of each period that change compares. Days that are not over at every site are left out',
    ),
    sites: count('Number of sites'),
    totals: v.object(totals),
    previous: v.object(totals),
    counted_since: v.object({
      hits: v.nullable(
        field.day('First day with crawler hits; the latest such day where several sites are asked for'),
      ),
      visits: v.nullable(field.day('The same for visits from assistants')),
    }),
    change: v.object({ crawler_hits: change, verified_hits: change, referral_visits: change }),
    verified_share: verifiedShare.schema,
    spoofed_share: spoofedShare.schema,
    answers_share: answersShare.schema,
    errors: crawlerErrors.schema,
    robots: robotsSums.schema,
    access: siteAccess.schema,
    by_category: v.array(
      v.object({
        category: field.oneOf(trafficCategories, 'Purpose of the fetches'),
        hits: count('Hits'),
        previous_hits: count('Hits in the previous period'),
      }),
    ),
    by_operator: v.array(operator),
    by_assistant: v.array(
      v.object({
        host: field.code('Host of the assistant'),
        visits: count('Visits from there'),
        previous_visits: count('Visits in the previous period'),
      }),
    ),
    daily: v.array(
      v.object({
        date: field.day('Day with hits or visits'),
        crawler_hits: count('Crawler hits'),
        ai_answers: count('Number of those with the category ai_answers'),
        referral_visits: count('Visits from AI assistants'),
      }),
    ),
    floors: ours(field.texts('What these figures do not include')),
  }),
  async run(ctx, { daily_by, ...input }) {
    const sites = await sitesOf(ctx, input)
    const today = todayOf(ctx, sites)
    const { period, previous } = periodOf(input, { today: today.latest, days: 28 })
    const [{ days, earlier }, since, errors, robots] = await Promise.all([
      summedDays(ctx, input, previous, period),
      countedSince(ctx, input),
      readErrors(ctx, daysWhere(input, period)),
      readDisallowed(ctx, daysWhere(input, period)),
    ])
    const known = currentOperators(ctx)
    const now = tallyOf(days, known)
    const before = tallyOf(earlier, known)
    const complete = period.date_to < today.earliest
    const over = Math.min(period.days, Math.max(0, daysBetween(period.date_from, today.earliest)))
    const overOf = (rows: readonly DayCounts[], { date_from }: Period) =>
      tallyOf(rows.filter(({ date }) => date < shiftDay(date_from, over))).totals
    const { crawler_hits, verified_hits, spoofed_hits } = now.totals
    const [site, ...others] = sites
    const access = site && others.length === 0 ? await readAccess(ctx, site, agentsOf(now)) : null
    return {
      period,
      previous_period: previous,
      complete,
      compared_days: over,
      sites: sites.length,
      totals: now.totals,
      previous: before.totals,
      counted_since: since,
      change: changesOf(overOf(days, period), overOf(earlier, previous), {
        hits: over > 0 && isCounted(since.hits, previous),
        visits: over > 0 && isCounted(since.visits, previous),
      }),
      verified_share: verifiedShare.of(verified_hits, crawler_hits),
      spoofed_share: spoofedShare.of(spoofed_hits, verified_hits + spoofed_hits),
      answers_share: answersShare.of(now.byCategory.ai_answers, crawler_hits),
      errors: crawlerErrors.of(now.answers, errors),
      robots: robotsSums.of(robots),
      access: access && siteAccess.of(access),
      by_category: trafficCategories.map((category) => ({
        category,
        hits: now.byCategory[category],
        previous_hits: before.byCategory[category],
      })),
      by_operator:
        daily_by === undefined ? operatorsOf(now, before) : withDays(operatorsOf(now, before), days, period),
      by_assistant: assistantsOf(now, before),
      daily: [...now.byDate].map(([date, counts]) => ({ date, ...counts })),
      floors: [
        ...floorsOf(complete),
        ...uncountedFloor(isCounted(since.hits, previous) && isCounted(since.visits, previous)),
      ],
    }
  },
})

const agentsOf = ({ byOperator }: Tally) =>
  [...byOperator.values()].flatMap(({ agents }) => [...agents.keys()])

function changesOf(
  now: Totals,
  before: Totals,
  isCompared: { readonly hits: boolean; readonly visits: boolean },
) {
  const of = (name: 'crawler_hits' | 'verified_hits' | 'referral_visits') => {
    const absolute = now[name] - before[name]
    return {
      now: now[name],
      previous: before[name],
      absolute,
      relative: before[name] > 0 ? Math.round((absolute / before[name]) * 1e4) / 1e4 : null,
    }
  }
  return {
    crawler_hits: isCompared.hits ? of('crawler_hits') : null,
    verified_hits: isCompared.hits ? of('verified_hits') : null,
    referral_visits: isCompared.visits ? of('referral_visits') : null,
  }
}

function operatorsOf(now: Tally, before: Tally) {
  return [...now.byOperator.values()]
    .map((tally) => operatorLine(tally, before.byOperator.get(tally.operator)))
    .sort((a, b) => b.crawled - a.crawled || b.sent - a.sent || (a.operator < b.operator ? -1 : 1))
}

function operatorLine(tally: OperatorTally, before: OperatorTally | undefined) {
  const crawled = tally.hits - tally.spoofed
  const sent = tally.visits
  return {
    operator: tally.operator,
    crawled,
    verified: tally.verified,
    spoofed: tally.spoofed,
    sent,
    previous_crawled: before ? before.hits - before.spoofed : 0,
    previous_sent: before?.visits ?? 0,
    crawls_per_visit: crawlsPerVisit.of(tally.verified, sent),
    line: `${tally.operator} crawled ${crawled} → sent ${formatCount(sent, 'visit')}`,
    agents: [...tally.agents.values()]
      .map((one) => {
        const { hits = 0, spoofed = 0 } = before?.agents.get(one.agent) ?? {}
        return { ...one, previous_hits: hits, previous_spoofed: spoofed }
      })
      .sort((a, b) => b.hits - a.hits || (a.agent < b.agent ? -1 : 1)),
  }
}

const assistantsOf = (now: Tally, before: Tally) =>
  [...now.byHost]
    .map(([host, visits]) => ({ host, visits, previous_visits: before.byHost.get(host) ?? 0 }))
    .sort((a, b) => b.visits - a.visits || (a.host < b.host ? -1 : 1))

const floorsOf = (complete: boolean) => [
  'Referral visits are a lower limit: apps and some browsers send no referrer, and only pages with the beacon count.',
  'AI answers of Google Search look like its other links and are not counted.',
  'Some assistants fetch pages as ordinary browsers (Copilot, Grok, browser agents) and are not counted as crawlers.',
  ...(complete
    ? []
    : [
        'The last day is not over, so figures of the period have a part of it, and previous ones have whole days. Only change compares the same number of days.',
      ]),
]
