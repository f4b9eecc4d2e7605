import { dayIn, defineRate, instantsOf, type Period, type ReadContext, type Where, where } from 'renown'
import { frozenCount as count, cutText, frozenRate } from 'renown/reports'
import * as v from 'valibot'
import { BrandTracker } from '../records/BrandTracker'
import { channelNames } from '../records/channel-names'
import { countedMentions } from '../records/counted-mentions'
import { Lead } from '../records/Lead'
import { Mention } from '../records/Mention'
import { policyOf } from '../sources/policy'
import { leadsSource, type SourcePolicy } from '../sources/source'

/** Share of relevant mentions with negative sentiment. Copies are counted once. */
export const negativeShare = defineRate(
  'mentions.negative_share@2',
  'Share of relevant mentions with negative sentiment, among those with known sentiment. Copies are counted once',
)

const sentiments = ['positive', 'neutral', 'mixed', 'negative'] as const
const counts = v.object({ mentions: count, negative: frozenRate, leads: count, replies: count })

/** The schema of the frozen data about the mentions of a period. */
export const mentionsData = v.object({
  now: counts,
  previous: counts,
  /** Why the periods cannot be compared. Null if they can. */
  not_comparable_because: v.nullable(v.string()),
  unjudged: count,
  /** Mentions that were found in the period and whose own date is unknown. Absent in older reports. */
  undated: v.optional(count),
  by_source: v.array(v.object({ source: v.string(), mentions: count, negative: count })),
  by_sentiment: v.array(v.object({ sentiment: v.nullable(v.string()), mentions: count })),
  /** Stages that the new leads have now. */
  stages: v.array(v.object({ stage: v.string(), leads: count })),
  /** Relevant negative mentions that nobody saved, answered or dismissed. */
  waiting: count,
  quotes: v.array(
    v.object({
      text: v.string(),
      lang: v.optional(v.string()),
      author: v.optional(v.string()),
      source: v.string(),
      at: v.optional(v.string()),
      url: v.optional(v.string()),
    }),
  ),
  /** Mentions that may not be quoted, because their source does not allow to keep their text. */
  unquoted: count,
})

/** The frozen data about the mentions of a period. */
export type MentionsData = v.InferOutput<typeof mentionsData>

const quotesMax = 4
const quoteMax = 400
const readMax = 200
const stageNames = ['new', 'contacted', 'qualified', 'won', 'lost'] as const

/** Reads the mentions of a location. Null if it has neither trackers nor mentions. */
export async function readMentions(
  reads: ReadContext,
  location_id: string,
  { period, previous }: { readonly period: Period; readonly previous: Period },
): Promise<MentionsData | null> {
  const own = where.eq('location_id', location_id)
  const trackers = await reads.rows(BrandTracker).list({ where: own, limit: 1_000, fields: ['created_date'] })
  const [any] = await reads.rows(Mention).list({ where: own, limit: 1, fields: ['status'] })
  if (trackers.length === 0 && !any) return null
  const spans = { now: within(reads, 'posted_at', period), before: within(reads, 'posted_at', previous) }
  const groups = await groupsOf(reads, where.and(own, ...relevant, ...spans.now))
  const earlier = await groupsOf(reads, where.and(own, ...relevant, ...spans.before))
  const leads = await leadsOf(reads, own, period)
  const count = (more: readonly Where[]) => reads.rows(Mention).count(where.and(own, ...more))
  const repliesOf = (one: Period) => count([...countedMentions, ...within(reads, 'replied_at', one)])
  const bySource = Map.groupBy(groups, ({ source }) => source)
  return {
    now: {
      mentions: sum(groups),
      negative: negativeOf(groups),
      leads: sum(leads),
      replies: await repliesOf(period),
    },
    previous: {
      mentions: sum(earlier),
      negative: negativeOf(earlier),
      leads: sum(await leadsOf(reads, own, previous)),
      replies: await repliesOf(previous),
    },
    not_comparable_because: whyNot(reads, trackers, previous),
    unjudged: await count([...countedMentions, where.eq('relevance', null), ...spans.now]),
    undated: await count([
      ...relevant,
      where.eq('posted_at', null),
      ...within(reads, 'discovered_at', period),
    ]),
    by_source: [...bySource]
      .map(([source, rows]) => ({ source, mentions: sum(rows), negative: sum(rows.filter(isNegative)) }))
      .sort((a, b) => b.mentions - a.mentions || (a.source < b.source ? -1 : 1)),
    by_sentiment: [...sentiments, null].map((sentiment) => ({
      sentiment,
      mentions: sum(groups.filter((one) => one.sentiment === sentiment)),
    })),
    stages: stageNames.map((stage) => ({ stage, leads: sum(leads.filter((one) => one.stage === stage)) })),
    waiting: await count([
      ...relevant,
      ...spans.now,
      where.eq('status', 'new'),
      where.eq('sentiment', 'negative'),
    ]),
    ...(await quotesOf(reads, where.and(own, ...relevant, ...spans.now))),
  }
}

