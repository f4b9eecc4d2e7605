import type { SafeFetch } from '../../../../core/contracts/outbound'
import type { EngineStandIn, StandInAnswer, StandInError } from './engine'

const empty: StandInAnswer = { text: '', cited: [], found: [], queries: [] }
const error = (code: number, status: string, message: string, reason?: string) => ({
  error: {
    code,
    message,
    status,
    details: reason ? [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }] : [],
  },
})

const errors: Readonly<Record<string, StandInError>> = {
  'a limit': {
    status: 429,
    kind: 'limited',
    body: error(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded per minute'),
  },
  'a key that is wrong': {
    status: 400,
    kind: 'refused',
    body: error(
      400,
      'INVALID_ARGUMENT',
      'API key not valid. Please pass a valid API key.',
      'API_KEY_INVALID',
    ),
  },
  'an unknown model': {
    status: 404,
    kind: 'refused',
    body: error(404, 'NOT_FOUND', 'models/x is not found'),
  },
  'an overload': {
    status: 503,
    kind: 'unavailable',
    body: error(503, 'UNAVAILABLE', 'The model is overloaded'),
  },
  'an answer that is not ready': {
    status: 200,
    kind: 'unreadable',
    body: { id: 'int_1', status: 'in_progress', steps: [], candidates: [] },
  },
}

const searchErrors: Readonly<Record<string, StandInError>> = {
  'a search that failed with status 200': {
    status: 200,
    kind: 'unavailable',
    code: 'search_failed',
    body: {
      id: 'int_1',
      model: 'gemini-3.8-flash',
      status: 'completed',
      steps: [
        { type: 'google_search_call', id: 'gs_1', arguments: { queries: ['a'] } },
        { type: 'google_search_result', call_id: 'gs_1', is_error: true, result: [] },
        { type: 'model_output', content: [{ type: 'text', text: 'From memory: Acme.' }] },
      ],
    },
  },
}

const host = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/'
const redirectOf = (url: string) => `${host}${Buffer.from(url).toString('base64url')}`
const domainOf = (url: string) => new URL(url).hostname.replace('www.', '')
const bytes = (text: string) => Buffer.byteLength(text)

/** Google's redirects. Each leads to the page that it was made for. */
export const redirects: SafeFetch = async (url) => {
  const location = Buffer.from(url.slice(host.length), 'base64url').toString()
  return { status: 302, headers: new Headers({ location }), body: new Uint8Array(), url }
}

/** The Gemini API: Interactions and `generateContent`. */
export function createGemini({
  key,
  version,
}: {
  readonly key: string
  readonly version: 'v1' | 'v2'
}): EngineStandIn {
  const held = { answer: empty }
  const standIn: EngineStandIn = {
    endings: version === 'v1' ? ['truncated', 'refusal'] : ['truncated'],
    errors: version === 'v1' ? errors : { ...errors, ...searchErrors },
    complaints: [],
    set(answer) {
      held.answer = answer
    },
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (request.headers.get('x-goog-api-key') !== key)
        return Response.json(error(400, 'INVALID_ARGUMENT', 'API key not valid', 'API_KEY_INVALID'), {
          status: 400,
        })
      if (pathname === '/v1beta/models')
        return Response.json({ models: [{ name: 'models/gemini-3.8-flash' }] })
      const asked = (await request.json()) as Record<string, unknown>
      if (pathname === '/v1beta/interactions') {
        if (asked.store !== false) standIn.complaints.push('store:false is needed')
        return Response.json(interaction(held.answer, String(asked.model)))
      }
      const [, model] = /^\/v1beta\/models\/([^/]+):generateContent$/.exec(pathname) ?? []
      if (model === undefined)
        return Response.json(error(404, 'NOT_FOUND', 'no such method'), { status: 404 })
      return Response.json(generated(held.answer, model))
    },
  }
  return standIn
}

function interaction({ text, cited, queries, ended = 'complete', model }: StandInAnswer, asked: string) {
  const annotations = cited.map(({ url, quote }) => ({
    type: 'url_citation',
    url: redirectOf(url),
    title: domainOf(url),
    start_index: bytes(text.slice(0, text.indexOf(quote))),
    end_index: bytes(text.slice(0, text.indexOf(quote) + quote.length)),
  }))
  const search = [
    { type: 'google_search_call', id: 'gs_1', arguments: { queries } },
    {
      type: 'google_search_result',
      call_id: 'gs_1',
      is_error: false,
      result: [{ search_suggestions: '<div/>' }],
    },
  ]
  return {
    id: 'int_1',
    object: 'interaction',
    model: model ?? asked,
    status: ended === 'truncated' ? 'incomplete' : 'completed',
    steps: [
      { type: 'thought', signature: 'x', summary: [] },
      ...(queries.length > 0 ? search : []),
      {
        type: 'model_output',
        content: [{ type: 'text', text, ...(cited.length > 0 ? { annotations } : {}) }],
      },
    ],
    usage: {
      total_input_tokens: 1_000,
      total_output_tokens: 300,
      total_thought_tokens: 100,
      total_tool_use_tokens: 7_000,
      total_tokens: 8_400,
      grounding_tool_count: [{ type: 'google_search', count: queries.length }],
    },
  }
}

const finishes = { complete: 'STOP', truncated: 'MAX_TOKENS', refusal: 'SAFETY', none: 'STOP' } as const

function generated({ text, cited, found, queries, ended = 'complete', model }: StandInAnswer, asked: string) {
  const groundingSupports = cited.map(({ url, quote }) => ({
    segment: {
      startIndex: bytes(text.slice(0, text.indexOf(quote))),
      endIndex: bytes(text.slice(0, text.indexOf(quote) + quote.length)),
      text: quote,
    },
    groundingChunkIndices: [found.findIndex((one) => one.url === url)],
  }))
  const groundingChunks = found.map(({ url }) => ({ web: { uri: redirectOf(url), title: domainOf(url) } }))
  return {
    candidates: [
      {
        content: { role: 'model', parts: [{ text: 'I think…', thought: true }, { text }] },
        finishReason: finishes[ended],
        index: 0,
        groundingMetadata: {
          webSearchQueries: queries,
          groundingChunks,
          groundingSupports,
          searchEntryPoint: { renderedContent: '<div/>' },
        },
      },
    ],
    modelVersion: model ?? asked,
    usageMetadata: {
      promptTokenCount: 1_000,
      candidatesTokenCount: 300,
      thoughtsTokenCount: 100,
      toolUsePromptTokenCount: 7_000,
      totalTokenCount: 8_400,
    },
  }
}
