import { type Assistant, assistants } from '../data/assistants'

/** The assistant that referred a visitor. `host` is the key of `by_referrer`. */
export interface Referral {
  readonly host: string
  readonly name: string
}

/** The traces of a visit's origin. */
export interface VisitTraces {
  readonly referrer?: string | null
  readonly utmSource?: string | null
  readonly ua?: string | null
}

interface Part {
  readonly host: string
  /** A path, or a question mark and a pair of the query. */
  readonly rest: string
  readonly referral: Referral
}

/**
 * The lists in the beacon script. A referrer matches if its host is one of `hosts` or a subdomain, or if it
 * starts with one of `parts` (`host/path`, or `host?query` for a pair in the query). An Android package
 * matches too. Without a referrer, `utm_source` can match `utm` and `hosts`, or the user agent a product
 * token of `markers`.
 */
export interface BeaconLists {
  readonly hosts: readonly string[]
  readonly parts: readonly string[]
  readonly packages: readonly string[]
  readonly utm: readonly string[]
  readonly markers: readonly string[]
}

/** The search for the assistants of a registry. */
export interface Assistants {
  /**
   * Returns the assistant that referred a visitor, or null. If there is a referrer, only the referrer decides,
   * because people copy `utm_source` with their links. Otherwise `utm_source` decides, then the mark of an
   * app's own browser.
   */
  assistantOf(traces: VisitTraces): Referral | null
  readonly beaconLists: BeaconLists
}

interface Traces {
  readonly byHost: Map<string, Referral>
  readonly byPackage: Map<string, Referral>
  readonly byUtm: Map<string, Referral>
  readonly byMarker: Map<string, Referral>
  readonly parts: readonly Part[]
}

/** Creates the search for assistants. */
export function createAssistants(all: readonly Assistant[]): Assistants {
  const traces: Traces = {
    byHost: new Map(),
    byPackage: new Map(),
    byUtm: new Map(),
    byMarker: new Map(),
    parts: all.flatMap(({ name, parts: written = [] }) => written.map((part) => partNamed(name, part))),
  }
  for (const assistant of all) index(traces, assistant)
  const { byHost, byPackage, byUtm, byMarker } = traces
  const marker =
    byMarker.size === 0 ? null : new RegExp(`(?<![a-z0-9])(${[...byMarker.keys()].join('|')})/\\d`, 'i')
  return {
    assistantOf({ referrer, utmSource, ua }) {
      if (referrer) return byReferrer(traces, referrer)
      const source = byUtm.get(hostKey(utmSource?.trim() ?? ''))
      if (source) return source
      const token = ua && marker?.exec(ua.slice(0, 1024))?.[1]
      return (token && byMarker.get(token.toLowerCase())) || null
    },
    beaconLists: {
      hosts: [...byHost.keys()],
      parts: all.flatMap((assistant) => assistant.parts ?? []),
      packages: [...byPackage.keys()],
      utm: [...byUtm.keys()].filter((source) => !byHost.has(source)),
      markers: [...byMarker.keys()],
    },
  }
}

/** The search for the assistants of this release. */
export const { assistantOf, beaconLists }: Assistants = createAssistants(assistants)

/** Returns a host as reports use it: lower case, without `www.`, port and trailing dot. */
export function hostKey(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/\.$/, '')
    .replace(/^www\./, '')
}

function byReferrer({ byHost, byPackage, parts }: Traces, referrer: string): Referral | null {
  const url = URL.parse(referrer.includes('://') ? referrer : `https://${referrer}`)
  if (!url) return null
  if (url.protocol === 'android-app:') return byPackage.get(url.host.toLowerCase()) ?? null
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  const host = hostKey(url.hostname)
  return lookup(byHost, host) ?? partOf(parts, host, url)
}

/** The longest name in the DNS. */
const hostMax = 253

function lookup(byHost: ReadonlyMap<string, Referral>, host: string): Referral | null {
  if (host.length > hostMax) return null
  for (let at = host; ; ) {
    const found = byHost.get(at)
    if (found) return found
    const dot = at.indexOf('.')
    if (dot === -1) return null
    at = at.slice(dot + 1)
  }
}

function partOf(parts: readonly Part[], host: string, url: URL): Referral | null {
  const found = parts.find(({ host: own, rest }) => {
    if (host !== own) return false
    if (rest.startsWith('?')) return url.search.slice(1).split('&').includes(rest.slice(1))
    return url.pathname === rest || url.pathname.startsWith(`${rest}/`)
  })
  return found?.referral ?? null
}

function index(
  { byHost, byPackage, byUtm, byMarker }: Traces,
  { name, hosts, utm = [], android = [], markers = [] }: Assistant,
): void {
  // Only assistants with a host leave traces without one.
  const [key = ''] = hosts
  const main = { host: key, name }
  for (const host of hosts) {
    byHost.set(host, { host, name })
    byUtm.set(host, { host, name })
  }
  for (const source of utm) byUtm.set(source, main)
  for (const app of android) byPackage.set(app, main)
  for (const token of markers) byMarker.set(token.toLowerCase(), main)
}

function partNamed(name: string, part: string): Part {
  const host = part.replace(/[/?].*/, '')
  return { host, rest: part.slice(host.length), referral: { host, name } }
}
