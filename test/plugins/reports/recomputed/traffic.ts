import { type Days, dayOf, daysOf, groups, plusDays, type Row, share, total } from './plain'

interface Asked {
  readonly sites: readonly Row[]
  readonly days: readonly Row[]
  readonly location: Row
  readonly now: Days
  readonly before: Days
  readonly at: string
  operatorOf(host: string): string | null
}

const totalsOf = (rows: readonly Row[]): Row => {
  const hits = total(rows, 'crawler_hits')
  const verified = total(rows, 'verified_hits')
  const spoofed = total(rows, 'spoofed_hits')
  return {
    crawler_hits: hits,
    verified_hits: verified,
    spoofed_hits: spoofed,
    unchecked_hits: hits - verified - spoofed,
    unique_agents: new Set(rows.flatMap((row) => Object.keys(row.by_agent))).size,
    referral_visits: total(rows, 'referral_visits'),
    signed_hits: total(rows, 'signed_hits'),
  }
}

export function trafficOf({ sites, days, location, now, before, at, operatorOf }: Asked): Row | undefined {
  const own = sites.filter((row) => row.location_id === location.id)
  const todays = own.map((row) => dayOf(at, row.timezone)).sort()
  const latest = todays[todays.length - 1]
  if (latest === undefined || now.from > latest) return undefined
  const to = [now.to, latest].sort()[0] as string
  const rows = days.filter((row) => row.location_id === location.id)
  const inside = rows.filter((row) => row.date >= now.from && row.date <= to)
  const earlier = rows.filter((row) => row.date >= before.from && row.date <= before.to)
  const sinceOf = (name: string): string | null =>
    [
      ...groups(
        rows.filter((row) => row[name] > 0),
        (row) => row.site_id,
      ).values(),
    ]
      .map((mine) => mine.map((row) => row.date as string).sort()[0] as string)
      .sort()
      .pop() ?? null
  const since = { hits: sinceOf('crawler_hits'), visits: sinceOf('referral_visits') }
  const isOver = to < (todays[0] as string)
  const totals = totalsOf(inside)
  const isCompared = (first: string | null) =>
    isOver && to === now.to && first !== null && first < before.from
  const operators = operatorsOf(inside, operatorOf)
  const { pages, count } = pagesOf(inside, own, totals.crawler_hits)
  return {
    sites: own.length,
    is_complete: isOver,
    counted_since: since,
    is_known: {
      hits: since.hits !== null && since.hits <= to,
      visits: since.visits !== null && since.visits <= to,
    },
    is_compared: { hits: isCompared(since.hits), visits: isCompared(since.visits) },
    totals,
    previous: totalsOf(earlier),
    verified_share: share(totals.verified_hits, totals.crawler_hits),
    spoofed_share: share(totals.spoofed_hits, totals.verified_hits + totals.spoofed_hits),
    answers_share: share(
      inside.reduce((sum, row) => sum + (row.by_category.ai_answers ?? 0), 0),
      totals.crawler_hits,
    ),
    trend: trendOf(inside, { from: now.from, to }, since),
    by_operator: operators.slice(0, 15),
    more_operators: Math.max(0, operators.length - 15),
    pages,
    more_pages: count - pages.length,
  }
}

function trendOf(rows: readonly Row[], { from, to }: Days, since: Row): Row[] {
  const all = daysOf({ from, to })
  const size = all.length > 62 ? 7 : 1
  return all
    .filter((_, place) => place % size === 0)
    .map((first) => {
      const last = plusDays(first, size - 1)
      const own = rows.filter((row) => row.date >= first && row.date <= last)
      const sum = (name: string, known: string | null) =>
        known === null || first < known ? null : total(own, name)
      return {
        from: first,
        crawler_hits: sum('crawler_hits', since.hits),
        referral_visits: sum('referral_visits', since.visits),
      }
    })
}

function operatorsOf(rows: readonly Row[], operatorOf: (host: string) => string | null): Row[] {
  const found = new Map<string, Row>()
  const at = (operator: string) => {
    const known = found.get(operator) ?? { operator, crawled: 0, verified: 0, spoofed: 0, sent: 0 }
    found.set(operator, known)
    return known
  }
  for (const row of rows) {
    for (const agent of Object.values<Row>(row.by_agent)) {
      const line = at(agent.operator)
      line.crawled += agent.hits - agent.spoofed
      line.verified += agent.verified
      line.spoofed += agent.spoofed
    }
    for (const [host, visits] of Object.entries<number>(row.by_referrer)) {
      const operator = operatorOf(host)
      if (operator !== null) at(operator).sent += visits
    }
  }
  return [...found.values()].sort(
    (a, b) => b.crawled - a.crawled || b.sent - a.sent || (a.operator < b.operator ? -1 : 1),
  )
}

/** Pages of the daily lists: at least the listed hits, at most what full lists of other days may hide. */
function pagesOf(rows: readonly Row[], sites: readonly Row[], all: number) {
  const found = new Map<string, Row>()
  const hidden = new Map<string, number>()
  for (const row of rows) {
    const full = row.top_paths.length >= 25 ? row.top_paths[row.top_paths.length - 1].hits : 0
    hidden.set(row.site_id, (hidden.get(row.site_id) ?? 0) + full)
    const listed = new Map<string, { hits: number; isExact: boolean }>()
    for (const list of Object.values<Row[]>(row.paths_by_category))
      for (const { path, hits } of list ?? [])
        listed.set(path, { hits: (listed.get(path)?.hits ?? 0) + hits, isExact: false })
    for (const { path, hits } of row.top_paths) listed.set(path, { hits, isExact: true })
    for (const [path, { hits, isExact }] of listed) {
      const page = found.get(`${row.site_id} ${path}`) ?? { site_id: row.site_id, path, hits: 0, less: 0 }
      page.hits += hits
      page.less += isExact ? full : Math.min(full, hits)
      found.set(`${row.site_id} ${path}`, page)
    }
  }
  const pages = [...found.values()]
    .sort(
      (a, b) =>
        b.hits - a.hits || (a.path === b.path ? (a.site_id < b.site_id ? -1 : 1) : a.path < b.path ? -1 : 1),
    )
    .slice(0, 15)
    .map(({ site_id, path, hits, less }) => ({
      domain: sites.find((one) => one.id === site_id)?.domain,
      path,
      hits,
      hits_at_most: Math.min(all, hits + (hidden.get(site_id) ?? 0) - less),
    }))
  return { pages, count: found.size }
}
