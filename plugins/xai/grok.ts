import { responsesEngine } from 'renown/visibility'
import { xaiSettings } from './settings'

/**
 * Grok through xAI's API, with its web search. It accepts no location. A limit of searches can only be stated
 * in the instructions.
 */
export const grok = responsesEngine({
  name: 'xai',
  engine: 'grok',
  label: 'Grok',
  place: 'none',
  keyName: 'XAI_API_KEY',
  modelSetting: 'XAI_MODEL',
  service: { label: 'xAI' },
  settings(ctx) {
    const { XAI_URL: url, XAI_API_KEY: key, XAI_MODEL: model, XAI_PRICES: price } = xaiSettings.of(ctx)
    return { url, key, model, price }
  },
  request: ({ searchesMax }) => ({
    instructions: `Search the web at most ${searchesMax} times.`,
    tools: [{ type: 'web_search' }],
    include: ['web_search_call.action.sources'],
  }),
  prices: {
    'grok-4.3': { input: 1.25, output: 2.5, search: 5 },
    'grok-4.7': { input: 2, output: 6, search: 5 },
  },
  priceSetting: 'XAI_PRICES',
  reports: 'ticks',
  searchesLimit: 10,
  listsModels: true,
})
