import { type ReadRows, shiftDay, where } from 'renown'
import type { AiTrafficDaily } from '../records/AiTrafficDaily'
import { episodesOf, jumpMin, neededDays, type SpoofedDay, type SpoofedEpisode } from './spoofed-episodes'

/** How many days an episode is reported, starting with its last jump. */
const shownDays = 3
/** Number of sites that are read at once. */
const chunk = 40
const candidatesMax = 5_000

/** An episode, with the crawler that most hits of its last day claimed to be. */
export interface ReportedEpisode extends SpoofedEpisode {
  readonly agent: string | null
}

type Rows = Pick<ReadRows<typeof AiTrafficDaily>, 'list' | 'group'>

/**
 * Reads the current episodes of spoofed hits from daily rows. Reads the history only of sites with many such
 * hits.
 */
export async function readSpoofed(rows: Rows, today: string): Promise<ReportedEpisode[]> {
  const since = shiftDay(today, 1 - shownDays)
  const recent = await rows.list({
    where: where.and(where.gte('date', since), where.gte('spoofed_hits', jumpMin)),
    fields: ['site_id'],
    limit: candidatesMax,
  })
  const ids = [...new Set(recent.map(({ site_id }) => site_id))]
  const found: ReportedEpisode[] = []
  for (let at = 0; at < ids.length; at += chunk)
    found.push(...(await episodesIn(rows, ids.slice(at, at + chunk), since)))
  return found.toSorted((a, b) => (a.date < b.date ? 1 : -1) || (a.site_id < b.site_id ? -1 : 1))
}

async function episodesIn(rows: Rows, ids: readonly string[], since: string): Promise<ReportedEpisode[]> {
  const ofSites = where.in('site_id', ids)
  const days = await rows.list({
    where: where.and(ofSites, where.gte('date', shiftDay(since, -neededDays)), where.gt('spoofed_hits', 0)),
    fields: ['site_id', 'date', 'spoofed_hits'],
    limit: ids.length * (neededDays + 10),
  })
  const firsts = await rows.group({
    where: ofSites,
    by: ['site_id'],
    measures: [{ as: 'first', fn: 'min', field: 'date' }],
  })
  const firstDays = new Map(firsts.map(({ site_id, first }) => [String(site_id), String(first).slice(0, 10)]))
  const episodes = episodesOf(days, firstDays, since)
  return Promise.all(
    episodes.map(async (episode) => ({ ...episode, agent: await mostUsedName(rows, episode) })),
  )
}

async function mostUsedName(rows: Rows, { site_id, date }: SpoofedDay): Promise<string | null> {
  const [day] = await rows.list({
    where: where.and(where.eq('site_id', site_id), where.eq('date', date)),
    fields: ['by_agent'],
    limit: 1,
  })
  const [most] = Object.entries(day?.by_agent ?? {}).toSorted(([, a], [, b]) => b.spoofed - a.spoofed)
  return most && most[1].spoofed > 0 ? most[0] : null
}
