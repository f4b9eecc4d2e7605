import { where } from '../contracts/where'
import type { Config } from '../process/config'
import { createTrusted, type Peer } from '../requests/client-address'
import { headerText } from '../requests/headers'
import { type Host, isLoopback } from '../requests/host'
import type { Documents } from '../stores/documents/port'
import { BoundedMap, cachedReads } from '../stores/documents/read-cache'
import { WhiteLabelDomain } from '../tenancy/domains/WhiteLabelDomain'

export interface Hosts {
  readonly main: Host
  /** Returns the host that a request is for, or null if the product does not answer on it. */
  admit(request: Request, peer: Peer): Host | null | Promise<Host | null>
}

export interface HostsDeps {
  readonly documents: Documents
  readonly config: Pick<Config, 'apiUrl' | 'TRUSTED_PROXIES'>
}

const rememberedMax = 1_000

/**
 * Creates the lookup of hosts: the main host, the machine itself and every verified white-label domain.
 * X-Forwarded-Host is used only if a trusted proxy sent it. Origins come from stored data, never from the
 * request.
 */
export function createHosts({ documents, config }: HostsDeps): Hosts {
  const mainUrl = new URL(config.apiUrl)
  const main: Host = { origin: mainUrl.origin, kind: 'main', agency_id: null }
  const isMain = isLoopback(mainUrl.hostname)
    ? (authority: string) => authority === mainUrl.host
    : (authority: string) => nameOf(authority) === mainUrl.hostname
  const isTrusted = config.TRUSTED_PROXIES.length > 0 ? createTrusted(config.TRUSTED_PROXIES) : null
  const verified = verifiedDomains(documents)
  const fixed = new BoundedMap<string, Host>(rememberedMax)
  /** Hosts that need no lookup in the store are cached by the text of the header. */
  const find = (given: string): Host | Promise<Host | null> => {
    const known = fixed.get(given)
    if (known) return known
    const authority = given.toLowerCase()
    const found = isMain(authority) ? main : loopbackHost(authority)
    if (!found) return verified(nameOf(authority))
    fixed.set(given, found)
    return found
  }
  return {
    main,
    admit: (request, peer) => {
      const forwarded = isTrusted?.(peer()) ? lastOf(headerText(request.headers, 'x-forwarded-host')) : ''
      return find(forwarded || authorityOf(request))
    },
  }
}

/**
 * Looks up the verified domains again after every write to domains, so that a removal applies to the next
 * request.
 */
function verifiedDomains(documents: Documents) {
  const domains = documents.collection(WhiteLabelDomain)
  return cachedReads(domains, async (name): Promise<Host | null> => {
    const isServed = where.and(where.eq('domain', name), where.eq('state', 'verified'))
    const [row] = await domains.find({ where: isServed, limit: 1 })
    return row
      ? { origin: `https://${row.domain}`, kind: 'white_label', agency_id: String(row.agency_id) }
      : null
  })
}

function loopbackHost(authority: string): Host | null {
  if (!isLoopback(nameOf(authority))) return null
  const url = URL.parse(`http://${authority}`)
  return url && { origin: url.origin, kind: 'loopback', agency_id: null }
}

const authorityOf = (request: Request) => request.headers.get('host') ?? new URL(request.url).host
const nameOf = (authority: string) => authority.replace(/:\d{1,5}$/, '')
/** Returns the last value, because every proxy in a chain adds its value at the end. */
const lastOf = (list: string) => list.slice(list.lastIndexOf(',') + 1).trim()
