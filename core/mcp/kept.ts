import { type Asked, keyOf, questionIn } from './asked'

/** What is the same for everybody who asks alike, for as long as the product runs. */
const unchanging = new Set([
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
  'server/discover',
])
const answersMax = 64

/** Stands where the id of a request stands. */
const mark = 'id-of-the-request-0b6c1d'

/** An answer with room for an id: what stands before it never moves. */
interface KeptAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly idAt: number
  readonly after: string
  readonly headers: Record<string, string>
}

/**
 * Caches the SDKs' answers that never change, except for the id, because checking and printing the list of tools
 * costs most of the request. The cache key is the request: revision, headers, address and parameters.
 */
export function createKept() {
  const answers = new Map<string, KeptAnswer>()
  return async (asked: Asked, ask: (body: unknown) => Promise<Response>): Promise<Response> => {
    const question = questionIn(asked.body)
    const key = question && unchanging.has(question.method) ? keyOf(asked, question, asked.search) : null
    if (!question || !key) return ask(asked.body)
    const known = answers.get(key)
    if (known) return json(known, question.id)
    const response = await ask({ ...question.rest, id: mark })
    const text = await response.text()
    const [before, after, ...more] = text.split(`"${mark}"`)
    if (response.status !== 200 || before === undefined || after === undefined || more.length > 0) {
      return new Response(
        text.replace(`"${mark}"`, () => JSON.stringify(question.id)),
        response,
      )
    }
    if (answers.size >= answersMax) answers.clear()
    const made = keptAnswer(before, after, Object.fromEntries(response.headers))
    answers.set(key, made)
    return json(made, question.id)
  }
}

const encoder = new TextEncoder()
/** An id is shorter than 100 characters, of up to six bytes each once they are escaped, and its quotes. */
const idBytesMax = 602

function keptAnswer(before: string, after: string, headers: Record<string, string>): KeptAnswer {
  const head = encoder.encode(before)
  const bytes = new Uint8Array(head.length + idBytesMax + after.length * 3)
  bytes.set(head)
  return { bytes, idAt: head.length, after, headers }
}

/**
 * Writes into the cached bytes, which the answer copies. Joining a long list for each answer would cost more than
 * finding it.
 */
function json({ bytes, idAt, after, headers }: KeptAnswer, id: unknown): Response {
  const { written } = encoder.encodeInto(`${JSON.stringify(id)}${after}`, bytes.subarray(idAt))
  return new Response(bytes.subarray(0, idAt + written), { headers })
}
