import type { PublicFile, PublicFileDeclaration } from '../../../contracts/public-page'
import { publicPageOf, send } from '../../../http/answer'

/** How long readers and caches keep a file without asking again. */
const keepSeconds = 300
const bytesMax = 2 * 1024 * 1024

/** Returns the answer with a public file, or 304 if the caller already has it. Pages of other sites may read it. */
export function publicFile(
  request: Request,
  { type }: PublicFileDeclaration,
  { body, changed_at }: PublicFile,
): Response {
  if (Buffer.byteLength(body) > bytesMax) throw new Error('A public file is larger than 2 MiB')
  const changed = new Date(changed_at).toUTCString()
  const page = publicPageOf(body, {
    'content-type': type.startsWith('text/') ? type : `${type}; charset=utf-8`,
    'cache-control': `public, max-age=${keepSeconds}`,
    'last-modified': changed,
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'referrer-policy': 'no-referrer',
  })
  const response = send(request, page)
  if (response.status === 304 || !isUnchanged(request, changed)) return withoutBody(request, response)
  const { 'content-type': _, ...headers } = page.headers
  return new Response(null, { status: 304, headers })
}

/** Whether the caller's copy is as new. An `If-None-Match` says more than a time, which counts whole seconds. */
function isUnchanged({ headers }: Request, changed: string): boolean {
  if (headers.has('if-none-match')) return false
  const since = Date.parse(headers.get('if-modified-since') ?? '')
  return !Number.isNaN(since) && since >= Date.parse(changed)
}

const withoutBody = (request: Request, response: Response): Response =>
  request.method === 'HEAD'
    ? new Response(null, { status: response.status, headers: response.headers })
    : response
