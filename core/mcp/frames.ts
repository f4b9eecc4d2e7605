import { type Asked, isObject, keyOf, type Question, questionIn } from './asked'
import type { Arguments } from './tool'

/** The result of a tool: a value and its text, or a refusal in words. */
export type Told = Answered | Refused
export interface Answered {
  readonly text: string
  readonly value: Record<string, unknown>
  /** The value, printed. */
  readonly json: string
}
export interface Refused {
  readonly text: string
  readonly json?: undefined
}

/** Calls a tool. Throws errors of the protocol. */
export type Call = (name: string, args: Arguments) => Promise<Told>

/** Lets an SDK answer a body. Its tool calls go to `call`. */
export type Ask = (body: unknown, call: Call) => Promise<Response>

/** An SDK's answer to a call without what the tool told: what stands between the three, and in which order they stand. */
interface Frame {
  readonly between: readonly string[]
  readonly places: readonly (keyof typeof marks)[]
  readonly headers: Record<string, string>
}

const framesMax = 256

/**
 * Answers tool calls from response templates. An SDK checks each form of call: revision, headers, tool and what the
 * client says about itself. The text around the result is the same for all calls of a form. So the SDK answers a form
 * twice, the second time with markers in place of the result, and its answer becomes the template. Other requests and
 * all refusals go through the SDK.
 */
export function createFrames() {
  const frames = new Map<string, Frame | 'seen' | 'none'>()
  return async (asked: Asked, call: Call, ask: Ask): Promise<Response> => {
    const question = plainCall(asked.body)
    const key = question && keyOf(asked, withoutArguments(question))
    if (!key) return ask(asked.body, call)
    const known = frames.get(key)
    if (typeof known === 'object') return framed(known, question, asked.body, call, ask)
    const response = await ask(asked.body, call)
    if (known === 'none' || response.status !== 200) return response
    if (frames.size >= framesMax) frames.clear()
    frames.set(key, known ? await frameOf(question, ask) : 'seen')
    return response
  }
}

type PlainCall = Question & { readonly params: { readonly name: string; readonly arguments?: Arguments } }

function plainCall(body: unknown): PlainCall | null {
  const question = questionIn(body)
  if (question?.method !== 'tools/call') return null
  const { name, arguments: args = {} } = question.params
  const isPlain = typeof name === 'string' && isObject(args) && !Object.hasOwn(args, '__proto__')
  return isPlain ? (question as PlainCall) : null
}

/** The question with whether there are arguments in place of what they are. */
function withoutArguments({ rest, params, ...question }: PlainCall): Question {
  const alike = { ...params, arguments: 'arguments' in params }
  return { ...question, params: alike, rest: { ...rest, params: alike } }
}

async function framed(
  frame: Frame,
  question: PlainCall,
  body: unknown,
  call: Call,
  ask: Ask,
): Promise<Response> {
  const { id, params } = question
  let told: Told
  try {
    told = await call(params.name, params.arguments ?? {})
  } catch (error) {
    return ask(body, () => Promise.reject(error))
  }
  if (told.json === undefined) return ask(body, async () => told)
  const filling = { id: JSON.stringify(id), text: JSON.stringify(told.text), value: told.json }
  let answer = frame.between[0] ?? ''
  for (let at = 0; at < 3; at++) answer += filling[frame.places[at] ?? 'id'] + frame.between[at + 1]
  return new Response(answer, { headers: frame.headers })
}

/** Nobody else writes these. */
const names = {
  id: 'id-of-the-call-0b6c1d',
  text: 'text-of-the-answer-7f31e2',
  value: 'value-of-the-answer-c94a05',
}
const marks = { id: `"${names.id}"`, text: `"${names.text}"`, value: `{"${names.value}":true}` }
const anyMark = new RegExp(`(${Object.values(marks).join('|')})`)

async function frameOf({ rest, params }: PlainCall, ask: Ask): Promise<Frame | 'none'> {
  const value = { [names.value]: true }
  const marked = async () => ({ text: names.text, value, json: marks.value })
  const args = 'arguments' in params ? { arguments: {} } : {}
  const response = await ask({ ...rest, id: names.id, params: { ...params, ...args } }, marked)
  const parts = (await response.text()).split(anyMark)
  const places = Object.keys(marks) as (keyof typeof marks)[]
  const found = parts
    .filter((_, at) => at % 2 === 1)
    .map((mark) => places.find((place) => marks[place] === mark))
  if (response.status !== 200 || found.length !== 3 || new Set(found).size !== 3) return 'none'
  return {
    between: parts.filter((_, at) => at % 2 === 0),
    places: found.filter((place) => place !== undefined),
    headers: Object.fromEntries(response.headers),
  }
}
