import { type ErrorCode, errorTable, withoutSecrets } from 'renown/contracts'

/** An error answer with the members of RFC 9457. */
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

/** The answer for an unknown address. */
export const noSuchAddress = problem('not_found', 'There is nothing at this address.')

/** Answers a request with a problem. */
export type Refuse = (request: Request, refused: Problem, headers?: Record<string, string>) => Response

export interface ProblemOrigin {
  /** The page that explains the codes. */
  readonly docs: string
  /** The requested path. */
  readonly instance: string
  /** The sender's own id of the request. It is used if it is plain. */
  readonly requestId: string
}

/** The registered type of 429, which clients know from other APIs. */
const quotaType = 'https://iana.org/assignments/http-problem-types#quota-exceeded'

/** Returns the response for a problem. It repeats only the path of the request. */
export function problemResponse(
  { code, detail, retryAfterSeconds }: Problem,
  { docs, instance, requestId }: ProblemOrigin,
  more: Readonly<Record<string, string>> = {},
): Response {
  const { status, title } = errorTable[code]
  const id = /^(?!rnw_)[A-Za-z0-9_-]{8,64}$/.test(requestId) ? requestId : mintedId()
  const type = code === 'quota_exceeded' ? quotaType : `${docs}#${code}`
  const headers = new Headers({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-request-id': id,
    ...more,
  })
  if (retryAfterSeconds !== null) headers.set('retry-after', String(retryAfterSeconds))
  if (status === 401) headers.set('www-authenticate', 'Bearer realm="renown"')
  const body = { type, title, status, detail, instance, code, request_id: id }
  return new Response(withoutSecrets(JSON.stringify(body)), { status, headers })
}

const mintedId = () => `req_${crypto.randomUUID().replaceAll('-', '')}`
