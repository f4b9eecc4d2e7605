import { type InboxEntry, type InboxSource, shiftDay, todayOf, where } from 'renown'
import { formatDay, formatNumber } from 'renown/web'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { AiTrafficSite } from '../records/AiTrafficSite'

/** Days that a jump stays in the inbox, and days before it for comparison. */
const shownDays = 3
const comparedDays = 7
/** Fewer hits are never a jump. */
const jumpMin = 50
const jumpTimes = 3
const rowsMax = 5_000

export interface SpoofedDay {
  readonly site_id: string
  readonly date: string
  readonly spoofed_hits: number
}

export interface SpoofedJump extends SpoofedDay {
  /** Hits on an average day of the week before. */
  readonly usual: number
}

/**
 * Returns the latest jump of each site since a day: at least 50 hits, and more than three times the daily average of
 * the week before.
 */
export function jumpsOf(days: readonly SpoofedDay[], since: string): SpoofedJump[] {
  const bySite = Map.groupBy(days, ({ site_id }) => site_id)
  return [...bySite.values()].flatMap((own) => {
    const hits = new Map(own.map(({ date, spoofed_hits }) => [date, spoofed_hits]))
    const usualBefore = (date: string) => {
      const before = Array.from({ length: comparedDays }, (_, i) => hits.get(shiftDay(date, -1 - i)) ?? 0)
      return before.reduce((sum, each) => sum + each, 0) / comparedDays
    }
    const jumps = own
      .filter(({ date, spoofed_hits }) => date >= since && spoofed_hits >= jumpMin)
      .map((day) => ({ ...day, usual: usualBefore(day.date) }))
      .filter(({ spoofed_hits, usual }) => spoofed_hits > jumpTimes * usual)
    return jumps.toSorted((a, b) => (a.date < b.date ? 1 : -1)).slice(0, 1)
  })
}

/** The inbox source for jumps of spoofed hits. */
export const spoofedSource: InboxSource = {
  ...{ name: 'spoofed', title: 'Spoofed crawlers', order: 35, icon: 'bot', isCounted: false },
  async list(ctx, limit) {
    const since = shiftDay(todayOf(ctx), 1 - shownDays)
    const days = await ctx.rows(AiTrafficDaily).list({
      where: where.and(where.gte('date', shiftDay(since, -comparedDays)), where.gt('spoofed_hits', 0)),
      ...{ sort: [{ field: 'date', direction: 'desc' }], limit: rowsMax },
      fields: ['site_id', 'date', 'spoofed_hits'],
    })
    const jumps = jumpsOf(days, since)
    if (jumps.length === 0) return []
    const ids = jumps.map(({ site_id }) => site_id)
    const known = { where: where.in('id', ids), limit: ids.length, fields: ['domain'] } as const
    const sites = new Map((await ctx.rows(AiTrafficSite).list(known)).map(({ id, domain }) => [id, domain]))
    return jumps
      .toSorted((a, b) => (a.date < b.date ? 1 : -1))
      .slice(0, limit)
      .map((jump) => entryOf(jump, sites.get(jump.site_id) ?? jump.site_id))
  },
}

const entryOf = ({ site_id, date, spoofed_hits, usual }: SpoofedJump, domain: string): InboxEntry => ({
  ...{ id: site_id, state: date, at: `${date}T00:00:00.000Z`, word: 'Spoofed', tone: 'warn', about: domain },
  title: `${formatNumber(spoofed_hits)} hits pretended to be AI crawlers`,
  text: `On ${formatDay(date)}, their addresses were outside the ranges of the operators they named. An average day of the week before had ${formatNumber(Math.round(usual))}. Block these addresses if they strain your server.`,
  link: { href: `/app/traffic?site=${site_id}`, label: 'Open AI traffic' },
})
