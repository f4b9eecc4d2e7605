import { isPassing, isServiceFault, type ServiceFault } from 'renown'
import { parseRobots, type Robots, type SafeAnswer, type SafeFetch } from 'renown/sources'
import { shownUrl } from '../records/section'
import { type PageFacts, type RobotsWord, readPage, robotsHeader } from './readPage'

export interface WebsiteReading {
  readonly safeFetch: SafeFetch
  readonly website: URL
  /**
   * Whether a fault leaves no other attempt. In earlier ones temporary faults are thrown, so that the audit is tried again.
   */
  readonly isLast: (error: unknown) => boolean
}

/**
 * A website's robots.txt. `unreachable` is a server error, which RFC 9309 treats as a ban. A `too_large` file is
 * unknown.
 */
export interface RobotsFile {
  readonly state: 'read' | 'absent' | 'unreachable' | 'too_large'
  readonly status: number
  readonly robots: Robots | null
}

/** The public state of a website. */
export interface WebsiteLook {
  /** Why Renown's own rules forbid it, such as an address that is not public. */
  readonly refused?: string
  readonly reachable: boolean
  /** Why the website could not be reached. */
  readonly fault?: ServiceFault
  readonly https: { readonly works: boolean; readonly reason?: string }
  /** Whether plain http redirects to https. Null if plain http does not answer. */
  readonly http_leads_to_https: boolean | null
  readonly redirects: readonly string[]
  /** The last requested address. */
  readonly url: URL
  readonly robots: RobotsFile | null
  readonly page: (PageFacts & { readonly headers: readonly RobotsWord[] }) | null
  /** Why the page was not read. */
  readonly unread?: string
  readonly llms_txt: boolean | null
}

/** The name of Renown in robots.txt. */
const ownName = 'Renown'
const pageBytesMax = 4 * 1024 * 1024
const fileBytesMax = 2 * 1024 * 1024
const timeoutMs = 8_000
const redirectsMax = 5

/** Fetches a website's public pages, as far as its robots.txt allows. */
export async function lookAtWebsite(look: WebsiteReading): Promise<WebsiteLook> {
  const robotsOf = robotsReader(look)
  const secure = withScheme(look.website, 'https:')
  const first = await walk(look, secure, robotsOf)
  const fault = first.fault
  if (fault?.code === 'refused') return { ...unseen(first), refused: fault.message }
  const plain = fault ? await walk(look, withScheme(secure, 'http:'), robotsOf) : null
  const seen = plain && !plain.fault ? plain : first
  const isSecure = !fault && first.url.protocol === 'https:'
  return {
    ...(seen.fault ? { reachable: false, fault: seen.fault } : { reachable: true }),
    https: isSecure
      ? { works: true }
      : { works: false, reason: fault?.message ?? 'It redirects to plain http.' },
    http_leads_to_https: await leadsToHttps(look, first, withScheme(secure, 'http:')),
    redirects: seen.redirects,
    url: seen.url,
    robots: seen.robots,
    ...(await read(seen)),
    llms_txt: seen.fault ? null : await hasLlmsTxt(look, seen),
  }
}

interface Walk {
  readonly redirects: readonly string[]
  readonly url: URL
  readonly robots: RobotsFile | null
  readonly answer?: SafeAnswer
  readonly fault?: ServiceFault | undefined
}

const unseen = ({ redirects, url, fault }: Walk): WebsiteLook => ({
  reachable: false,
  http_leads_to_https: null,
  redirects,
  url,
  robots: null,
  page: null,
  llms_txt: null,
  https: { works: false, reason: fault?.message ?? '' },
})

/** Follows redirects from one address, and reads each host's robots.txt before anything else. */
async function walk(look: WebsiteReading, start: URL, robotsOf: RobotsReader): Promise<Walk> {
  const redirects: string[] = []
  for (let url = start; ; ) {
    const robots = await robotsOf(url)
    if (isServiceFault(robots)) return { redirects, url, robots: null, fault: robots }
    const at = { redirects, url, robots }
    if (!mayAsk(robots, url)) return at
    const answer = await tried(look, url, { accept: 'text/html, */*', maxBytes: pageBytesMax })
    // A page that is too large or in an unknown form still exists.
    if (isServiceFault(answer)) return isThere(answer) ? at : { ...at, fault: answer }
    const next = redirectOf(answer, url)
    if (next === null || redirects.length === redirectsMax) return { ...at, answer }
    redirects.push(shownUrl(next))
    url = next
  }
}

const isThere = ({ code }: ServiceFault) => code === 'too_large'
const pathOf = ({ pathname, search }: URL) => `${pathname}${search}`
const mayAsk = ({ robots }: RobotsFile, url: URL) => robots?.verdict(ownName, pathOf(url)).allowed ?? false

