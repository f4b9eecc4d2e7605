import { type ReadContext, where } from 'renown'
import { NewAgent } from '../records/NewAgent'
import type { ShownNewAgent } from './new-agent-words'

const rowsMax = 5_000

/** Returns the unknown agents of sites, the most frequent first. */
export async function readNewAgents(
  ctx: Pick<ReadContext, 'rows'>,
  siteIds: readonly string[],
): Promise<ShownNewAgent[]> {
  if (siteIds.length === 0) return []
  const rows = await ctx.rows(NewAgent).list({
    where: where.in('site_id', siteIds),
    sort: [{ field: 'hits_at_least', direction: 'desc' }],
    limit: rowsMax,
  })
  const byName = new Map<string, ShownNewAgent>()
  for (const { site_id, token, host = null, hits_at_least, hits_at_most, first_day, last_day } of rows) {
    const key = `${site_id} ${token}`
    const sum = byName.get(key)
    byName.set(key, {
      site_id,
      token,
      host: sum?.host ?? host,
      hits_at_least: (sum?.hits_at_least ?? 0) + hits_at_least,
      hits_at_most: (sum?.hits_at_most ?? 0) + hits_at_most,
      first_day: sum && sum.first_day < first_day ? sum.first_day : first_day,
      last_day: sum && sum.last_day > last_day ? sum.last_day : last_day,
    })
  }
  return [...byName.values()].toSorted(
    (a, b) => b.hits_at_least - a.hits_at_least || (a.token < b.token ? -1 : 1),
  )
}
