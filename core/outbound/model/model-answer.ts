import * as v from 'valibot'
import { closingQuote, jsonBounds, parseForeignJson } from '../../contracts/bounded-json'

const part = v.looseObject({ text: v.optional(v.string()) })

/** The parts of a chat completion that contain its text. Some services return the text in pieces. */
export const completion = v.object({
  choices: v.looseTuple([v.object({ message: v.object({ content: v.union([v.string(), v.array(part)]) }) })]),
})

/** Returns the text of a chat completion. */
export function textOf({ choices }: v.InferOutput<typeof completion>): string {
  const { content } = choices[0].message
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')
}

/** A model's answer that matches the schema, or what does not match. */
export type ModelReading<T> =
  | { readonly success: true; readonly output: T }
  | { readonly success: false; readonly fault: string }

const objectsMax = 20

/**
 * Reads the JSON object in a model's answer. Skips the thoughts of a reasoning model, code fences and prose. If
 * several objects match the schema, the last one counts.
 */
export function readAnswer<S extends v.GenericSchema>(
  schema: S,
  text: string,
): ModelReading<v.InferOutput<S>> {
  const objects = objectsIn(withoutThoughts(text))
  let fault: string | null = null
  for (const candidate of objects.reverse()) {
    const value = parsedOrNull(candidate)
    if (value === null) continue
    const parsed = v.safeParse(schema, value)
    if (parsed.success) return { success: true, output: parsed.output }
    const [issue] = parsed.issues
    fault ??= `${v.getDotPath(issue) ?? 'it'}: ${issue.message}.`
  }
  return { success: false, fault: fault ?? 'it is not JSON.' }
}

/**
 * Returns the text after the last reasoning. Some services leave out its opening tag. Reasoning without an end
 * contains no answer.
 */
function withoutThoughts(text: string): string {
  const closed = /<\/(?:think|thinking|thought|reasoning)>/gi
  let from = 0
  for (const match of text.matchAll(closed)) from = match.index + match[0].length
  const rest = text.slice(from)
  const opened = rest.search(/<(?:think|thinking|thought|reasoning)>/i)
  return opened < 0 ? rest : rest.slice(0, opened)
}

/** Returns the outermost objects of a text, in order. Each character is read at most 20 times. */
function objectsIn(text: string): string[] {
  const found: string[] = []
  let tries = 0
  for (let at = text.indexOf('{'); at >= 0 && tries < objectsMax; tries++) {
    const end = endOfObject(text, at)
    if (end >= 0) found.push(text.slice(at, end))
    at = text.indexOf('{', end >= 0 ? end : at + 1)
  }
  return found
}

function endOfObject(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      at = closingQuote(text, at + 1)
      if (at < 0) return -1
    } else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at + 1
  }
  return -1
}

function parsedOrNull(text: string): unknown {
  try {
    return parseForeignJson(text, jsonBounds)
  } catch {
    return null
  }
}
