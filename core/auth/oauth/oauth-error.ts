/** Error codes of RFC 6749, 7009, 7591 and 8707 for apps. Clients react to the exact code. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'too_many_requests'
  | 'temporarily_unavailable'
  | 'server_error'

/** An OAuth error. Its text is for the developers of the app. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: OAuthErrorCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  constructor(
    code: OAuthErrorCode,
    description: string,
    { status = 400, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(description)
    this.code = code
    this.status = status
    this.headers = headers
  }
}

export const isOAuthError = (error: unknown): error is OAuthError => error instanceof OAuthError

/** A JSON answer to an app, which must not be cached. */
export const json = (body: object, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
      ...headers,
    },
  })

/**
 * Returns the answer of RFC 6749 §5.2. Descriptions are limited to printable ASCII without quotes and
 * backslashes.
 */
export const errorResponse = ({ code, message, status, headers }: OAuthError): Response =>
  json({ error: code, error_description: plain(message) }, status, headers)

export const plain = (text: string) => text.replace(/[^\x20-\x7e]|["\\]/g, "'").slice(0, 400)
