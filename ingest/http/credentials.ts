import { headerOf } from './header'

/**
 * Returns the forwarder token of a request. It is a bearer token, which Splunk's clients call `Splunk`, or a
 * password of basic authentication. Without a password, the user name counts. It can also be Firehose's access
 * key, or `token` in the query.
 */
export function tokenOf({ headers, url }: Request): string | null {
  const authorization = headerOf(headers, 'authorization')
  // Both words have as many letters.
  if (bearer.test(authorization)) return authorization.slice('Bearer '.length)
  return passwordOf(authorization) ?? (headers.get('x-amz-firehose-access-key') || queryOf(url).get('token'))
}

const bearer = /^(?:Bearer|Splunk) [\x21-\x7e]+$/i

/** Returns the query of a request's URL. */
export const queryOf = (url: string): URLSearchParams => new URL(url).searchParams

function passwordOf(authorization: string): string | null {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization)?.[1]
  if (!encoded) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return text.slice(colon + 1) || text.slice(0, colon)
}
