/**
 * Returns the forwarder token of a request. It is a bearer token, a password of basic authentication (or the
 * user name, if there is no password), Firehose's access key, or `token` in the query.
 */
export function tokenOf({ headers, url }: Request): string | null {
  const authorization = headers.get('authorization') ?? ''
  if (bearer.test(authorization)) return authorization.slice('Bearer '.length)
  return passwordOf(authorization) ?? (headers.get('x-amz-firehose-access-key') || queryOf(url).get('token'))
}

const bearer = /^Bearer [\x21-\x7e]+$/i

/** Returns the query of a request's URL. */
export function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?')
  return new URLSearchParams(start === -1 ? '' : url.slice(start + 1))
}

function passwordOf(authorization: string): string | null {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization)?.[1]
  if (!encoded) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? text : text.slice(colon + 1) || text.slice(0, colon)
}
