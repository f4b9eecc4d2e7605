import { dayMs, hourMs, type ServiceFault, trimTrailing } from 'renown'
import {
  askSource,
  channelOf,
  cursorIn,
  type MentionSource,
  plainText,
  postOf,
  publicPolicy,
  readRows,
  textForm,
} from 'renown/leads'
import * as v from 'valibot'
import { braveSettings } from './settings'

const what = 'The answer of Brave'
const pageMax = 20
/** Brave returns at most ten pages. */
const pagesMax = 10
const dayForm = v.pipe(v.string(), v.isoDate())
const position = v.object({ from: dayForm, page: v.pipe(v.number(), v.integer(), v.minValue(0)) })
const answer = v.object({
  type: v.literal('search'),
  query: v.object({ more_results_available: v.boolean() }),
  web: v.nullish(v.object({ results: v.array(v.unknown()) })),
})
/** A time without a zone is in UTC. */
const age = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(/Z$|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`)),
  v.finite(),
  v.transform((ms) => new Date(ms).toISOString()),
)
const result = v.object({
  title: v.string(),
  url: v.pipe(v.string(), v.url()),
  description: textForm,
  page_age: v.nullish(age),
  language: v.nullish(v.string()),
})

/** Pages of the web that Brave first saw since the last reading. */
export const brave: MentionSource = {
  name: 'brave',
  label: 'Brave Search',
  reach: 'search',
  everyMs: 12 * hourMs,
  channels: ['web', 'reddit', 'youtube', 'x', 'facebook', 'instagram', 'tiktok', 'bluesky', 'hackernews'],
  policy: {
    ...publicPolicy,
    retention_days: 90,
    may_store_author: false,
    may_link_identity: false,
    attribution: 'Found with Brave Search',
    terms_url: 'https://api-dashboard.search.brave.com/terms-of-service',
  },
  perHour: (ctx) => Math.max(1, braveSettings.of(ctx).BRAVE_SEARCHES_PER_DAY) / 24,
  needs: (ctx) => (braveSettings.of(ctx).BRAVE_API_KEY === '' ? ['BRAVE_API_KEY'] : []),
  async read(ctx, { target, cursor, since, signal }) {
    const { BRAVE_URL, BRAVE_API_KEY: key, BRAVE_SEARCHES_PER_DAY: perDay } = braveSettings.of(ctx)
    const { from, page } = cursorIn(position, cursor) ?? { from: since.slice(0, 10), page: 0 }
    const today = ctx.now().toISOString().slice(0, 10)
    // Brave finds a page hours after it was published. So each reading repeats a day.
    const dayBefore = new Date(ctx.now().getTime() - dayMs).toISOString().slice(0, 10)
    await ctx.outbound.spend({ provider: 'brave', account: 'installation', perDay })
    const service = {
      label: 'Brave Search',
      headers: { 'x-subscription-token': key },
      secrets: [key],
      keyNames: ['BRAVE_API_KEY'],
      kindOf: (code: string) => kinds[code],
    }
    const { web, query } = await askSource(ctx, service, {
      url: `${trimTrailing(BRAVE_URL, '/')}/web/search`,
      answer,
      signal,
      query: {
        q: `"${target.replaceAll('"', ' ')}"`,
        count: pageMax,
        offset: page,
        text_decorations: 'false',
        freshness: `${from}to${today}`,
      },
    })
    const results = web?.results ?? []
    const { rows, unread } = readRows(what, results, result, 'url')
    const isMore = query.more_results_available && results.length > 0 && page + 1 < pagesMax
    const posts = rows.map(({ title, url, description, page_age, language }) =>
      postOf({
        source_id: url,
        channel: channelOf(url, 'web'),
        url,
        language,
        title: plainText(title, 300),
        body: plainText(description),
        posted_at: page_age,
      }),
    )
    const next = isMore ? { from, page: page + 1 } : { from: dayBefore, page: 0 }
    return { posts, unread, cursor: JSON.stringify(next), isMore }
  },
}

const kinds: Readonly<Record<string, ServiceFault['kind']>> = {
  SUBSCRIPTION_TOKEN_INVALID: 'auth',
  RATE_LIMITED: 'rate',
  QUOTA_LIMITED: 'quota',
}
