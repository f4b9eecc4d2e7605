import { type OwnerContext, ServiceFault } from 'renown'
import type { VisibilityEngine } from 'renown/visibility'
import type * as v from 'valibot'
import { type AnswerPage, assistantPage, googlePage } from './answer-pages'
import { fetchLive } from './ask'
import { countryNumber } from './country-numbers'
import { languageCode } from './language-code'
import { dataforseoSettings } from './settings'

/** Pages of results are large. */
const bytesMax = 8 * 2 ** 20

interface Profile {
  readonly engine: string
  readonly label: string
  readonly path: string
  readonly page: v.GenericSchema<unknown, AnswerPage>
  readonly promptMax: number
  readonly extra: Readonly<Record<string, unknown>>
  /** The highest price of a page in US dollars, with the surcharge for an AI Overview that is loaded later. */
  readonly usdMax: number
}

const profiles: readonly Profile[] = [
  {
    engine: 'google_ai_overview',
    label: 'Google AI Overviews',
    page: googlePage,
    promptMax: 700,
    path: 'serp/google/organic/live/advanced',
    extra: { load_async_ai_overview: true },
    usdMax: 0.02,
  },
  {
    engine: 'google_ai_mode',
    label: 'Google AI Mode',
    page: googlePage,
    promptMax: 700,
    path: 'serp/google/ai_mode/live/advanced',
    extra: { device: 'desktop' },
    usdMax: 0.02,
  },
  {
    engine: 'chatgpt',
    label: 'ChatGPT',
    page: assistantPage,
    promptMax: 2_000,
    path: 'ai_optimization/chat_gpt/llm_scraper/live/advanced',
    extra: { force_web_search: true },
    usdMax: 0.02,
  },
  {
    engine: 'gemini',
    label: 'Gemini',
    page: assistantPage,
    promptMax: 2_000,
    path: 'ai_optimization/gemini/llm_scraper/live/advanced',
    extra: {},
    usdMax: 0.02,
  },
]

/** Google's AI answers, and ChatGPT and Gemini as consumers see them, each from a country. */
export const dataforseoEngines: readonly VisibilityEngine[] = profiles.map((profile) => ({
  name: `dataforseo-${profile.engine.replaceAll('_', '-')}`,
  engine: profile.engine,
  label: profile.label,
  provider: 'dataforseo',
  access: 'scraped',
  place: 'country',
  takesCountry: (country) => countryNumber(country) !== undefined,
  needs,
  model: () => '',
  costLimit: () => ({ usd: profile.usdMax }),
  async ask(ctx, { prompt, country, language, timeoutMs, signal }) {
    const { engine, promptMax, path, page, extra } = profile
    const location = countryNumber(country ?? '')
    if (location === undefined) throw refused('country', `${profile.label} is asked from a country.`)
    if (prompt.length > promptMax) throw refused('prompt', `A prompt has at most ${promptMax} characters.`)
    await ctx.outbound.spend({
      provider: 'dataforseo-answers',
      account: 'installation',
      perDay: dataforseoSettings.of(ctx).DATAFORSEO_ANSWERS_PER_DAY,
    })
    const place = { location_code: 2_000 + location, language_code: languageCode(language) }
    const json = [{ keyword: prompt, ...place, ...extra, tag: engine }]
    const call = { json, bytesMax, ...(timeoutMs ? { timeoutMs } : {}), ...(signal ? { signal } : {}) }
    const { result, cost, odd: oddAnswer, raw } = await fetchLive(ctx, path, page, call)
    const { text = '', cited = [], consulted = [], queries = [], isShown = false, model } = result ?? {}
    const odd = [...oddAnswer, ...(result?.odd ?? [])]
    return {
      ended: isShown ? 'complete' : 'none',
      text,
      cited,
      consulted,
      queries,
      searchCalls: 1,
      raw,
      modelAsked: '',
      modelAnswered: model ?? null,
      placePinned: 'country',
      cost: { usd: cost, basis: cost === null ? 'unknown' : 'reported' },
      odd,
    }
  },
}))

const refused = (code: string, message: string) =>
  new ServiceFault('permanent', message, { code, delivery: 'unsent' })

function needs(ctx: Pick<OwnerContext, 'settings'>): readonly string[] {
  const { DATAFORSEO_LOGIN, DATAFORSEO_PASSWORD } = dataforseoSettings.of(ctx)
  const both = { DATAFORSEO_LOGIN, DATAFORSEO_PASSWORD }
  return Object.entries(both).flatMap(([name, value]) => (value === '' ? [name] : []))
}
