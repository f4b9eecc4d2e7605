import { type ErrorCode, errorTable } from 'renown/contracts'

/** An answer that says no, in the words of RFC 9457. */
export interface Problem {
  readonly code: ErrorCode
  readonly detail: string
  readonly retryAfterSeconds: number | null
}

export const problem = (code: ErrorCode, detail: string, retryAfterSeconds?: number): Problem => ({
  code,
  detail,
  retryAfterSeconds: retryAfterSeconds ?? null,
})

/** The response for a problem. Nothing of the request is repeated in it. */
export function problemResponse(
  { code, detail, retryAfterSeconds }: Problem,
  instance: string,
  more: Record<string, string> = {},
): Response {
  const { status, title } = errorTable[code]
  const requestId = `req_${crypto.randomUUID().replaceAll('-', '')}`
  const body = {
    type: `urn:renown:error:${code}`,
    ...{ title, status, detail, instance, code, request_id: requestId },
  }
  const headers = new Headers({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-request-id': requestId,
    ...more,
  })
  if (retryAfterSeconds !== null) headers.set('retry-after', String(retryAfterSeconds))
  if (status === 401) headers.set('www-authenticate', 'Bearer realm="renown ingest"')
  return new Response(JSON.stringify(body), { status, headers })
}
