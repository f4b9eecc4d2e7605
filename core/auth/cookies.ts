import { parseCookies, serializeCookie } from '../process/crypto'

/** What is kept in a browser, by what it is for. */
export type CookieName = 'session' | 'visit' | 'browser'

interface Origin {
  readonly origin: string
}

const isSecure = ({ origin }: Origin) => origin.startsWith('https:')

/** `__Host-` binds a cookie to one host and to https; browsers refuse it on plain http, which only loopback has. */
function nameOf(name: CookieName, host: Origin): string {
  if (!isSecure(host)) return `renown_${name}`
  return name === 'session' ? '__Host-renown' : `__Host-renown_${name}`
}

/** The value of one of our cookies; null where the request brings none. */
export function readCookie(request: Request, name: CookieName, host: Origin): string | null {
  const header = request.headers.get('cookie')
  return header === null ? null : (parseCookies(header).get(nameOf(name, host)) ?? null)
}

/** A Set-Cookie header. Scripts never see it, and forms of other sites do not send it. */
export const cookieOf = (name: CookieName, value: string, host: Origin, maxAgeSeconds?: number): string =>
  serializeCookie(nameOf(name, host), value, {
    httpOnly: true,
    secure: isSecure(host),
    sameSite: 'lax',
    path: '/',
    ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }),
  })

/** A Set-Cookie header that takes a cookie away. */
export const noCookie = (name: CookieName, host: Origin): string => cookieOf(name, '', host, 0)
