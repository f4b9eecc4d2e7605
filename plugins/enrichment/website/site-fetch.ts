import { isServiceFault, type OwnerContext, ServiceFault, statusFault } from 'renown'
import { parseRobots, type Robots, robotsBytesMax, type SafeAnswer } from 'renown/sources'
import { siteOf } from './site-links'

/** Renown's user agent, and its name in robots.txt. */
export const crawler = 'Renown'
const userAgent = `${crawler}/1.0 (reads a business's own pages for its profile; obeys robots.txt)`

const timeoutMs = 12_000
const hopsMax = 4

/** Fetches pages of one site, as its robots.txt allows. */
export interface SiteFetch {
  /** Whether robots.txt allows the address. Throws a ServiceFault if that is unknown. */
  allows(url: string): Promise<boolean>
  /** Fetches the address, following redirects within the site. Throws a ServiceFault for anything but success. */
  get(url: string, asked: { readonly maxBytes: number; readonly accept: string }): Promise<SafeAnswer>
}

/** Creates a function that fetches pages of one site, and never follows links or redirects outside it. */
export function createSiteFetch(
  { safeFetch }: Pick<OwnerContext['outbound'], 'safeFetch'>,
  start: string,
  signal: AbortSignal,
): SiteFetch {
  const site = siteOf(new URL(start))
  const robots = new Map<string, Promise<Robots>>()

  const follow = async (
    first: string,
    { maxBytes, accept }: { readonly maxBytes: number; readonly accept: string },
    guard: (url: string) => Promise<void>,
  ): Promise<SafeAnswer> => {
    let url = first
    for (let hops = 0; ; hops++) {
      await guard(url)
      const headers = { 'user-agent': userAgent }
      const asked = { maxBytes, timeoutMs, plainHttp: true, accept, headers }
      const answer = await unless(signal, safeFetch(url, asked)).catch(ofTheWebsite)
      const location = answer.headers.get('location')
      if (answer.status < 300 || answer.status >= 400 || location === null) return answer
      if (hops === hopsMax)
        throw new ServiceFault('permanent', 'The website redirects too many times', { code: 'redirect' })
      url = within(site, URL.parse(location, url))
    }
  }
  const robotsAt = async (origin: string): Promise<Robots> => {
    try {
      const asked = { maxBytes: 4 * robotsBytesMax, accept: 'text/plain, */*' }
      const { status, body } = await follow(`${origin}/robots.txt`, asked, async () => {})
      if (status === 429 || status >= 500)
        throw new ServiceFault(
          'transient',
          `The website's robots.txt cannot be read: it answered with status ${status}`,
        )
      return parseRobots(status < 300 ? body : '')
    } catch (error) {
      // A robots.txt that redirects to another site, redirects forever or does not exist contains no rules.
      const code = error instanceof ServiceFault ? error.code : undefined
      if (code === 'elsewhere' || code === 'redirect' || code === 'too_large' || code === 'malformed')
        return parseRobots('')
      throw error
    }
  }
  const allows = async (url: string) => {
    const { origin, pathname, search } = new URL(url)
    const known = robots.get(origin) ?? robotsAt(origin)
    robots.set(origin, known)
    return (await known).verdict(crawler, `${pathname}${search}`).allowed
  }
  return {
    allows,
    async get(url, asked) {
      const answer = await follow(url, asked, async (next) => {
        if (await allows(next)) return
        throw new ServiceFault('permanent', "The website's robots.txt does not allow Renown to read it", {
          code: 'robots',
        })
      })
      const fault = statusFault(answer, `The website answered with status ${answer.status}`)
      if (fault === null) return answer
      // A request to slow down counts as an attempt.
      throw fault.kind === 'rate' ? new ServiceFault('transient', fault.message, { code: '429' }) : fault
    },
  }
}

/** Rejects if the signal aborts. The work itself continues and its result is ignored. */
async function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const off = Promise.withResolvers<never>()
  const stop = () => off.reject(signal.reason)
  signal.addEventListener('abort', stop)
  return Promise.race([work, off.promise]).finally(() => signal.removeEventListener('abort', stop))
}

/** Rethrows a network fault with the website in its message. */
function ofTheWebsite(error: unknown): never {
  if (!isServiceFault(error)) throw error
  const { kind, message, code, retryAfterMs } = error
  throw new ServiceFault(kind, `The website cannot be read: ${message}`, { code, retryAfterMs })
}

/** Whether the host is an IP address. Messages do not repeat it, because a stranger can choose any address. */
const isAddress = ({ hostname }: URL) => /^\[|^\d+(?:\.\d+){3}$/.test(hostname)

function within(site: string, next: URL | null): string {
  if (!next || !/^https?:$/.test(next.protocol))
    throw new ServiceFault('permanent', 'The website redirects to an invalid address', { code: 'redirect' })
  if (siteOf(next) === site) return next.href
  const host = isAddress(next) ? '' : `, ${next.hostname.slice(0, 100)}`
  throw new ServiceFault(
    'permanent',
    `The website redirects to another site${host}. If that site is right, enter it as the website`,
    { code: 'elsewhere' },
  )
}
