import type { EngineStandIn, StandInAnswer, StandInError } from './engine'

const empty: StandInAnswer = { text: '', cited: [], found: [], queries: [] }
const top = (status_code: number, status_message: string) => ({
  status_code,
  status_message,
  cost: 0,
  tasks: null,
})
const inTask = (status_code: number, status_message: string) => ({
  status_code: 20_000,
  status_message: 'Ok.',
  cost: 0,
  tasks: [{ id: '1', status_code, status_message, cost: 0, result: null }],
})

const errors: Readonly<Record<string, StandInError>> = {
  'a login that is wrong': {
    status: 401,
    kind: 'refused',
    code: '40100',
    body: top(40_100, 'You are not Authorized to access this resource.'),
  },
  'no money left': { status: 200, kind: 'limited', body: inTask(40_210, 'Insufficient funds.') },
  'a limit': { status: 200, kind: 'limited', body: top(40_202, 'Your requests exceeded the limit.') },
  'a search engine that fails': { status: 200, kind: 'unavailable', body: inTask(40_101, 'SE error.') },
  'a field that is wrong': { status: 200, kind: 'refused', body: inTask(40_501, 'Invalid Field: keyword.') },
  'an error of the server': { status: 200, kind: 'unavailable', body: top(50_000, 'Internal Error.') },
  'nothing found': { status: 200, kind: 'no_answer', body: inTask(40_102, 'No Search Results.') },
  'a result that is missing': { status: 200, kind: 'unreadable', body: inTask(20_000, 'Ok.') },
}

const paths: Readonly<Record<string, 'google' | 'assistant'>> = {
  '/v3/serp/google/organic/live/advanced': 'google',
  '/v3/serp/google/ai_mode/live/advanced': 'google',
  '/v3/ai_optimization/chat_gpt/llm_scraper/live/advanced': 'assistant',
  '/v3/ai_optimization/gemini/llm_scraper/live/advanced': 'assistant',
}

/** DataForSEO's pages that are read at once. */
export function createDataforseoAnswers({
  login,
  password,
  finds,
}: {
  readonly login: string
  readonly password: string
  /** Whether the assistant says what it searched for and found, as ChatGPT does. */
  readonly finds: boolean
}): EngineStandIn & { readonly places: unknown[] } {
  const held = { answer: empty }
  const standIn: EngineStandIn & { readonly places: unknown[] } = {
    endings: [],
    errors,
    complaints: [],
    places: [],
    set(answer) {
      held.answer = answer
    },
    async fetch(request) {
      if (request.headers.get('authorization') !== `Basic ${btoa(`${login}:${password}`)}`)
        return Response.json(top(40_100, 'You are not Authorized.'), { status: 401 })
      const kind = paths[new URL(request.url).pathname]
      if (kind === undefined) return Response.json(top(40_400, 'Not Found.'), { status: 404 })
      const [asked] = (await request.json()) as { location_code?: number; language_code?: string }[]
      standIn.places.push([asked?.location_code, asked?.language_code])
      if (asked?.location_code === undefined) standIn.complaints.push('location_code is left out')
      const result = kind === 'google' ? googlePage(held.answer) : assistantPage(held.answer, finds)
      return Response.json({
        version: '0.1',
        status_code: 20_000,
        status_message: 'Ok.',
        cost: 0.004,
        tasks_count: 1,
        tasks_error: 0,
        tasks: [{ id: '1', status_code: 20_000, status_message: 'Ok.', cost: 0.004, result: [result] }],
      })
    },
  }
  return standIn
}

function googlePage({ text, cited, ended }: StandInAnswer) {
  const references = cited.map(({ url, title }) => ({
    type: 'ai_overview_reference',
    source: title,
    domain: new URL(url).hostname,
    url,
    title,
    text: '…',
  }))
  const overview = { type: 'ai_overview', rank_absolute: 1, markdown: text, items: [], references }
  const organic = { type: 'organic', rank_absolute: 2, url: 'https://organic.example/', title: 'A result' }
  const items = ended === 'none' ? [organic] : [overview, organic]
  return { keyword: 'k', se_domain: 'google.ch', items_count: items.length, items }
}

const withDomain = ({ url, title }: { readonly url: string; readonly title: string }) => ({
  url,
  title,
  domain: new URL(url).hostname,
  snippet: '…',
})

function assistantPage({ text, cited, found, queries, model = 'gpt-6' }: StandInAnswer, finds: boolean) {
  const more = { search_results: found.map(withDomain), fan_out_queries: queries, brand_entities: null }
  const sources = cited.length === 0 ? null : cited.map(withDomain)
  return { keyword: 'k', model, markdown: text, sources, ...(finds ? more : {}), items_count: 0, items: [] }
}