const relevant: readonly Where[] = [where.eq('relevance', 'relevant'), ...countedMentions]

function within(reads: ReadContext, field: string, period: Period): Where[] {
  const { from, before } = instantsOf(period, reads.workspace.timezone)
  return [where.gte(field, from), where.lt(field, before)]
}

interface Group {
  readonly source: string
  readonly sentiment: string | null
  readonly n: number
}

async function groupsOf(reads: ReadContext, matching: Where): Promise<Group[]> {
  const rows = await reads.rows(Mention).group({
    where: matching,
    by: ['source', 'sentiment'],
    measures: [{ as: 'n', fn: 'count' }],
  })
  return rows.map(({ source, sentiment, n }) => ({
    source: channelNames[String(source) as keyof typeof channelNames] ?? String(source),
    sentiment: typeof sentiment === 'string' ? sentiment : null,
    n: Number(n),
  }))
}

const sum = (rows: readonly { readonly n: number }[]) => rows.reduce((total, { n }) => total + n, 0)
const isNegative = ({ sentiment }: Group) => sentiment === 'negative'
const negativeOf = (rows: readonly Group[]) =>
  negativeShare.of(sum(rows.filter(isNegative)), sum(rows.filter(({ sentiment }) => sentiment !== null)))

/** Returns the new leads of a period by the stage that they have now, without archived ones. */
async function leadsOf(reads: ReadContext, own: Where, period: Period) {
  const rows = await reads.rows(Lead).group({
    where: where.and(own, where.ne('is_archived', true), ...within(reads, 'created_date', period)),
    by: ['stage'],
    measures: [{ as: 'n', fn: 'count' }],
  })
  return rows.map(({ stage, n }) => ({ stage: String(stage), n: Number(n) }))
}

/** A tracker that was added later finds mentions that nobody looked for before. */
function whyNot(
  reads: ReadContext,
  trackers: readonly { readonly created_date: string }[],
  previous: Period,
) {
  const days = trackers.map(({ created_date }) => dayIn(reads.workspace.timezone, new Date(created_date)))
  const last = days.toSorted().at(-1)
  return last !== undefined && last > previous.date_from ? last : null
}

/** Returns the mentions worth reading: negative ones first, then the most relevant ones. */
async function quotesOf(
  reads: ReadContext,
  matching: Where,
): Promise<Pick<MentionsData, 'quotes' | 'unquoted'>> {
  const rows = await reads.rows(Mention).list({
    where: where.and(matching, where.eq('removal_rule', null)),
    sort: [{ field: 'posted_at', direction: 'desc' }],
    limit: readMax,
  })
  const order = (row: (typeof rows)[number]) =>
    (row.sentiment === 'negative' ? 1_000 : 0) + (row.relevance_score ?? 0)
  const readable = rows
    .filter(({ excerpt, body }) => (excerpt || body).trim() !== '')
    .toSorted((a, b) => order(b) - order(a))
  const known = new Map(reads.extensions(leadsSource).map((source) => [source.name, source]))
  const quotes: MentionsData['quotes'] = []
  let unquoted = 0
  for (const row of readable) {
    const source = known.get(row.found_by ?? '')
    const policy = source && policyOf(source, row.source)
    if (!policy || !mayFreeze(policy)) unquoted++
    else if (quotes.length < quotesMax) {
      const author = policy.may_store_author ? (row.author.name ?? row.author.handle).trim() : ''
      const channel = channelNames[row.source]
      quotes.push({
        text: cutText(row.excerpt || row.body, quoteMax),
        source: cutText(policy.attribution === null ? channel : `${channel}. ${policy.attribution}`),
        ...(row.posted_at === undefined ? {} : { at: row.posted_at }),
        ...(author === '' ? {} : { author: cutText(author, 100) }),
        ...(row.language === 'und' || row.language === '' ? {} : { lang: cutText(row.language, 35) }),
        ...(/^https?:\/\//.test(row.url) && row.url.length <= 2_000 ? { url: row.url } : {}),
      })
    }
  }
  return { quotes, unquoted }
}

/** Whether the text may stay in a report, which never changes. */
const mayFreeze = ({ retention_days, recheck_days, delete_with_source }: SourcePolicy) =>
  retention_days === null && recheck_days === null && !delete_with_source
