import { type OwnerContext, ServiceFault } from 'renown'
import { joined, type Piece, pieceByType, type VisibilityEngine } from 'renown/visibility'
import * as v from 'valibot'
import { fetchLive } from './ask'
import { countryNumber } from './country-numbers'
import { dataforseoSettings } from './settings'

/** Pages of results are large. */
const bytesMax = 8 * 2 ** 20

const line = v.nullish(v.string())
const sources = v.nullish(v.array(v.object({ url: line, title: line })), [])
const pagesOf = (told: v.InferOutput<typeof sources>) =>
  told.map(({ url, title }) => ({ url: url ?? '', title }))

/** What a page says. `isShown` is false when Google shows no answer for the prompt. */
type Page = Piece & { readonly isShown: boolean; readonly model?: string | null | undefined }

const overview = v.pipe(
  v.object({ markdown: v.string(), references: sources }),
  v.transform(
    ({ markdown, references }): Page => ({ isShown: true, text: markdown, cited: pagesOf(references) }),
  ),
)

/** A page of Google. Without an `ai_overview` in it, Google showed none. */
const googlePage = v.pipe(
  v.object({ items: v.array(pieceByType({ ai_overview: overview })) }),
  v.transform(({ items }): Page => ({ ...joined(items), isShown: items.some((item) => 'isShown' in item) })),
)

/** An assistant as a consumer sees it. */
const assistantPage = v.pipe(
  v.object({
    ...{ markdown: v.string(), model: line, sources, search_results: sources },
    fan_out_queries: v.nullish(v.array(v.string()), []),
  }),
  v.transform(({ markdown, model, sources, search_results, fan_out_queries: queries }): Page => {
    const found = { cited: pagesOf(sources), consulted: pagesOf(search_results) }
    return { isShown: true, text: markdown, model, queries, ...found }
  }),
)

interface Profile {
  readonly engine: string
  readonly label: string
  readonly path: string
  readonly page: v.GenericSchema<unknown, Page>
  readonly promptMax: number
  readonly extra: Readonly<Record<string, unknown>>
}

const profiles: readonly Profile[] = [
  {
    ...{ engine: 'google_ai_overview', label: 'Google AI Overviews', page: googlePage, promptMax: 700 },
    ...{ path: 'serp/google/organic/live/advanced', extra: { load_async_ai_overview: true } },
  },
  {
    ...{ engine: 'google_ai_mode', label: 'Google AI Mode', page: googlePage, promptMax: 700 },
    ...{ path: 'serp/google/ai_mode/live/advanced', extra: { device: 'desktop' } },
  },
  {
    ...{ engine: 'chatgpt', label: 'ChatGPT', page: assistantPage, promptMax: 2_000 },
    ...{ path: 'ai_optimization/chat_gpt/llm_scraper/live/advanced', extra: { force_web_search: true } },
  },
  {
    ...{ engine: 'gemini', label: 'Gemini', page: assistantPage, promptMax: 2_000 },
    ...{ path: 'ai_optimization/gemini/llm_scraper/live/advanced', extra: {} },
  },
]

/** Google's AI answers, and ChatGPT and Gemini as consumers see them, each from a country. */
export const dataforseoEngines: readonly VisibilityEngine[] = profiles.map((profile) => ({
  ...{
    name: `dataforseo-${profile.engine.replaceAll('_', '-')}`,
    engine: profile.engine,
    label: profile.label,
  },
  ...{ provider: 'dataforseo', access: 'scraped', place: 'country' },
  takesCountry: (country) => countryNumber(country) !== undefined,
  needs,
  model: () => '',
  async ask(ctx, { prompt, country, language, timeoutMs, signal }) {
    const { engine, promptMax, path, page, extra } = profile
    const location = countryNumber(country ?? '')
    if (location === undefined) throw refused('country', `${profile.label} is asked from a country.`)
    if (prompt.length > promptMax) throw refused('prompt', `A prompt has at most ${promptMax} characters.`)
    await ctx.outbound.spend({
      ...{ provider: 'dataforseo-answers', account: 'installation' },
      perDay: dataforseoSettings.of(ctx).DATAFORSEO_ANSWERS_PER_DAY,
    })
    const place = { location_code: 2_000 + location, language_code: languageCode(language) }
    const json = [{ keyword: prompt, ...place, ...extra, tag: engine }]
    const call = { json, bytesMax, ...(timeoutMs ? { timeoutMs } : {}), ...(signal ? { signal } : {}) }
    const { result, cost, raw } = await fetchLive(ctx, path, page, call)
    const { text = '', cited = [], consulted = [], queries = [], isShown = false, model } = result ?? {}
    return {
      ...{ ended: isShown ? 'complete' : 'none', text, cited, consulted, queries, searchCalls: 1, raw },
      ...{ modelAsked: '', modelAnswered: model ?? null, placePinned: 'country' },
      cost: { usd: cost, basis: 'reported' },
    }
  },
}))

const refused = (code: string, message: string) => new ServiceFault('permanent', message, { code })

function needs(ctx: Pick<OwnerContext, 'settings'>): readonly string[] {
  const { DATAFORSEO_LOGIN, DATAFORSEO_PASSWORD } = dataforseoSettings.of(ctx)
  const both = { DATAFORSEO_LOGIN, DATAFORSEO_PASSWORD }
  return Object.entries(both).flatMap(([name, value]) => (value === '' ? [name] : []))
}

/** DataForSEO knows Chinese by its two scripts, and other languages by their two letters. */
function languageCode(language: string): string {
  const [code = 'en'] = language.toLowerCase().split('-')
  if (code !== 'zh') return code
  return /-(?:hant|tw|hk|mo)\b/i.test(language) ? 'zh-TW' : 'zh-CN'
}
