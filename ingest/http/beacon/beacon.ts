import { type IngestSite, type Log, parseJson } from 'renown/contracts'
import type { Metrics } from '../../count/metrics'
import type { Journal } from '../../journal/journal'
import type { AgentsInUse } from '../../judge/agent-index'
import type { BeaconLists } from '../../judge/assistant'
import type { DayOf } from '../../parse/days'
import type { PathBound } from '../../parse/path-bound'
import { pathOf } from '../../parse/paths'
import type { Signals } from '../../sites/signals'
import { isOriginOfSite, isTrialDomain } from '../../sites/site-host'
import { headerOf } from '../header'
import { beaconScript, type ScriptOptions } from './beacon-script'

export interface BeaconDeps {
  readonly journal: Journal
  readonly dayOf: DayOf
  readonly paths: PathBound
  readonly signals: Signals
  readonly metrics: Metrics
  /** The agents and assistants that are known now. */
  readonly agents: Pick<AgentsInUse, 'current'>
  readonly now: () => Date
  readonly log: Log
}

/**
 * Pages of any origin may read the answers, because the answers are empty and any page can use the script.
 */
export const openToAll = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const

const variantOf = (options: ScriptOptions, lists: BeaconLists) => {
  const plain = beaconScript(options, lists)
  return { plain, gzip: Bun.gzipSync(plain), etag: `"${Bun.hash.xxHash3(plain)}"` }
}
/** The scripts of each registry. Those of an earlier one go with it. */
const variantsOf = new WeakMap<BeaconLists, Map<string, ReturnType<typeof variantOf>>>()

/** Returns the script of a site, cached for a day, and compressed if the browser accepts gzip. */
export function serveScript(site: IngestSite, headers: Headers, lists: BeaconLists): Response {
  const variants = variantsOf.get(lists) ?? new Map<string, ReturnType<typeof variantOf>>()
  variantsOf.set(lists, variants)
  const options = { respectDnt: site.respect_dnt, isTrial: isTrialDomain(site.domain) }
  const name = JSON.stringify(options)
  const variant = variants.get(name) ?? variantOf(options, lists)
  variants.set(name, variant)
  const common = {
    ...openToAll,
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=86400',
    'x-content-type-options': 'nosniff',
    etag: variant.etag,
    vary: 'accept-encoding',
  }
  if (headerOf(headers, 'if-none-match').includes(variant.etag)) {
    return new Response(null, { status: 304, headers: common })
  }
  if (!/\bgzip\b/.test(headerOf(headers, 'accept-encoding'))) {
    return new Response(variant.plain, { headers: common })
  }
  return new Response(variant.gzip, { headers: { ...common, 'content-encoding': 'gzip' } })
}

interface Arrival {
  readonly check: string
  readonly referrer: string
  readonly utmSource: string
  readonly path: string
}

/** Counts a visit that the script reports, or drops it. Resolves with whether the journal stored it. */
export async function countArrival(
  deps: BeaconDeps,
  site: IngestSite,
  headers: Headers,
  body: string,
): Promise<boolean> {
  const arrival = readArrival(body)
  if (!arrival || !isOriginOfSite(headerOf(headers, 'origin'), site.domain)) return false
  if (arrival.check) {
    deps.signals.testVisit(site.site_id, arrival.check, pathOf(arrival.path))
    deps.log.info('The beacon of a site was tested', { site_id: site.site_id })
    return false
  }
  if (headers.get('sec-gpc') === '1' || (site.respect_dnt && headers.get('dnt') === '1')) return false
  const ua = headerOf(headers, 'user-agent')
  const { assistantOf, classify } = deps.agents.current
  const assistant = assistantOf({ referrer: arrival.referrer, utmSource: arrival.utmSource, ua })
  // A crawler that runs scripts is not a visitor. The access log has its page view.
  if (!assistant || classify(ua)) return false
  const ts = deps.now().getTime()
  const date = deps.dayOf(ts, site.timezone)
  const visit = {
    kind: 'visit',
    site_id: site.site_id,
    date,
    agent: assistant.host,
    category: '',
    operator: '',
    path: deps.paths.admit(site.site_id, date, pathOf(arrival.path)),
    verdict: 'unchecked',
    ts,
  } as const
  await deps.journal.append({ hits: [visit] })
  deps.metrics.visit()
  return true
}

/**
 * Reads `check,match,path` as the script sends it. The match is `https://host/`, or `//source/` for
 * `utm_source`. Other senders can post JSON `{p: path, r: referrer, u: utm_source}`.
 */
function readArrival(body: string): Arrival | null {
  if (body.startsWith('{')) return readJson(body)
  const comma = body.indexOf(',')
  const check = body.slice(0, Math.max(0, comma))
  const pathAt = comma === -1 ? -1 : pathStart(body, comma + 1)
  if (pathAt === -1 || !/^[\w-]{0,64}$/.test(check)) return null
  const source = body.slice(comma + 1, pathAt - 1)
  const isUtm = source.startsWith('//')
  return {
    check,
    referrer: isUtm ? '' : source.replace(/:$/, '/'),
    utmSource: isUtm ? source.slice(2, -1) : '',
    path: body.slice(pathAt),
  }
}

/** Returns the start of the path after a match that begins at `from`, or -1 if there is no match. */
function pathStart(body: string, from: number): number {
  if (body.startsWith(',/', from)) return from + 1
  const scheme = /^(?:[a-z-]{1,64}:)?\/\//i.exec(body.slice(from, from + 67))
  if (!scheme) return -1
  const host = from + scheme[0].length
  const slash = body.indexOf('/', host)
  if (slash > host && body.startsWith(',/', slash + 1)) return slash + 2
  // If a match ends in a colon, the slash belongs to the path.
  return slash - 2 > host && body.startsWith(':,', slash - 2) ? slash : -1
}

function readJson(body: string): Arrival | null {
  try {
    const parsed = parseJson(body) as Record<string, unknown>
    const text = (value: unknown) => (typeof value === 'string' ? value : '')
    return { check: '', referrer: text(parsed.r), utmSource: text(parsed.u), path: text(parsed.p) || '/' }
  } catch {
    return null
  }
}
