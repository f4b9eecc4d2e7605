import { answerBounds, parseJson } from '../../../contracts/bounded-json'
import { visible } from '../../../kit/visible-text'

/** What an app reads from the result of a tool. */
export type ReadResult =
  | { readonly kind: 'answer'; readonly answer: unknown }
  /** The words of a refusal. */
  | { readonly kind: 'refused'; readonly why: string }

interface Result {
  readonly isError?: unknown
  readonly structuredContent?: unknown
  readonly content?: readonly { readonly type?: unknown; readonly text?: unknown }[]
}

const wordsMax = 500

/**
 * Reads the result of a tool: its structured content, or else its text, which is the same value as JSON. The marks around
 * the words of strangers are for models, so they are removed for people.
 */
export function readResult(result: unknown): ReadResult {
  const { isError, structuredContent, content } = (result ?? {}) as Result
  const text = Array.isArray(content) ? content.find((part) => part?.type === 'text')?.text : undefined
  if (isError === true) return { kind: 'refused', why: firstLine(text) }
  const value = isObject(structuredContent) ? structuredContent : parsed(text)
  if (!isObject(value)) return { kind: 'refused', why: 'The answer cannot be shown here.' }
  const { untrusted, ...answer } = value
  const [, tag] = /^Text in <([a-z0-9]{1,20})>/.exec(typeof untrusted === 'string' ? untrusted : '') ?? []
  return { kind: 'answer', answer: plain(answer, tag) }
}

/** Returns a value without marks, and its texts without invisible characters. */
function plain(value: unknown, tag: string | undefined): unknown {
  if (typeof value === 'string') return visible(tag === undefined ? value : unmarked(value, tag))
  if (Array.isArray(value)) return value.map((one) => plain(one, tag))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part, tag)]))
}

function unmarked(text: string, tag: string): string {
  const open = `<${tag}>`
  const close = `</${tag}>`
  return text.startsWith(open) && text.endsWith(close) ? text.slice(open.length, -close.length) : text
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? parseJson(text, answerBounds) : null
  } catch {
    return null
  }
}

const firstLine = (text: unknown) =>
  typeof text === 'string' && text !== ''
    ? visible(text.split('\n', 1)[0] ?? '').slice(0, wordsMax)
    : 'The request was refused.'

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
