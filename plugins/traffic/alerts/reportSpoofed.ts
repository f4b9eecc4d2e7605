import { dayIn, type JobDeclaration, where } from 'renown'
import { englishText, shownDomain } from 'renown/pages'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { crawlerSpoofed } from '../records/events'
import { readSpoofed } from '../sums/readSpoofed'
import { spoofedWords } from './spoofed-words'

/** Notifies people when far more hits than usual claim to be AI crawlers. Once per episode of a site. */
export const reportSpoofed: JobDeclaration = {
  summary: 'Notifies people when spoofed crawler hits of a site jump',
  everyMs: 5 * 60_000,
  async run(ctx, signal) {
    const episodes = await readSpoofed(ctx.rows(AiTrafficDaily), dayIn('UTC', ctx.now()))
    for (const episode of episodes) {
      if (signal.aborted) return
      const [site] = await ctx.rows(AiTrafficSite).list({ where: where.eq('id', episode.site_id), limit: 1 })
      if (!site) continue
      const { title, text } = spoofedWords(episode)
      await ctx.notify({
        workspace_id: site.workspace_id,
        location_id: site.location_id,
        type: 'spoofed_jump',
        severity: 'warning',
        entity: 'AiTrafficSite',
        entity_id: site.id,
        title: `${shownDomain(site.domain)}: ${englishText(title)}`,
        body: text.map((sentence) => englishText(sentence)).join(' '),
        once: `spoofed_jump ${site.id} ${episode.began}`,
      })
      await ctx.publish(crawlerSpoofed, {
        workspace_id: site.workspace_id,
        location_id: site.location_id,
        entity: 'AiTrafficSite',
        entity_id: site.id,
        key: `${site.id} ${episode.began}`,
        data: { site_id: site.id, began: episode.began, spoofed_hits: episode.spoofed_hits },
      })
    }
  },
}
