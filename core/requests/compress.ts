import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const gzipInThread = promisify(gzip)

/** Answers below this size are sent as they are: they fit into one packet. */
const bytesMin = 1_400

/** Larger answers are compressed in a thread, so that no other request waits for them. */
const inlineBytesMax = 64 * 1024

const isText = (type: string) => /^(text\/(html|csv|plain)|application\/(problem\+)?json)\b/.test(type)

/**
 * Returns the answer compressed with gzip when it is text and the caller accepts it. Streams of news stay as they are.
 *
 * Compression can tell a secret to somebody who chooses a part of the page and sees its length (BREACH). So an answer is not
 * compressed when another site made the browser send the request. Answers to forms of the pages are not compressed
 * either, because they can show a secret once. The token of forms has another mask in every answer.
 */
export async function compressed(request: Request, path: string, answer: Response): Promise<Response> {
  const { headers, status } = answer
  const isApi = path.startsWith('/api/')
  if (request.method !== 'GET' && !(isApi && request.method === 'POST')) return answer
  if (
    status === 204 ||
    status === 304 ||
    headers.has('content-encoding') ||
    !isText(headers.get('content-type') ?? '')
  )
    return answer
  headers.append('vary', 'accept-encoding')
  if (!acceptsGzip(request) || isFromElsewhere(request)) return answer
  const plain = new Uint8Array(await answer.arrayBuffer())
  if (plain.length < bytesMin) return new Response(plain, { status, headers })
  headers.set('content-encoding', 'gzip')
  headers.delete('content-length')
  const level = isApi ? 1 : 6
  const packed =
    plain.length > inlineBytesMax ? await gzipInThread(plain, { level }) : Bun.gzipSync(plain, { level })
  return new Response(new Uint8Array(packed), { status, headers })
}

/** Whether a page of another site sent the request. Programs do not say where a request comes from. */
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