type RobotsReader = (url: URL) => Promise<RobotsFile | ServiceFault>

/** Reads each origin's robots.txt once. */
function robotsReader(look: WebsiteReading): RobotsReader {
  const known = new Map<string, Promise<RobotsFile | ServiceFault>>()
  return (url) => {
    const reading = known.get(url.origin) ?? readRobots(look, url)
    known.set(url.origin, reading)
    return reading
  }
}

async function readRobots(look: WebsiteReading, { origin }: URL): Promise<RobotsFile | ServiceFault> {
  const asked = { accept: 'text/plain, */*', maxBytes: fileBytesMax, redirects: redirectsMax }
  const answer = await tried(look, new URL('/robots.txt', origin), asked)
  if (isServiceFault(answer)) {
    if (answer.code === 'too_large') return { state: 'too_large', status: 200, robots: null }
    // RFC 9309 allows a robot to treat a file that only redirects as missing.
    return answer.code === 'redirect' ? { state: 'absent', status: 301, robots: parseRobots('') } : answer
  }
  const { status, body } = answer
  if (status >= 500)
    return { state: 'unreachable', status, robots: parseRobots('User-agent: *\nDisallow: /') }
  const isRead = status >= 200 && status < 300
  return { state: isRead ? 'read' : 'absent', status, robots: parseRobots(isRead ? body : '') }
}

/** Returns the page, or why it was not read. */
async function read({ answer, fault, robots, url }: Walk): Promise<Pick<WebsiteLook, 'page' | 'unread'>> {
  if (fault) return { page: null, unread: fault.message }
  if (!answer) {
    if (robots?.state === 'unreachable')
      return { page: null, unread: `Its robots.txt answers ${robots.status}, which is a no to robots.` }
    if (robots?.state === 'too_large') return { page: null, unread: 'Its robots.txt is too large.' }
    const isBarred = robots !== null && !mayAsk(robots, url)
    return { page: null, unread: isBarred ? 'Its robots.txt does not allow it.' : 'The page is too large.' }
  }
  const { status, headers, body } = answer
  if (status >= 300) return { page: null, unread: `It answers ${status}.` }
  const type = headers.get('content-type') ?? ''
  if (type !== '' && !/html/i.test(type)) return { page: null, unread: 'It is not HTML.' }
  const page = await readPage(body, url.href)
  return { page: { ...page, headers: robotsHeader(headers.get('x-robots-tag')) } }
}

/** What is only of interest is left out, whatever happens. */
const always = () => true

async function leadsToHttps(
  look: WebsiteReading,
  { fault, robots }: Walk,
  url: URL,
): Promise<boolean | null> {
  if (fault || !robots || !mayAsk(robots, url)) return null
  const answer = await tried({ ...look, isLast: always }, url, { maxBytes: fileBytesMax })
  if (isServiceFault(answer)) return null
  return redirectOf(answer, url)?.protocol === 'https:'
}

async function hasLlmsTxt(look: WebsiteReading, { url, robots }: Walk): Promise<boolean | null> {
  const file = new URL('/llms.txt', url.origin)
  if (!robots || !mayAsk(robots, file)) return null
  const asked = { accept: 'text/plain, */*', maxBytes: fileBytesMax, redirects: redirectsMax }
  const answer = await tried({ ...look, isLast: always }, file, asked)
  if (isServiceFault(answer)) return null
  const isText = !/html/i.test(answer.headers.get('content-type') ?? '')
  return (
    answer.status === 200 && isText && /^\s*#/.test(new TextDecoder().decode(answer.body.subarray(0, 200)))
  )
}

type Asked = Omit<Parameters<SafeFetch>[1], 'timeoutMs' | 'plainHttp'>

async function tried(
  { safeFetch, isLast }: WebsiteReading,
  url: URL,
  asked: Asked,
): Promise<SafeAnswer | ServiceFault> {
  try {
    return await safeFetch(url.href, { ...asked, timeoutMs, plainHttp: true })
  } catch (error) {
    if (!isServiceFault(error) || (isPassing(error) && !isLast(error))) throw error
    return error
  }
}

function redirectOf({ status, headers }: SafeAnswer, url: URL): URL | null {
  const location = headers.get('location')
  return location !== null && [301, 302, 303, 307, 308].includes(status)
    ? URL.parse(location, url.href)
    : null
}

function withScheme(url: URL, protocol: 'http:' | 'https:'): URL {
  const other = new URL(url)
  other.protocol = protocol
  other.hash = ''
  return other
}
