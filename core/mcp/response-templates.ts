import type { Printed } from '../kit/model-text'
import { isObject, keyOf, type RpcRequest, rpcRequestIn, type SdkRequest } from './sdk-request'
import type { Arguments } from './tool'

/** The result of a tool: the text of its answer, or of a refusal. */
export interface ToolResult {
  readonly text: string
  /** The same as a value, and its printed form, if the client asked for structured content. */
  readonly structured?: Printed
  readonly isRefused?: true
}

/** Calls a tool. Throws errors of the protocol. */
export type Call = (name: string, args: Arguments) => Promise<ToolResult>

/** Lets an SDK answer a body. `call` runs its tool calls. */
export type Ask = (body: unknown, call: Call) => Promise<Response>

/** How the calls of a request are answered. */
export interface Answering {
  readonly call: Call
  /** Whether answers have structured content. */
  readonly isStructured: boolean
}

/** An SDK's answer to a call without id, text and value: the text between them, and their order. */
interface ResponseTemplate {
  readonly between: readonly string[]
  readonly places: readonly (keyof typeof marks)[]
  readonly headers: Record<string, string>
}

const templatesMax = 256

/**
 * Answers tool calls from response templates. An SDK checks each form of call: revision, headers, tool and what the
 * client says about itself. The text around the result is the same for all calls of a form. So the SDK answers a form
 * twice, the second time with markers in place of the result, and its answer becomes the template. Other requests and
 * all refusals go through the SDK.
 */
export function createResponseTemplates() {
  const templates = new Map<string, ResponseTemplate | 'seen' | 'none'>()
  const learn = async (
    key: string,
    rpc: PlainCall,
    { call, isStructured }: Answering,
    ask: Ask,
  ): Promise<Response> => {
    const template = templates.get(key)
    const response = await ask(rpc.body, call)
    if (template === 'none' || response.status !== 200) return response
    if (templates.size >= templatesMax) templates.clear()
    templates.set(key, template ? await templateOf(rpc, isStructured, ask) : 'seen')
    return response
  }
  return (sdkRequest: SdkRequest, { call, isStructured }: Answering, ask: Ask): Promise<Response> => {
    const rpc = plainCall(sdkRequest.body)
    const key = rpc && keyOf(sdkRequest, rpc, { search: String(isStructured), unread: 'arguments' })
    if (!key) return ask(sdkRequest.body, withAllArguments(sdkRequest.body, call))
    const template = templates.get(key)
    return typeof template === 'object'
      ? fillTemplate(template, rpc, call, ask)
      : learn(key, rpc, { call, isStructured }, ask)
  }
}

/** The SDKs drop an argument called `__proto__`, which the tool must refuse like any other that it does not have. */
function withAllArguments(body: unknown, call: Call): Call {
  const given = rpcRequestIn(body)?.params.arguments
  return isObject(given) && Object.hasOwn(given, '__proto__') ? (name) => call(name, given) : call
}

type PlainCall = RpcRequest & { readonly params: { readonly name: string; readonly arguments?: Arguments } }

function plainCall(body: unknown): PlainCall | null {
  const rpc = rpcRequestIn(body)
  if (rpc?.method !== 'tools/call') return null
  const { name, arguments: args = {} } = rpc.params
  const isPlain = typeof name === 'string' && isObject(args) && !Object.hasOwn(args, '__proto__')
  return isPlain ? (rpc as PlainCall) : null
}

async function fillTemplate(
  template: ResponseTemplate,
  { id, params, body }: PlainCall,
  call: Call,
  ask: Ask,
): Promise<Response> {
  let result: ToolResult
  try {
    result = await call(params.name, params.arguments ?? {})
  } catch (error) {
    return ask(body, () => Promise.reject(error))
  }
  const isFitting = (result.structured === undefined) === (template.places.length === 2)
  if (result.isRefused || !isFitting) return ask(body, async () => result)
  const value = result.structured?.json ?? ''
  const filling = { id: JSON.stringify(id), text: JSON.stringify(result.text), value }
  let answer = template.between[0] ?? ''
  for (const [at, place] of template.places.entries()) answer += filling[place] + template.between[at + 1]
  return new Response(answer, { headers: template.headers })
}

/** The names of fields that only this file writes. */
const names = {
  id: 'id-of-the-call-0b6c1d',
  text: 'text-of-the-answer-7f31e2',
  value: 'value-of-the-answer-c94a05',
}
const marks = { id: `"${names.id}"`, text: `"${names.text}"`, value: `{"${names.value}":true}` }
const anyMark = new RegExp(`(${Object.values(marks).join('|')})`)

async function templateOf(
  { body, params }: PlainCall,
  isStructured: boolean,
  ask: Ask,
): Promise<ResponseTemplate | 'none'> {
  const structured = { value: { [names.value]: true }, json: marks.value }
  const marked = async () => ({ text: names.text, ...(isStructured ? { structured } : {}) })
  const args = 'arguments' in params ? { arguments: {} } : {}
  const response = await ask({ ...body, id: names.id, params: { ...params, ...args } }, marked)
  const parts = (await response.text()).split(anyMark)
  const places = Object.keys(marks) as (keyof typeof marks)[]
  const found = parts
    .filter((_, at) => at % 2 === 1)
    .map((mark) => places.find((place) => marks[place] === mark))
  const wanted = isStructured ? 3 : 2
  if (response.status !== 200 || found.length !== wanted || new Set(found).size !== wanted) return 'none'
  return {
    between: parts.filter((_, at) => at % 2 === 0),
    places: found.filter((place) => place !== undefined),
    headers: Object.fromEntries(response.headers),
  }
}
