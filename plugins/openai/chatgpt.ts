import { responsesEngine } from 'renown/visibility'
import { openaiSettings } from './settings'

/**
 * ChatGPT through OpenAI's API, with its web search. Without a location, OpenAI would answer as for the
 * United States.
 */
export const chatgpt = responsesEngine({
  name: 'openai',
  engine: 'chatgpt',
  label: 'ChatGPT',
  place: 'country',
  keyName: 'OPENAI_API_KEY',
  modelSetting: 'OPENAI_MODEL',
  service: { label: 'OpenAI' },
  settings(ctx) {
    const { OPENAI_URL: url, OPENAI_API_KEY: key, OPENAI_MODEL: model } = openaiSettings.of(ctx)
    return { url, key, model, price: openaiSettings.of(ctx).OPENAI_PRICES }
  },
  request({ country, searchesMax }) {
    const user_location = { type: 'approximate', ...(country === null ? {} : { country }) }
    return {
      tools: [{ type: 'web_search', search_context_size: 'low', user_location }],
      include: ['web_search_call.action.sources'],
      max_tool_calls: searchesMax,
    }
  },
  prices: {
    'gpt-6-luna': { input: 0.1, output: 0.5, search: 10 },
    'gpt-6.1-terra': { input: 1, output: 5, search: 10 },
    'gpt-6-astra': { input: 10, output: 50, search: 10 },
  },
  priceSetting: 'OPENAI_PRICES',
  listsModels: true,
})
