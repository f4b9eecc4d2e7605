import type { EngineStandIn, StandInAnswer, StandInError } from './engine'

const empty: StandInAnswer = { text: '', cited: [], found: [], queries: [] }
const error = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_1',
})
const usage = { input_tokens: 8_000, output_tokens: 400, server_tool_use: { web_search_requests: 1 } }

/** An answer whose only search failed. */
const failedSearch = (error_code: string) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-5-5',
  stop_reason: 'end_turn',
  usage,
  content: [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'a' } },
    {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: { type: 'web_search_tool_result_error', error_code },
    },
    { type: 'text', text: 'From memory: Acme.', citations: null },
  ],
})

const errors: Readonly<Record<string, StandInError>> = {
  'an overload': {
    status: 529,
    kind: 'unavailable',
    code: 'overloaded_error',
    body: error('overloaded_error', 'Overloaded'),
  },
  'a limit with a time': {
    status: 429,
    headers: { 'retry-after': '12' },
    kind: 'limited',
    code: 'rate_limit_error',
    body: error('rate_limit_error', 'This request would exceed your rate limit'),
  },
  'an overload with status 200': {
    status: 200,
    kind: 'unavailable',
    code: 'overloaded_error',
    body: error('overloaded_error', 'Overloaded'),
  },
  'a key that may not': { status: 403, kind: 'refused', body: error('permission_error', 'Not allowed') },
  'an empty balance': {
    status: 400,
    kind: 'refused',
    body: error('invalid_request_error', 'Your credit balance is too low'),
  },
  'a search that is limited': { status: 200, kind: 'limited', body: failedSearch('too_many_requests') },
  'a search that is down': { status: 200, kind: 'unavailable', body: failedSearch('unavailable') },
  'a search that is refused': { status: 200, kind: 'refused', body: failedSearch('query_too_long') },
}

interface Asked {
  readonly model: string
  readonly max_tokens?: number
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly tools?: readonly {
    readonly type: string
    readonly max_uses?: number
    readonly response_inclusion?: string
  }[]
}

/** Anthropic's Messages API. `pauses` turns come before the answer ends. */
export function createAnthropic({
  key,
  models = [],
}: {
  readonly key: string
  readonly models?: readonly object[]
}) {
  const held = { answer: empty }
  const standIn: EngineStandIn & { pauses: number } = {
    endings: ['truncated', 'refusal'],
    errors,
    complaints: [],
    pauses: 0,
    set(answer) {
      held.answer = answer
    },
    async fetch(request) {
      if (request.headers.get('x-api-key') !== key)
        return Response.json(error('authentication_error', 'invalid x-api-key'), { status: 401 })
      if (request.headers.get('anthropic-version') !== '2023-06-01') standIn.complaints.push('no version')
      const { pathname } = new URL(request.url)
      if (pathname === '/v1/models')
        return Response.json({ data: models, has_more: false, first_id: 'a', last_id: 'b' })
      const asked = (await request.json()) as Asked
      const [tool] = asked.tools ?? []
      if (tool?.response_inclusion !== 'full')
        standIn.complaints.push('sources that were only found would be left out')
      if (!((tool?.max_uses ?? 0) > 0)) standIn.complaints.push('max_uses is not positive')
      const done = asked.messages.filter(({ role }) => role === 'assistant').length
      return Response.json(
        turn(held.answer, asked.model, { isPaused: done < standIn.pauses, isFirst: done === 0 }),
      )
    },
  }
  return standIn
}

const stops = { complete: 'end_turn', truncated: 'max_tokens', refusal: 'refusal', none: 'end_turn' } as const

/** One turn: the first searches, the last writes. */
function turn(
  answer: StandInAnswer,
  model: string,
  { isPaused, isFirst }: { isPaused: boolean; isFirst: boolean },
) {
  const { queries, found, ended = 'complete' } = answer
  const hasSearch = queries.length > 0 && isFirst
  const search = [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: queries[0] } },
    {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      caller: { type: 'direct' },
      content: found.map((one) => ({
        type: 'web_search_result',
        ...one,
        page_age: null,
        encrypted_content: 'Eo8',
      })),
    },
  ]
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: answer.model ?? model,
    content: [...(hasSearch ? search : []), ...(isPaused ? [] : blocksOf(answer))],
    stop_reason: isPaused ? 'pause_turn' : stops[ended],
    stop_sequence: null,
    usage: { ...usage, server_tool_use: { web_search_requests: hasSearch ? 1 : 0 } },
  }
}

/** The text in blocks that are cut around what is cited. */
function blocksOf({ text, cited }: StandInAnswer) {
  const blocks: object[] = []
  let at = 0
  for (const { url, title, quote } of cited) {
    const start = text.indexOf(quote, at)
    blocks.push({ type: 'text', text: text.slice(at, start), citations: null })
    const citation = { type: 'web_search_result_location', url, title, cited_text: '…', encrypted_index: 'E' }
    blocks.push({ type: 'text', text: quote, citations: [citation] })
    at = start + quote.length
  }
  return [...blocks, { type: 'text', text: text.slice(at) }]
}
