/** A language model with OpenAI's chat completions, and the limits of what it may use for one question. */
export interface ChatModelSettings {
  readonly baseUrl: string
  readonly model: string
  readonly key: string
  /** Longest time for one question. */
  readonly seconds: number
  /** Most answers of the model to one question. */
  readonly turns: number
  /** Most tokens of calls and their answers to one question. */
  readonly tokens: number
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** As the model wrote them. */
  readonly arguments: string
}

/** One answer of the model: its words, and the tools that it wants to call. */
export interface ChatAnswer {
  readonly content: string
  readonly calls: readonly ToolCall[]
  /** Tokens that the service counted. */
  readonly used: number
}

export type ChatMessage = Readonly<Record<string, unknown>>

/** The model did not answer, or not in the form of chat completions. */
export class ModelFault extends Error {
  override readonly name = 'ModelFault'
}

type Env = Readonly<Record<string, string | undefined>>

/** Returns the model of the environment. Null if none is set. Throws if it is set in part. */
export function chatModelFrom(env: Env): ChatModelSettings | null {
  const { BENCH_LLM_BASE_URL: baseUrl, BENCH_LLM_MODEL: model } = env
  if (!baseUrl && !model) return null
  if (!baseUrl || !model) throw new Error('Set both BENCH_LLM_BASE_URL and BENCH_LLM_MODEL, or none of them.')
  if (!URL.canParse(baseUrl))
    throw new Error('BENCH_LLM_BASE_URL must be an address such as http://127.0.0.1:11434/v1.')
  return {
    baseUrl: baseUrl.replace(/\/$/, ''),
    model,
    key: env.BENCH_LLM_API_KEY ?? '',
    seconds: wholeNumber(env, 'BENCH_LLM_SECONDS', 120),
    turns: wholeNumber(env, 'BENCH_LLM_TURNS', 8),
    tokens: wholeNumber(env, 'BENCH_LLM_TOKENS', 60_000),
  }
}

function wholeNumber(env: Env, name: string, usual: number): number {
  const text = env[name]
  if (!text) return usual
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`${name} must be a whole number from 1 to 9999999.`)
  return Number(text)
}

const triesMax = 4
const bytesMax = 1_000_000
const callsPerTurnMax = 16

interface Asking {
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly object[]
  /** Ends the request when the time of the question is over. */
  readonly signal: AbortSignal
  readonly sleep: (ms: number) => Promise<void>
}

/** Sends one request, and again after 429, 5xx and broken connections, for which the model is not to blame. */
export async function chat(
  settings: ChatModelSettings,
  { messages, tools, signal, sleep }: Asking,
): Promise<ChatAnswer> {
  const { baseUrl, key, model } = settings
  let said = ''
  for (let turn = 0; turn < triesMax; turn++) {
    if (turn > 0) await sleep(waitMs(said, turn))
    signal.throwIfAborted()
    const sent = fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      signal,
      body: JSON.stringify({ model, messages, tools, tool_choice: 'auto' }),
      headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
    })
    const response = await sent.catch((error) => {
      signal.throwIfAborted()
      return new Response(String(error), { status: 503 })
    })
    const text = await limitedText(response)
    if (response.ok) return answerIn(text)
    said = `${response.status} retry-after=${response.headers.get('retry-after') ?? ''} ${text.slice(0, 200)}`
    if (response.status !== 429 && response.status < 500) break
  }
  throw new ModelFault(`The model answers ${said}`.replaceAll(key || '\0', '<key>'))
}

/** As long as the service asks for, at most 30 seconds. */
const waitMs = (said: string, turn: number) =>
  Math.min(30, Number(/retry-after=(\d{1,6}) /.exec(said)?.[1] ?? turn)) * 1_000

async function limitedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength
    if (length > bytesMax) throw new ModelFault(`The model answers with more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function answerIn(text: string): ChatAnswer {
  const body = jsonOf(text) as {
    choices?: {
      message?: {
        content?: unknown
        tool_calls?: { id?: unknown; function?: { name?: unknown; arguments?: unknown } }[]
      }
    }[]
    usage?: { total_tokens?: unknown }
  } | null
  const message = body?.choices?.[0]?.message
  if (!message)
    throw new ModelFault(`The model did not answer in the form of chat completions: ${text.slice(0, 80)}`)
  const calls = (Array.isArray(message.tool_calls) ? message.tool_calls : []).slice(0, callsPerTurnMax)
  return {
    content: typeof message.content === 'string' ? message.content : '',
    calls: calls.map((call, at) => ({
      id: String(call.id ?? `call_${at}`),
      name: String(call.function?.name ?? ''),
      arguments:
        typeof call.function?.arguments === 'string'
          ? call.function.arguments
          : JSON.stringify(call.function?.arguments ?? {}),
    })),
    used: Number(body?.usage?.total_tokens ?? 0) || 0,
  }
}

/** Returns the value of a JSON text. Null if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
