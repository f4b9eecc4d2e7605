import { keyOf, rpcRequestIn, type SdkRequest } from './sdk-request'

/** Methods whose answers to equal requests do not change while the product runs. */
const unchanging = new Set([
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
  'server/discover',
])
const answersMax = 64

/** Marks the position of the request's id. */
const mark = 'id-of-the-request-0b6c1d'

/** An answer with space for an id. The text before the id never moves. */
interface CachedAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly idAt: number
  readonly after: string
  readonly headers: Record<string, string>
}

/**
 * Caches the SDKs' answers that never change, except for the id, because checking and printing the list of tools
 * costs most of the request. The cache key is the request: revision, headers, address and parameters.
 */
export function createResponseCache() {
  const answers = new Map<string, CachedAnswer>()
  return async (sdkRequest: SdkRequest, ask: (body: unknown) => Promise<Response>): Promise<Response> => {
    const rpc = rpcRequestIn(sdkRequest.body)
    const key =
      rpc && unchanging.has(rpc.method) ? keyOf(sdkRequest, rpc, { search: sdkRequest.search }) : null
    if (!rpc || !key) return ask(sdkRequest.body)
    const cached = answers.get(key)
    if (cached) return json(cached, rpc.id)
    const response = await ask({ ...rpc.body, id: mark })
    const text = await response.text()
    const [before, after, ...more] = text.split(`"${mark}"`)
    if (response.status !== 200 || before === undefined || after === undefined || more.length > 0) {
      return new Response(
        text.replace(`"${mark}"`, () => JSON.stringify(rpc.id)),
        response,
      )
    }
    if (answers.size >= answersMax) answers.clear()
    const fresh = cachedAnswer(before, after, Object.fromEntries(response.headers))
    answers.set(key, fresh)
    return json(fresh, rpc.id)
  }
}

const encoder = new TextEncoder()
/** Maximum bytes of an id: fewer than 100 characters of up to six bytes after escaping, and its quotes. */
const idBytesMax = 602

function cachedAnswer(before: string, after: string, headers: Record<string, string>): CachedAnswer {
  const head = encoder.encode(before)
  const bytes = new Uint8Array(head.length + idBytesMax + after.length * 3)
  bytes.set(head)
  return { bytes, idAt: head.length, after, headers }
}

/**
 * Writes into the cached bytes, which the answer copies. Joining a long list for each answer would cost more than
 * finding it.
 */
function json({ bytes, idAt, after, headers }: CachedAnswer, id: unknown): Response {
  const { written } = encoder.encodeInto(`${JSON.stringify(id)}${after}`, bytes.subarray(idAt))
  return new Response(bytes.subarray(0, idAt + written), { headers })
}
