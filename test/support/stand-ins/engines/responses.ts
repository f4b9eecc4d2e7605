import type { EngineStandIn, StandInAnswer, StandInError } from './engine'

/** How a service differs within the Responses dialect. */
export interface ResponsesStandIn {
  readonly key: string
  /** Perplexity returns searches as items of their own, and its costs. xAI counts ticks. */
  readonly dialect: 'openai' | 'xai' | 'perplexity'
  readonly models?: readonly object[]
}

const empty: StandInAnswer = { text: '', cited: [], found: [], queries: [] }
const openaiError = (message: string, type: string, code: string | null = null) => ({
  error: { message, type, code, param: null },
})

const errors: Readonly<Record<string, StandInError>> = {
  'a limit with a time': {
    status: 429,
    headers: { 'retry-after': '7' },
    kind: 'limited',
    body: openaiError('Rate limit reached', 'requests', 'rate_limit_exceeded'),
  },
  'no money left': {
    status: 429,
    headers: { 'retry-after': '7' },
    kind: 'refused',
    code: 'insufficient_quota',
    body: openaiError('You exceeded your current quota', 'insufficient_quota', 'insufficient_quota'),
  },
  'an unknown model': {
    status: 404,
    kind: 'refused',
    code: 'model_not_found',
    body: openaiError('The model does not exist', 'invalid_request_error', 'model_not_found'),
  },
  'a failure with status 200': {
    status: 200,
    kind: 'unavailable',
    code: 'server_error',
    body: {
      id: 'resp_1',
      object: 'response',
      status: 'failed',
      output: [],
      error: { code: 'server_error', message: 'The server had an error' },
    },
  },
  'a limit with status 200': {
    status: 200,
    kind: 'limited',
    code: 'rate_limit_exceeded',
    body: { status: 'failed', output: [], error: { code: 'rate_limit_exceeded', message: 'Slow down' } },
  },
  'an answer that is not ready': {
    status: 200,
    kind: 'unreadable',
    body: { id: 'resp_1', object: 'response', status: 'in_progress', output: [] },
  },
}

/** A service that speaks the Responses dialect at `/v1/responses`. */
export function createResponses({ key, dialect, models = [] }: ResponsesStandIn): EngineStandIn {
  const held = { answer: empty }
  const standIn: EngineStandIn = {
    endings: ['truncated', 'refusal'],
    errors,
    complaints: [],
    set(answer) {
      held.answer = answer
    },
    async fetch(request) {
      if (request.headers.get('authorization') !== `Bearer ${key}`) {
        return Response.json(
          openaiError('Incorrect API key provided', 'invalid_request_error', 'invalid_api_key'),
          {
            status: 401,
          },
        )
      }
      const { pathname } = new URL(request.url)
      if (pathname === '/v1/models') return Response.json({ object: 'list', data: models })
      if (pathname !== '/v1/responses') return new Response('Not found', { status: 404 })
      const asked = (await request.json()) as Asked
      standIn.complaints.push(...complaintsAbout(asked, dialect))
      return Response.json(wire(held.answer, asked, dialect))
    },
  }
  return standIn
}

interface Asked {
  readonly model: string
  readonly input?: unknown
  readonly store?: unknown
  readonly tools?: readonly { readonly type: string; readonly user_location?: object }[]
}

function complaintsAbout({ input, store, tools }: Asked, dialect: ResponsesStandIn['dialect']): string[] {
  const [tool] = tools ?? []
  return [
    ...(typeof input === 'string' && store === false ? [] : ['input and store:false are needed']),
    ...(tool?.type === 'web_search' ? [] : ['web search is not switched on']),
    // Without it the place is the United States.
    ...(dialect === 'openai' && !tool?.user_location ? ['user_location is left out'] : []),
    ...(dialect === 'xai' && tool?.user_location ? ['xAI knows no user_location'] : []),
  ]
}

function wire(answer: StandInAnswer, { model }: Asked, dialect: ResponsesStandIn['dialect']) {
  const { ended = 'complete', queries, found } = answer
  const search =
    dialect === 'perplexity'
      ? {
          type: 'search_results',
          queries,
          results: found.map((one, id) => ({ id, ...one, snippet: '…', source: 'web' })),
        }
      : {
          type: 'web_search_call',
          id: 'ws_1',
          status: 'completed',
          action: { type: 'search', queries, sources: found.map(({ url }) => ({ type: 'url', url })) },
        }
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_790_000_000,
    model: answer.model ?? model,
    status: ended === 'truncated' ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: ended === 'truncated' ? { reason: 'max_output_tokens' } : null,
    output: [
      { type: 'reasoning', id: 'rs_1', summary: [] },
      ...(queries.length > 0 ? [search] : []),
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [ended === 'refusal' ? { type: 'refusal', refusal: answer.text } : textOf(answer, dialect)],
      },
    ],
    usage: usageOf(dialect),
    ...(dialect === 'openai'
      ? { tool_usage: { image_gen: { total_tokens: 0 }, web_search: { num_requests: queries.length } } }
      : {}),
  }
}

function textOf({ text, cited }: StandInAnswer, dialect: ResponsesStandIn['dialect']) {
  const mark = dialect === 'openai' ? '?utm_source=openai' : ''
  return {
    type: 'output_text',
    text,
    annotations: cited.map(({ url, title, quote }) => ({
      type: 'url_citation',
      url: `${url}${mark}`,
      title,
      start_index: text.indexOf(quote),
      end_index: text.indexOf(quote) + quote.length,
    })),
  }
}

function usageOf(dialect: ResponsesStandIn['dialect']) {
  const tokens = { input_tokens: 8_000, output_tokens: 400, total_tokens: 8_400 }
  if (dialect === 'xai') return { ...tokens, num_server_side_tools_used: 1, cost_in_usd_ticks: 150_000_000 }
  if (dialect === 'openai') return tokens
  return {
    ...tokens,
    cost: {
      currency: 'USD',
      input_cost: 0.002,
      output_cost: 0.001,
      tool_calls_cost: 0.005,
      total_cost: 0.008,
    },
    tool_calls_details: { web_search: { invocation: 1 } },
  }
}
