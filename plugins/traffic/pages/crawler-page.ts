import { definePage, redirectTo } from 'renown/pages'
import { chartStyle } from 'renown/web'
import type { CrawlerData } from './crawler-data'
import { loadCrawler } from './load-crawler'

/** One crawler with its history. Reached from the page of AI traffic and from the inbox. */
export const crawlerPage = definePage<CrawlerData>({
  path: '/app/traffic/crawler',
  title: 'Crawler',
  module: new URL('./crawler.tsx', import.meta.url),
  isStatic: true,
  titleOf: ({ agent }) => agent,
  async load(ctx, query) {
    return (await loadCrawler(ctx, query)) ?? redirectTo('/app/traffic')
  },
  async download(ctx, query) {
    const data = await loadCrawler(ctx, query)
    return {
      columns: [
        { name: 'day', type: 'day' },
        ...['hits', 'verified', 'spoofed'].map((name) => ({ name, type: 'count' as const })),
      ],
      rows: (data?.days ?? []).map(({ date, hits, verified, spoofed }) => [date, hits, verified, spoofed]),
    }
  },
  style: chartStyle,
})
