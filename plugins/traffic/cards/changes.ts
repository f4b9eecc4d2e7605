import { shiftDay, todayOf, where } from 'renown'
import { type InboxEntry, type InboxSource, shownDomain } from 'renown/pages'
import { changeWords } from '../alerts/change-words'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { type ChangeEpisode, TrafficChange } from '../records/TrafficChange'
import { trafficWords } from '../words'

/** Days for which an episode is shown after its last day. */
const shownDays = 14
const jumpDays = 3

/** The inbox source for crawlers that stopped or jumped. Its entry does not change during an episode. */
export const changesSource: InboxSource = {
  name: 'crawler-changes',
  title: trafficWords('kindChanges'),
  order: 36,
  icon: 'bot',
  async list(ctx, limit) {
    const today = todayOf(ctx)
    const rows = await ctx.rows(TrafficChange).list({
      where: where.gte('last_day', shiftDay(today, -shownDays)),
      sort: [{ field: 'last_day', direction: 'desc' }],
      limit: limit * 3,
    })
    const shown = rows.filter(
      ({ kind, last_day, ended_on }) =>
        !ended_on && (kind !== 'jumped' || last_day >= shiftDay(today, -jumpDays)),
    )
    if (shown.length === 0) return []
    const ids = [...new Set(shown.map(({ site_id }) => site_id))]
    const known = { where: where.in('id', ids), limit: ids.length, fields: ['domain'] } as const
    const sites = new Map((await ctx.rows(AiTrafficSite).list(known)).map(({ id, domain }) => [id, domain]))
    return shown
      .slice(0, limit)
      .map((change) => entryOf(change, shownDomain(sites.get(change.site_id) ?? change.site_id)))
  },
}

function entryOf(change: ChangeEpisode, about: string): InboxEntry {
  const { id, kind, agent, began, last_day, site_id } = change
  return {
    id,
    state: began,
    at: `${last_day}T00:00:00.000Z`,
    word: trafficWords(kind),
    about,
    tone: kind === 'jumped' ? 'plain' : 'warn',
    ...changeWords(change),
    link:
      kind === 'silent'
        ? { href: '/app/install', label: trafficWords('checkLog') }
        : {
            href: `/app/traffic/crawler?agent=${encodeURIComponent(agent).replace(/[^\w=&%.~-]/g, '')}&site=${site_id}`,
            label: trafficWords('openAgent', { agent: agent.slice(0, 55) }),
          },
  }
}
