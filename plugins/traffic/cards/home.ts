import { defineAction, type HomeCard } from 'renown'
import { formatChange, formatDay, formatNumber } from 'renown/web'
import * as v from 'valibot'
import { loadTraffic } from '../pages/loadTraffic'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { isTrial } from '../sites/site-address'

const sitesMax = 200

/** How much AI read: 0 when a site was heard of, and words when none was. */
const traffic: HomeCard = {
  name: 'traffic',
  title: 'Pages read by AI',
  href: '/app/traffic',
  link: 'AI traffic',
  order: 20,
  async load(ctx) {
    const { state, figures, site, period, unfinished } = await loadTraffic(ctx, new URLSearchParams())
    if (state === 'no_site') return null
    if (state === 'waiting') return { text: 'No site has reported yet.', state: 'info' }
    const { crawled, visits } = figures
    const where = site ? ` on ${site.name}` : ''
    const against =
      unfinished > 0 ? 'whole days compared with as many before' : 'compared with as many days before'
    const change =
      crawled.before === null ? '' : `: ${formatChange(crawled.whole, crawled.before).text}, ${against}`
    return {
      figure: formatNumber(crawled.now),
      text: `Since ${formatDay(period.date_from)}${where}${change}. At least ${formatNumber(visits?.now ?? 0)} visits from assistants.`,
      state: 'info',
    }
  },
}

/** Whether a website was heard of. */
const install: HomeCard = {
  name: 'install',
  title: 'Put the tag on your website',
  href: '/app/install',
  order: 30,
  async load(ctx) {
    const sites = await ctx.rows(AiTrafficSite).list({ limit: sitesMax })
    const own = sites.filter(({ domain, is_active }) => is_active && !isTrial(domain))
    const heard = own.filter(({ last_beacon_at, last_log_at }) => last_beacon_at || last_log_at)
    return {
      text:
        own.length === 0
          ? 'Or send its access logs. There is no website yet.'
          : `Or send its access logs. ${heard.length} of ${own.length} ${own.length === 1 ? 'website' : 'websites'} reported.`,
      state: own.length > 0 && heard.length > 0 ? 'done' : 'todo',
    }
  },
}

const failingStates = new Set(['stale', 'never_fetched'])

/** What is wrong with the address lists. Null when all are fresh, or when another process keeps them. */
const addressLists: HomeCard = {
  name: 'address-lists',
  title: 'Load the address lists',
  href: '/app/lists',
  order: 0,
  async load({ counter }) {
    if (!counter) return null
    const todo = (text: string) => ({ text, state: 'todo', buttons }) as const
    try {
      const lists = await counter.ranges()
      const failing = lists.filter(({ status }) => failingStates.has(status))
      if (failing.length === 0) return null
      return todo(
        `${failing.length} of ${lists.length} lists of crawler addresses are not loaded or out of date. Their crawlers count as unchecked.`,
      )
    } catch (error) {
      return todo(`Their state cannot be read: ${error instanceof Error ? error.message : String(error)}`)
    }
  },
  actions: {
    'load-lists': defineAction({
      input: v.strictObject({}),
      auth: 'session',
      only: 'owner',
      done: 'Renown asked for every list.',
      async run({ counter }) {
        await counter?.refreshRanges()
      },
    }),
  },
}

const buttons = [{ action: 'load-lists', label: 'Load the lists now' }] as const

/** What the home page says of AI traffic. */
export const homeCards = [addressLists, traffic, install]
