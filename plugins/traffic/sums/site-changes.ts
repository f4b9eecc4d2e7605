import { changeOf, everyDay, type SeriesChange, type SeriesDay } from './series-changes'

/** The hits of one agent of a site on one day, without spoofed ones. */
export interface AgentDay {
  readonly date: string
  readonly agent: string
  readonly hits: number
}

/** A change of one crawler, or of the whole site if the agent is empty. */
export interface SiteChange extends Omit<SeriesChange, 'kind'> {
  readonly agent: string
  readonly kind: 'stopped' | 'jumped' | 'silent'
}

/**
 * Returns the changes of a site as of a day. Days on which no crawler came at all say nothing about one of them: the log
 * may not have been sent. If such days last, the site is silent, and no crawler has stopped.
 */
export function siteChanges(counts: readonly AgentDay[], lastDay: string): SiteChange[] {
  const [first] = counts.map(({ date }) => date).sort()
  if (first === undefined || first > lastDay) return []
  const totals = new Map<string, number>()
  const agents = new Map<string, Map<string, number>>()
  for (const { date, agent, hits } of counts) {
    totals.set(date, (totals.get(date) ?? 0) + hits)
    const own = agents.get(agent) ?? new Map<string, number>()
    own.set(date, (own.get(date) ?? 0) + hits)
    agents.set(agent, own)
  }
  const all = everyDay(totals, first, lastDay)
  const whole = changeOf(all)
  if (whole?.kind === 'stopped') return [{ ...whole, agent: '', kind: 'silent' }]
  const heard = new Set(all.filter(({ hits }) => hits > 0).map(({ date }) => date))
  if (!heard.has(lastDay)) return []
  return [...agents].flatMap(([agent, own]) => {
    const days: SeriesDay[] = everyDay(own, first, lastDay).filter(({ date }) => heard.has(date))
    const change = changeOf(days)
    return change ? [{ ...change, agent }] : []
  })
}
