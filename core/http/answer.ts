import { noteFixedBody } from '../requests/compress'

/** An answer before it is sent. The ETag is in its headers. */
export interface Page {
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
}

/** Returns a body with a weak ETag, private to the credential and the workspace. */
export function pageOf(body: Page['body'], headers: Readonly<Record<string, string>> = {}): Page {
  const own = { 'cache-control': 'private', vary: 'Authorization, X-Workspace-Id' }
  return tagged(body, { ...own, ...headers })
}

/** Returns a body that is the same for everybody. */
export const publicPageOf = (body: Page['body'], headers: Readonly<Record<string, string>> = {}): Page =>
  tagged(body, { 'cache-control': 'public, max-age=60', ...headers })

const tagged = (body: Page['body'], headers: Readonly<Record<string, string>>): Page => ({
  body,
  headers: {
    'content-type': 'application/json',
    ...headers,
    etag: `W/"${Bun.hash.xxHash3(body).toString(36)}"`,
  },
})

/** Sends a page, or 304 if the caller already has it. */
export function send(request: Request, { body, headers }: Page): Response {
  if (!matches(request.headers.get('if-none-match'), headers.etag ?? ''))
    return new Response(body, { headers })
  const { 'content-type': _, ...rest } = headers
  return new Response(null, { status: 304, headers: rest })
}

/** Sends a page that never changes. If it is large, it is compressed only once. */
export function sendFixed(request: Request, page: Page): Response {
  const response = send(request, page)
  if (typeof page.body !== 'string') noteFixedBody(response, page.body)
  return response
}

/**
 * Sends a page that was made for this request only. The answer contains a copy of the body, so that the
 * page's memory can be reused.
 */
export function sendOnce(request: Request, page: Page): Response {
  const response = send(request, page)
  const { body } = page
  if (typeof body !== 'string' && body.length === body.buffer.byteLength) body.buffer.transfer(0)
  return response
}

function matches(wanted: string | null, etag: string): boolean {
  if (wanted === null) return false
  return wanted === '*' || wanted.split(',').some((one) => one.trim().replace(/^(?!W\/)/, 'W/') === etag)
}
