import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { unmarked } from '../../support/mcp'
import { type openDemo, type Sightings, sightingsIn } from './demo-world'
import type { Question } from './question'

type Demo = Pick<Awaited<ReturnType<typeof openDemo>>, 'facts' | 'callTool' | 'callStructured'>

/** How a question was answered. */
export interface Answered {
  readonly asks: string
  /** The tools in the order of the calls, and what each call took. */
  readonly tools: readonly { readonly name: string; readonly tokens: number }[]
  readonly calls: number
  readonly tokens: number
  readonly figures: unknown
  readonly expected: unknown
  readonly canaries: { readonly marked: readonly string[]; readonly unmarked: readonly string[] }
}

/** The number of tokens of a text, as models of OpenAI read it. */
export const tokensOf = (text: string): number => encode(text).length

/** Makes the calls of a question. Throws if a tool refuses. */
export async function answer(
  { facts, callTool, callStructured }: Demo,
  question: Question,
): Promise<Answered> {
  const results = await Promise.all(question.calls.map(({ tool, args }) => callTool(tool, args)))
  const texts = results.map(({ content }) => content[0]?.text ?? '')
  for (const [place, { isError }] of results.entries())
    if (isError) throw new Error(`${question.asks} ${question.calls[place]?.tool}: ${texts[place]}`)
  const tools = question.calls.map((call, place) => ({
    name: call.tool,
    tokens: tokensOf(JSON.stringify(call)) + tokensOf(texts[place] ?? ''),
  }))
  const structured = await Promise.all(question.calls.map(({ tool, args }) => callStructured(tool, args)))
  const sightings = [...results, ...structured].map(sightingsIn)
  return {
    asks: question.asks,
    tools,
    calls: results.length,
    tokens: tools.reduce((all, { tokens }) => all + tokens, 0),
    figures: question.figures(...texts.map((text) => unmarked(JSON.parse(text)))),
    expected: question.expected(facts),
    canaries: { marked: among(sightings, 'marked'), unmarked: among(sightings, 'unmarked') },
  }
}

const among = (sightings: readonly Sightings[], where: keyof Sightings) => [
  ...new Set(sightings.flatMap((one) => [...one[where]])),
]
