import { dayIn } from 'renown'
import type { HomeNews, PageContext } from 'renown/pages'
import { formatDay, formatNumber } from 'renown/web'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { AiTrafficSite } from '../records/AiTrafficSite'

/** Maximum daily rows. With more, first visits are not searched, because that reads all rows. */
const rowsMax = 50_000
const namedMax = 2

interface First {
  readonly name: string
  /** The first day, with its counts. */
  readonly day: string
}

/** Returns the names in a JSON field of the daily rows, each with its first day. */
async function firstsOf(ctx: PageContext, of: 'by_agent' | 'by_referrer'): Promise<First[]> {
  const found = await ctx.rows(AiTrafficDaily).groupEntries({
    of,
    by: [{ as: 'name', entry: 'key' }],
    measures: [{ as: 'first', fn: 'min', field: 'date' }],
  })
  return found.map(({ name, first }) => ({ name: String(name), day: String(first).slice(0, 10) }))
}

/**
 * Returns crawlers and assistants that were counted for the first time. Only for sites that were already
 * counted before.
 */
export async function trafficNews(ctx: PageContext, since: string): Promise<readonly HomeNews[]> {
  const [site] = await ctx.rows(AiTrafficSite).list({ limit: 1 })
  if (!site) return []
  const rows = await ctx.rows(AiTrafficDaily).count()
  if (rows === 0 || rows > rowsMax) return []
  const day = dayIn(ctx.workspace.timezone, new Date(since))
  const agents = await firstsOf(ctx, 'by_agent')
  const hosts = await firstsOf(ctx, 'by_referrer')
  return [
    ...newsOf(agents, day, {
      began: 'Counting of AI crawlers began',
      came: 'came for the first time',
      others: 'crawlers',
      filter: 'agent',
    }),
    ...newsOf(hosts, day, {
      began: 'The first visits from AI assistants were counted',
      came: 'sent its first visitors',
      others: 'assistants',
      filter: null,
    }),
  ]
}

interface Words {
  readonly began: string
  readonly came: string
  readonly others: string
  /** Name of the filter of the page of AI traffic. */
  readonly filter: 'agent' | null
}

function newsOf(all: readonly First[], since: string, { began, came, others, filter }: Words): HomeNews[] {
  const earliest = all.map(({ day }) => day).toSorted()[0]
  if (earliest === undefined) return []
  // Before the first counted day nothing was counted, so nothing on that day is new.
  if (earliest >= since) return [{ text: `${began} on ${formatDay(earliest)}`, href: '/app/traffic' }]
  const fresh = all
    .filter(({ day }) => day >= since)
    .toSorted((a, b) => b.day.localeCompare(a.day) || a.name.localeCompare(b.name))
  const [first] = fresh
  if (first === undefined) return []
  if (fresh.length === 1) {
    const href = filter === null ? '/app/traffic' : `/app/traffic?${filter}=${encodeURIComponent(first.name)}`
    return [{ text: `${first.name} ${came}, on ${formatDay(first.day)}`, href }]
  }
  const named = fresh.slice(0, namedMax).map(({ name }) => name)
  const more = fresh.length - named.length
  const list = more === 0 ? named.join(' and ') : `${named.join(', ')} and ${formatNumber(more)} more`
  return [
    { text: `${fresh.length} ${others} ${came.replace('its', 'their')}: ${list}`, href: '/app/traffic' },
  ]
}
