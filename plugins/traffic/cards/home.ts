import { messageOf } from 'renown'
import { defineAction, type HomeCard, type HomeCardContent, type HomeChange, shownDomain } from 'renown/pages'
import { trafficCategories } from 'renown/traffic'
import { formatChange, formatCount, formatNumber, formatPeriod } from 'renown/web'
import * as v from 'valibot'
import { comparedTraffic, type Figure, figuresOf } from '../pages/comparedTraffic'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { isTrial } from '../sites/site-address'
import { trafficNews } from './news'

const sitesMax = 200

/** Shows crawler hits and AI referrals, with the same figures as the page AI traffic. */
const traffic: HomeCard = {
  name: 'traffic',
  title: 'AI traffic',
  href: '/app/traffic',
  link: 'AI traffic',
  order: 20,
  async load(ctx) {
    const read = await comparedTraffic(ctx, new URLSearchParams())
    const { state, compared, asked, chosen, period } = read
    if (state === 'no_site') return null
    if (state === 'waiting') return { text: 'No site has reported yet.', state: 'info' }
    const { crawled, visits } = figuresOf(compared, asked)
    const where = chosen ? ` on ${shownDomain(chosen.domain)}` : ''
    const span = {
      state: 'info',
      period: formatPeriod(period),
    } as const
    const { byDay, visitsByDay } = compared.now
    const perDay = [...byDay.values()].map((day) =>
      trafficCategories.reduce((sum, each) => sum + day[each], 0),
    )
    return [
      {
        ...span,
        title: 'AI crawlers',
        figure: formatNumber(crawled.now),
        text: `Pages read by AI${where}.`,
        change: changeOf(crawled),
        series: { values: perDay, label: `Pages read per day: ${courseOf(perDay)}` },
        definition: `Hits of AI crawlers and assistants, spoofed ones included. ${compares}`,
      },
      {
        ...span,
        title: 'AI visits',
        figure: `${visits && visits.now > 0 ? '≥ ' : ''}${formatNumber(visits?.now ?? 0)}`,
        text: `Visits that an AI assistant sent${where}.`,
        ...(visits ? { change: changeOf(visits, true) } : {}),
        series: {
          values: [...visitsByDay.values()],
          label: `Visits per day: ${courseOf([...visitsByDay.values()])}`,
        },
        definition: `People who came from an AI assistant, at least: apps and some browsers do not say where they come from, and only pages with the tag are seen. ${compares}`,
      },
    ] satisfies HomeCardContent[]
  },
  news: trafficNews,
}

const compares =
  'Completed days are compared with the same number of days before. There is no comparison if counting started after those.'

/** A rise in visits is good. A rise in crawler hits is neither good nor bad. */
function changeOf({ whole, before }: Figure, isGood = false): HomeChange {
  if (before === null) return { text: 'not comparable', tone: 'plain' }
  const { text, trend } = formatChange(whole, before)
  if (!isGood || trend === 'same' || trend === 'new') return { text, tone: 'plain' }
  return { text, tone: trend === 'up' ? 'good' : 'bad' }
}

function courseOf(values: readonly number[]): string {
  const first = values[0] ?? 0
  const last = values.at(-1) ?? 0
  return `${formatNumber(first)} on the first day, ${formatNumber(last)} on the last, ${formatNumber(Math.max(0, ...values))} on the busiest.`
}

/** A card that says whether a website has reported anything. */
const install: HomeCard = {
  name: 'install',
  title: 'Add the tag to your website',
  href: '/app/install',
  order: 30,
  async load(ctx) {
    const sites = await ctx.rows(AiTrafficSite).list({ limit: sitesMax })
    const own = sites.filter(({ domain, is_active }) => is_active && !isTrial(domain))
    const heard = own.filter(({ last_beacon_at, last_log_at }) => last_beacon_at || last_log_at)
    return {
      text:
        own.length === 0
          ? 'Or send its access logs. You have no website yet.'
          : `Or send its access logs. ${heard.length} of ${formatCount(own.length, 'website')} reported.`,
      state: own.length > 0 && heard.length > 0 ? 'done' : 'todo',
    }
  },
}

const failingStates = new Set(['stale', 'never_fetched'])

/**
 * Shows owners problems with the address lists. Null if all are fresh, or if another process fetches them.
 */
const addressLists: HomeCard = {
  name: 'address-lists',
  title: 'Load the address lists',
  href: '/app/lists',
  only: 'owner',
  order: 0,
  async load({ counter }) {
    if (!counter) return null
    const todo = (text: string) => ({ text, state: 'todo', buttons }) as const
    try {
      const lists = await counter.ranges()
      const doubted = lists.find(({ in_doubt }) => in_doubt !== undefined)
      if (doubted)
        return todo(
          `The addresses of ${doubted.operator} are in doubt, so its crawlers may count as unchecked.`,
        )
      const failing = lists.filter(({ status }) => failingStates.has(status))
      if (failing.length === 0) return null
      return todo(
        `${failing.length} of ${lists.length} lists of crawler addresses are not loaded or out of date. Their crawlers count as unchecked.`,
      )
    } catch (error) {
      return todo(`Their state cannot be read: ${messageOf(error)}`)
    }
  },
  actions: {
    'load-lists': defineAction({
      input: v.strictObject({}),
      auth: 'session',
      only: 'owner',
      done: 'Renown requested every list.',
      async run({ counter }) {
        await counter?.refreshRanges()
      },
    }),
  },
}

const buttons = [{ action: 'load-lists', label: 'Load the lists now' }] as const

/** The home cards of AI traffic. */
export const homeCards = [addressLists, traffic, install]
