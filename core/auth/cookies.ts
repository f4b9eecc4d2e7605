import { parseCookies, serializeCookie } from '../process/crypto'

/** The cookies that Renown sets. */
export type CookieName = 'session' | 'visit' | 'browser' | 'look'

interface Origin {
  readonly origin: string
}

const isSecure = ({ origin }: Origin) => origin.startsWith('https:')

/**
 * Returns the name of a cookie. `__Host-` binds it to one host and to https. Browsers refuse it on plain
 * http, which only loopback uses.
 */
function nameOf(name: CookieName, host: Origin): string {
  if (!isSecure(host)) return `renown_${name}`
  return name === 'session' ? '__Host-renown' : `__Host-renown_${name}`
}

/** Returns the value of one of Renown's cookies, or null if the request does not have it. */
export function readCookie(request: Request, name: CookieName, host: Origin): string | null {
  const header = request.headers.get('cookie')
  return header === null ? null : (parseCookies(header).get(nameOf(name, host)) ?? null)
}

/** Returns a Set-Cookie header. Scripts cannot read the cookie, and forms of other sites do not send it. */
export const cookieOf = (name: CookieName, value: string, host: Origin, maxAgeSeconds?: number): string =>
  serializeCookie(nameOf(name, host), value, {
    httpOnly: true,
    secure: isSecure(host),
    sameSite: 'lax',
    path: '/',
    ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }),
  })

/** Returns a Set-Cookie header that deletes a cookie. */
export const noCookie = (name: CookieName, host: Origin): string => cookieOf(name, '', host, 0)
