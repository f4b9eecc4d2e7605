import type { EngineStandIn, StandInAnswer, StandInError } from './engine'

const empty: StandInAnswer = { text: '', cited: [], found: [], queries: [] }

const errors: Readonly<Record<string, StandInError>> = {
  'a limit': {
    status: 429,
    kind: 'limited',
    body: {
      object: 'error',
      message: 'Requests rate limit exceeded',
      type: 'rate_limited',
      param: null,
      code: '1300',
    },
  },
  'an unknown model': {
    status: 400,
    kind: 'refused',
    body: { object: 'error', message: 'Invalid model: x', type: 'invalid_model', param: null, code: '1500' },
  },
  'a request that it cannot read': {
    status: 422,
    kind: 'refused',
    body: { detail: [{ loc: ['body', 'tools'], msg: 'Input should be a valid list', type: 'list_type' }] },
  },
  'a key in short words': { status: 401, kind: 'refused', body: { detail: 'Unauthorized' } },
}

/** Mistral's conversations. */
export function createMistral({
  key,
  models,
}: {
  readonly key: string
  readonly models: readonly object[]
}): EngineStandIn {
  const held = { answer: empty }
  const standIn: EngineStandIn = {
    endings: [],
    errors,
    complaints: [],
    set(answer) {
      held.answer = answer
    },
    async fetch(request) {
      if (request.headers.get('authorization') !== `Bearer ${key}`)
        return Response.json({ detail: 'Unauthorized' }, { status: 401 })
      if (new URL(request.url).pathname === '/v1/models')
        return Response.json({ object: 'list', data: models })
      const { model, inputs, store } = (await request.json()) as Record<string, unknown>
      if (typeof inputs !== 'string' || store !== false)
        standIn.complaints.push('inputs and store:false are needed')
      return Response.json(wire(held.answer, String(model)))
    },
  }
  return standIn
}

function wire(answer: StandInAnswer, asked: string) {
  const { text, cited, queries } = answer
  const model = answer.model ?? asked
  const chunks: object[] = []
  let at = 0
  for (const { url, title, quote } of cited) {
    const end = text.indexOf(quote, at) + quote.length
    chunks.push({ type: 'text', text: text.slice(at, end) })
    chunks.push({ type: 'tool_reference', tool: 'web_search', title, url, favicon: null, description: '…' })
    at = end
  }
  const execution = {
    object: 'entry',
    type: 'tool.execution',
    model,
    id: 'tool_1',
    name: 'web_search',
    arguments: JSON.stringify({ query: queries[0] }),
  }
  return {
    object: 'conversation.response',
    conversation_id: 'conv_1',
    outputs: [
      ...(queries.length > 0 ? [execution] : []),
      {
        object: 'entry',
        type: 'message.output',
        model,
        id: 'msg_1',
        role: 'assistant',
        content: cited.length === 0 ? text : [...chunks, { type: 'text', text: text.slice(at) }],
      },
    ],
    usage: {
      prompt_tokens: 200,
      completion_tokens: 400,
      connector_tokens: 7_800,
      total_tokens: 8_400,
      connectors: { web_search: queries.length },
    },
  }
}
