import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const gzipInThread = promisify(gzip)

/** Smaller answers are not compressed, because they fit into one packet. */
const bytesMin = 1_400

/** Larger answers are compressed in a thread, so that other requests do not wait for them. */
const inlineBytesMax = 64 * 1024

/** The bodies of answers that many requests get, so that each is compressed once. */
const sources = new WeakMap<Response, Uint8Array>()
const compressedBodies = new WeakMap<Uint8Array, Uint8Array<ArrayBuffer>>()

/** Notes that an answer has a body that never changes and that other requests get too. */
export function noteFixedBody(answer: Response, body: Uint8Array): void {
  sources.set(answer, body)
}

/** Answers without a body. */
const bodyless = new Set([204, 304])

const isText = (type: string) =>
  /^(text\/(html|csv|plain)|application\/((problem\+|feed\+)?json|rss\+xml))\b/.test(type)

/**
 * Returns the answer compressed with gzip if it is text and the caller accepts gzip. Live streams stay
 * unchanged.
 *
 * Compression can reveal a secret to an attacker who controls a part of the page and sees its length
 * (BREACH). So an answer is not compressed if another site made the browser send the request. Answers to
 * forms are not compressed either, because they can show a secret once. The form token is masked differently
 * in every answer.
 */
export function compressed(request: Request, path: string, answer: Response): Response | Promise<Response> {
  const { headers, status } = answer
  const isApi = path.startsWith('/api/')
  if (request.method !== 'GET' && !(isApi && request.method === 'POST')) return answer
  // A download is sent while it is written, and it can be large.
  if (headers.get('content-disposition')?.startsWith('attachment')) return answer
  // Reading `body` of an answer would make a stream of it, which costs more than the answer.
  if (bodyless.has(status) || headers.has('content-encoding')) return answer
  if (!isText(headers.get('content-type') ?? '')) return answer
  headers.append('vary', 'accept-encoding')
  return acceptsGzip(request) && !isFromElsewhere(request) ? packed(answer, isApi ? 1 : 6) : answer
}

async function packed(answer: Response, level: 1 | 6): Promise<Response> {
  const { headers, status } = answer
  const source = sources.get(answer)
  const known = source && compressedBodies.get(source)
  if (known) {
    headers.set('content-encoding', 'gzip')
    headers.delete('content-length')
    return new Response(known, { status, headers })
  }
  const plain = new Uint8Array(await answer.arrayBuffer())
  if (plain.length < bytesMin) return new Response(plain, { status, headers })
  headers.set('content-encoding', 'gzip')
  headers.delete('content-length')
  const bytes =
    plain.length > inlineBytesMax ? await gzipInThread(plain, { level }) : Bun.gzipSync(plain, { level })
  const body = new Uint8Array(bytes)
  if (source) compressedBodies.set(source, body)
  return new Response(body, { status, headers })
}

/** Whether a page of another site sent the request. Programs do not send this information. */
function isFromElsewhere(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  return site === 'cross-site' || site === 'same-site'
}

function acceptsGzip(request: Request): boolean {
  const accepted = (request.headers.get('accept-encoding') ?? '').toLowerCase().split(',')
  return accepted.some((each) => {
    const [name, weight = ''] = each.split(';').map((part) => part.trim())
    return name === 'gzip' && !/^q=0(\.0{1,3})?$/.test(weight)
  })
}
