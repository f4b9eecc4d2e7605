import { todayOf, where } from 'renown'
import { type InboxEntry, type InboxSource, shownDomain } from 'renown/pages'
import { spoofedWords } from '../alerts/spoofed-words'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { type ReportedEpisode, readSpoofed } from '../sums/readSpoofed'
import { trafficWords } from '../words'

/** The inbox source for jumps of spoofed hits. Its entry does not change during an episode. */
export const spoofedSource: InboxSource = {
  name: 'spoofed',
  title: trafficWords('kindSpoofed'),
  order: 35,
  icon: 'bot',
  isCounted: false,
  async list(ctx, limit) {
    const episodes = await readSpoofed(ctx.rows(AiTrafficDaily), todayOf(ctx))
    if (episodes.length === 0) return []
    const ids = episodes.map(({ site_id }) => site_id)
    const known = { where: where.in('id', ids), limit: ids.length, fields: ['domain'] } as const
    const sites = new Map((await ctx.rows(AiTrafficSite).list(known)).map(({ id, domain }) => [id, domain]))
    return episodes
      .slice(0, limit)
      .map((episode) => entryOf(episode, shownDomain(sites.get(episode.site_id) ?? episode.site_id)))
  },
}

const entryOf = (episode: ReportedEpisode, about: string): InboxEntry => ({
  id: episode.site_id,
  state: episode.began,
  at: `${episode.date}T00:00:00.000Z`,
  word: trafficWords('spoofed'),
  tone: 'warn',
  about,
  ...spoofedWords(episode),
  link: {
    href: `/app/traffic?site=${episode.site_id}&from=${episode.began}&to=${episode.date}`,
    label: trafficWords('openTraffic'),
  },
})
