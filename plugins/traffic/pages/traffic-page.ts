import { refuseIgnored } from 'renown'
import { definePage } from 'renown/pages'
import { chartStyle } from 'renown/web'
import { trafficWords } from '../words'
import { loadTraffic } from './loadTraffic'
import { listRows, tableOf } from './traffic-csv'
import type { TrafficData } from './traffic-data'
import { trafficStyle } from './traffic-style'

/** The page of AI traffic. */
export const trafficPage = definePage<TrafficData>({
  path: '/app/traffic',
  title: 'AI traffic',
  nav: { label: trafficWords('navTraffic'), order: 60, icon: 'bot', onPhones: true },
  module: new URL('./TrafficPage.tsx', import.meta.url),
  load: loadTraffic,
  async download(ctx, query) {
    const whole = new URLSearchParams(query)
    if (whole.has('list')) whole.set('rows', 'all')
    const data = await loadTraffic(ctx, whole)
    const { list } = data.asked
    return tableOf(list === null ? dayRows(data) : listRows(refuseIgnored(data), list))
  },
  events: {
    // Sends an event when a day was sealed, so that the page fetches its data again.
    traffic: async function* (ctx, query, signal) {
      let last = ''
      while (!signal.aborted) {
        const { figures, last_log_at, last_beacon_at } = await loadTraffic(ctx, query)
        const now = JSON.stringify([figures, last_log_at, last_beacon_at])
        if (last !== '' && now !== last) yield { changed: true }
        last = now
        await pause(5_000, signal)
      }
    },
  },
  style: `${chartStyle}${trafficStyle}`,
})

/** Returns the rows of the chart, one per day. */
const dayRows = (data: TrafficData) => [
  ['day', 'ai_answers', 'search_index', 'training', 'other_ai', 'in_all', 'period_before', 'is_over'],
  ...refuseIgnored(data).days.map((day, place) => {
    const { ai_answers, search_index, training, other_ai } = data.by_category
    const counts = [ai_answers, search_index, training, other_ai].map((values) => values[place] ?? 0)
    const all = counts.reduce((sum, count) => sum + count, 0)
    return [day, ...counts, all, data.before?.[place] ?? null, place < data.days.length - data.unfinished]
  }),
]

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
