import { responsesEngine } from 'renown/visibility'
import { perplexitySettings } from './settings'

/** Perplexity through its API. It reports what each answer cost. */
export const perplexity = responsesEngine({
  name: 'perplexity',
  engine: 'perplexity',
  label: 'Perplexity',
  place: 'country',
  modelSetting: 'PERPLEXITY_MODEL',
  keyName: 'PERPLEXITY_API_KEY',
  service: { label: 'Perplexity', keyHint: 'Perplexity says the same when the balance is empty.' },
  settings(ctx) {
    const { PERPLEXITY_URL: url, PERPLEXITY_API_KEY: key, ...rest } = perplexitySettings.of(ctx)
    return { url, key, model: rest.PERPLEXITY_MODEL, price: rest.PERPLEXITY_PRICES }
  },
  request: ({ country, language, searchesMax }) => ({
    tools: [
      {
        type: 'web_search',
        search_context_size: 'low',
        ...(country === null ? {} : { user_location: { country } }),
      },
    ],
    language_preference: language.split('-', 1)[0],
    max_steps: searchesMax,
  }),
  prices: { 'perplexity/sonar': { input: 0.25, output: 2.5, search: 5 } },
  priceSetting: 'PERPLEXITY_PRICES',
  reports: 'cost',
  listsModels: false,
})
