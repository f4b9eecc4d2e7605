import { type Block, type Figure, plainCountFigure, type ReportSection, rateFigure } from 'renown/reports'
import { formatCount, formatDay, readablePath } from 'renown/web'
import { readTraffic, type TrafficData, trafficData } from './traffic-data'

/** AI crawlers and visits from AI assistants at the websites of a location. */
export const trafficSection: ReportSection<TrafficData> = {
  name: 'traffic',
  title: 'AI traffic',
  data: trafficData,
  definitions: [
    {
      id: 'ai_traffic.crawler_hits@1',
      name: 'AI crawler hits',
      text: 'Requests to the websites of the location by user agents of AI operators that identify themselves, including hits that only use such a name.',
    },
    {
      id: 'ai_traffic.visits@1',
      name: 'Visits from AI assistants',
      text: 'Visits of people who came by a link in an AI assistant. It is a lower limit: apps and some browsers do not say where a visit comes from.',
    },
    {
      id: 'ai_traffic.verified_share@1',
      name: 'Verified crawler hits',
      text: "Share of the AI crawler hits that came from inside the operators' published address ranges, with a 95 % Wilson interval. Hits come in groups, so the interval shows only the size of the sample.",
    },
    {
      id: 'ai_traffic.spoofed_share@1',
      name: 'Spoofed crawler hits',
      text: 'Share of the AI crawler hits from outside the published ranges, among those that could be checked, with a 95 % Wilson interval.',
    },
    {
      id: 'ai_traffic.answers_share@1',
      name: 'Fetched to answer people',
      text: 'Share of the AI crawler hits that fetched a page to answer the question of a person, with a 95 % Wilson interval.',
    },
  ],
  collect: ({ reads }, { location, period, previous }) =>
    readTraffic(reads, location.id, { period, previous }),
  headline: (found) => [visits(found), crawls(found)],
  blocks: (found) => [
    {
      kind: 'figures',
      figures: [visits(found), crawls(found), verified(found), spoofed(found), answers(found)],
    },
    ...notes(found),
    ...chart(found),
    ...operators(found),
    ...pages(found),
    ...spoofedNext(found),
    ...found.floors.map((text): Block => ({ kind: 'note', text })),
  ],
}

const evidence = '/app/traffic'

const visits = (found: TrafficData): Figure =>
  counted(found, 'visits', {
    id: 'traffic.visits',
    label: 'Visits from AI assistants',
    definition: 'ai_traffic.visits@1',
    now: found.totals.referral_visits,
    before: found.previous.referral_visits,
  })

const crawls = (found: TrafficData): Figure =>
  counted(found, 'hits', {
    id: 'traffic.crawls',
    label: 'AI crawler hits',
    definition: 'ai_traffic.crawler_hits@1',
    now: found.totals.crawler_hits,
    before: found.previous.crawler_hits,
  })

interface Counted {
  readonly id: string
  readonly label: string
  readonly definition: string
  readonly now: number
  readonly before: number
}

function counted(found: TrafficData, kind: 'hits' | 'visits', { now, before, ...given }: Counted): Figure {
  const known = { ...given, better: 'higher' as const, evidence }
  const since = found.counted_since[kind]
  if (!found.is_known[kind]) {
    const unknown_because =
      since === null ? 'nothing was counted yet' : `counting began on ${formatDay(since)}`
    return { ...known, value: null, unit: 'count', unknown_because }
  }
  if (found.is_compared[kind]) return plainCountFigure(known, now, before)
  const not_comparable_because =
    found.is_complete || since === null
      ? `counting began on ${formatDay(since ?? '')}`
      : 'the period is not over'
  return { ...plainCountFigure(known, now), not_comparable_because }
}

const verified = ({ verified_share: rate }: TrafficData) =>
  rateFigure({ id: 'traffic.verified', label: 'Verified crawler hits', evidence }, rate)
const spoofed = ({ spoofed_share: rate }: TrafficData) =>
  rateFigure({ id: 'traffic.spoofed', label: 'Spoofed crawler hits', better: 'lower', evidence }, rate)
const answers = ({ answers_share: rate }: TrafficData) =>
  rateFigure({ id: 'traffic.answers', label: 'Fetched to answer people', evidence }, rate)

function notes({ is_known, counted_since: { hits, visits: since }, trend }: TrafficData): Block[] {
  const [first] = trend
  const late = (day: string | null) => day !== null && first !== undefined && day > first.from
  return [
    ...(is_known.hits && late(hits)
      ? [note(`Crawler hits are counted since ${formatDay(hits ?? '')}. Earlier days are unknown.`)]
      : []),
    ...(is_known.visits && late(since)
      ? [note(`Visits are counted since ${formatDay(since ?? '')}. Earlier days are unknown.`)]
      : []),
  ]
}

const note = (text: string): Block => ({ kind: 'note', text })

function chart({ trend, totals, is_known }: TrafficData): Block[] {
  if (trend.length < 2 || !(is_known.hits || is_known.visits)) return []
  const hits = { name: 'Crawler hits', values: trend.map(({ crawler_hits }) => crawler_hits) }
  const people = { name: 'Visits', values: trend.map(({ referral_visits }) => referral_visits) }
  const said = [
    ...(is_known.hits ? [formatCount(totals.crawler_hits, 'crawler hit')] : []),
    ...(is_known.visits ? [formatCount(totals.referral_visits, 'visit')] : []),
  ]
  return [
    {
      kind: 'chart',
      title: 'AI crawlers and visits',
      form: 'line',
      unit: 'count',
      alt: `AI traffic over the period: ${said.join(' and ')} in all.`,
      labels: trend.map(({ from }) => formatDay(from, { year: false })),
      series: [...(is_known.hits ? [hits] : []), ...(is_known.visits ? [people] : [])],
    },
  ]
}

function operators({ by_operator: lines, more_operators: more }: TrafficData): Block[] {
  if (lines.length === 0) return []
  return [
    {
      kind: 'table',
      title: 'By operator',
      columns: [
        { label: 'Operator', type: 'text' },
        ...(['Crawled', 'Verified', 'Spoofed', 'Visits sent'] as const).map((label) => ({
          label,
          type: 'count' as const,
        })),
      ],
      rows: lines.map(({ operator, crawled, verified: sure, spoofed: false_, sent }) => [
        operator,
        crawled,
        sure,
        false_,
        sent,
      ]),
      ...(more === 0 ? {} : { more }),
    },
  ]
}

function pages({ pages: lines, more_pages: more, sites }: TrafficData): Block[] {
  if (lines.length === 0) return []
  return [
    {
      kind: 'table',
      title: 'Pages that AI crawlers fetch most',
      columns: [
        { label: 'Page', type: 'text' },
        { label: 'Hits, at least', type: 'count' },
        { label: 'At most', type: 'count' },
      ],
      rows: lines.map(({ domain, path, hits, hits_at_most }) => [
        { quote: `${sites > 1 ? domain : ''}${readablePath(path)}` },
        hits,
        hits_at_most,
      ]),
      ...(more === 0 ? {} : { more }),
    },
  ]
}

/** Spoofed hits that are more than a tenth of those that could be checked. */
function spoofedNext({ totals: { spoofed_hits, verified_hits } }: TrafficData): Block[] {
  if (spoofed_hits * 10 <= spoofed_hits + verified_hits) return []
  const hits = formatCount(spoofed_hits, 'hit')
  return [
    {
      kind: 'next',
      items: [
        {
          text: `Limit the addresses that only use the names of AI crawlers: ${hits} in this period.`,
          because: "They came from outside the operators' published address ranges.",
          href: evidence,
        },
      ],
    },
  ]
}
