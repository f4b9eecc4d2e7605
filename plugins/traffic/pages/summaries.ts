import type { PageContext, PageSummary } from 'renown'
import { formatChange, formatDay, formatNumber } from 'renown/web'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { isTrial } from '../sites/site-address'
import { loadTraffic } from './loadTraffic'

const sitesMax = 200

/** How much AI read, on the overview: 0 where something is counted, and words where nothing was ever heard. */
export async function trafficSummary(ctx: PageContext): Promise<PageSummary | null> {
  const { state, figures, site, period, unfinished } = await loadTraffic(ctx, new URLSearchParams())
  if (state === 'no_site') return null
  const title = 'Pages read by AI'
  if (state === 'waiting') return { title, text: 'No site has reported yet.', state: 'info' }
  const { crawled, visits } = figures
  const where = site ? ` on ${site.name}` : ''
  const against =
    unfinished > 0 ? 'whole days compared with as many before' : 'compared with as many days before'
  const change =
    crawled.before === null ? '' : `: ${formatChange(crawled.whole, crawled.before).text}, ${against}`
  return {
    title,
    figure: formatNumber(crawled.now),
    text: `Since ${formatDay(period.date_from)}${where}${change}. At least ${formatNumber(visits?.now ?? 0)} visits from assistants.`,
    state: 'info',
  }
}

/** Whether a website was heard of, on the overview. */
export async function installSummary(ctx: PageContext): Promise<PageSummary> {
  const sites = await ctx.rows(AiTrafficSite).list({ limit: sitesMax })
  const own = sites.filter(({ domain, is_active }) => is_active && !isTrial(domain))
  const heard = own.filter(({ last_beacon_at, last_log_at }) => last_beacon_at || last_log_at)
  return {
    title: 'Put the tag on your website',
    text:
      own.length === 0
        ? 'Or send its access logs. There is no website yet.'
        : `Or send its access logs. ${heard.length} of ${own.length} ${own.length === 1 ? 'website' : 'websites'} reported.`,
    state: own.length > 0 && heard.length > 0 ? 'done' : 'todo',
  }
}
