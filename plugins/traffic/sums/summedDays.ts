import type { GroupRow, Period, ReadContext } from 'renown'
import { trafficCategories } from 'renown/traffic'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { type Day, daysWhere, refuseTooMany, type SiteInput } from '../records/days'

/** The counts of a day, without its path lists. */
export type DayCounts = Pick<
  Day,
  | 'date'
  | 'crawler_hits'
  | 'verified_hits'
  | 'spoofed_hits'
  | 'signed_hits'
  | 'referral_visits'
  | 'by_agent'
  | 'by_category'
  | 'by_referrer'
>

/**
 * Returns the counts of two adjacent periods, summed over the sites by the store, ordered by date. A date has
 * more than one row if sites name different operators or categories for an agent.
 */
export async function summedDays(
  ctx: ReadContext,
  input: SiteInput,
  previous: Period,
  period: Period,
): Promise<{ readonly days: DayCounts[]; readonly earlier: DayCounts[] }> {
  const rows = ctx.rows(AiTrafficDaily)
  const where = daysWhere(input, { date_from: previous.date_from, date_to: period.date_to })
  const totals = await rows.group({ where, by: ['date'], measures: totalMeasures })
  const isEarlier = ({ date }: { readonly date?: unknown }) => String(date) < period.date_from
  refuseTooMany(sumOf(totals.filter(isEarlier), 'rows'))
  refuseTooMany(
    sumOf(
      totals.filter((row) => !isEarlier(row)),
      'rows',
    ),
  )
  const [agents, referrers] =
    totals.length === 0
      ? [[], []]
      : await Promise.all([
          rows.groupEntries({ where, of: 'by_agent', by: agentKeys, measures: agentMeasures }),
          rows.groupEntries({ where, of: 'by_referrer', by: referrerKeys, measures: referrerMeasures }),
        ])
  const all = joined(totals, agents, referrers)
  return { days: all.filter((row) => !isEarlier(row)), earlier: all.filter(isEarlier) }
}

const totalMeasures = [
  { as: 'rows', fn: 'count' },
  ...(['crawler_hits', 'verified_hits', 'spoofed_hits', 'signed_hits', 'referral_visits'] as const).map(
    (field) => ({
      as: field,
      fn: 'sum' as const,
      field,
    }),
  ),
  ...trafficCategories.map((category) => ({
    as: category,
    fn: 'sum' as const,
    field: `by_category.${category}`,
  })),
] as const

const agentKeys = [
  'date',
  { as: 'agent', entry: 'key' },
  { as: 'operator', entry: 'value.operator' },
  { as: 'category', entry: 'value.category' },
] as const
const agentMeasures = [
  // The row that names an agent first decides which of two categories counts.
  { as: 'first', fn: 'min', field: 'id' },
  { as: 'hits', fn: 'sum', entry: 'value.hits' },
  { as: 'verified', fn: 'sum', entry: 'value.verified' },
  { as: 'spoofed', fn: 'sum', entry: 'value.spoofed' },
  ...(['signed', 'with_status', 'client_errors', 'server_errors'] as const).map((name) => ({
    as: name,
    fn: 'sum' as const,
    entry: `value.${name}` as const,
  })),
] as const
const referrerKeys = ['date', { as: 'host', entry: 'key' }] as const
const referrerMeasures = [{ as: 'visits', fn: 'sum', entry: 'value' }] as const

const dateOf = ({ date }: GroupRow) => String(date)

const sumOf = (rows: readonly GroupRow[], name: string) =>
  rows.reduce((sum, row) => sum + Number(row[name]), 0)

function joined(
  totals: readonly GroupRow[],
  agents: readonly GroupRow[],
  referrers: readonly GroupRow[],
): DayCounts[] {
  const agentsOf = Map.groupBy(agents, dateOf)
  const referrersOf = Map.groupBy(referrers, dateOf)
  return totals.flatMap((row) => {
    const date = dateOf(row)
    const by_referrer = Object.fromEntries(
      (referrersOf.get(date) ?? []).map(({ host, visits }) => [String(host), Number(visits)]),
    )
    const [by_agent = {}, ...further] = agentRecords(agentsOf.get(date) ?? [])
    return [
      { ...totalsOf(row), by_agent, by_referrer },
      ...further.map((by_agent) => ({ ...totalsOf({ date }), by_agent, by_referrer: {} })),
    ]
  })
}

function totalsOf(row: GroupRow): Omit<DayCounts, 'by_agent' | 'by_referrer'> {
  const count = (name: string) => Number(row[name] ?? 0)
  return {
    date: dateOf(row),
    crawler_hits: count('crawler_hits'),
    verified_hits: count('verified_hits'),
    spoofed_hits: count('spoofed_hits'),
    signed_hits: count('signed_hits'),
    referral_visits: count('referral_visits'),
    by_category: {
      ai_answers: count('ai_answers'),
      search_index: count('search_index'),
      training: count('training'),
      other_ai: count('other_ai'),
    },
  }
}

/** Returns the agents of a date. An agent with two categories has two records. */
function agentRecords(rows: readonly GroupRow[]): DayCounts['by_agent'][] {
  const records: DayCounts['by_agent'][] = []
  const sorted = [...rows].sort((a, b) => (String(a.first) < String(b.first) ? -1 : 1))
  for (const { agent, operator, category, hits, verified, spoofed, ...answers } of sorted) {
    const name = String(agent)
    const record = records.find((known) => !Object.hasOwn(known, name)) ?? {}
    if (!records.includes(record)) records.push(record)
    record[name] = {
      hits: Number(hits),
      verified: Number(verified),
      spoofed: Number(spoofed),
      category: category as DayCounts['by_agent'][string]['category'],
      operator: String(operator),
      signed: Number(answers.signed),
      with_status: Number(answers.with_status),
      client_errors: Number(answers.client_errors),
      server_errors: Number(answers.server_errors),
    }
  }
  return records
}
