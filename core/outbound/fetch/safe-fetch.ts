import type { Dns, SafeAnswer, SafeFetch, SafeFetchOptions } from '../../contracts/outbound'
import type { Log } from '../../contracts/plugin'
import { isServiceFault, type ServiceFault } from '../../contracts/service-fault'
import { traced } from '../../work/traces'
import { readBody } from '../body'
import { outboundFault } from '../fault'
import { fetchCode, isUnsent } from '../unsent'
import { type Target, targetOf } from './target'

export interface SafeFetchDeps {
  readonly dns: Pick<Dns, 'addresses'>
  readonly log: Log
  /** For tests and development: also allows addresses of the machine itself, on any port and without TLS. */
  readonly allowLoopback?: boolean
  /** Returns the headers that sign a request. Used for requests that only read. */
  readonly sign?: (url: URL) => Readonly<Record<string, string>>
  /** More trusted certificates, as PEM, for fake servers in tests. */
  readonly ca?: string
}

const addressesTried = 3

/**
 * Creates the function that fetches user-supplied addresses, only from public IP addresses. The name is
 * looked up once, all its IP addresses must be public, and the connection uses a checked one. Name and
 * certificate stay those of the host.
 */
export function createSafeFetch(deps: SafeFetchDeps): SafeFetch {
  // The hosts are those of people and clients, so the span has none.
  return (url, options) =>
    traced({ name: 'fetch a website', sort: 'client' }, async (note) => {
      const answer = await fetchSafely(deps, url, options)
      note({ 'http.response.status_code': answer.status })
      return answer
    })
}

async function fetchSafely(deps: SafeFetchDeps, url: string, options: SafeFetchOptions): Promise<SafeAnswer> {
  const { redirects = 0, method = 'GET', timeoutMs } = options
  const signal = AbortSignal.timeout(timeoutMs)
  let target = await targetOf(url, deps, options, signal)
  let credentials = options.headers ?? {}
  for (let followed = 0; ; followed++) {
    const response = await connect(deps, target, { ...options, headers: credentials }, signal)
    const location = response.headers.get('location')
    if (location === null || !isRedirect(response.status) || redirects === 0) {
      return answerOf(target, response, options, signal)
    }
    await response.body?.cancel()
    if (followed === redirects) throw outboundFault('redirect', 'The host redirects too many times.')
    if (method === 'POST') throw outboundFault('redirect', 'The host redirected a request that sent data.')
    const next = URL.parse(location, target.url.href)
    if (!next) throw outboundFault('redirect', 'The host redirected to an invalid address.')
    if (next.origin !== target.url.origin) credentials = {}
    target = await targetOf(next.href, deps, options, signal)
  }
}

async function answerOf(
  { url }: Target,
  response: Response,
  { maxBytes }: SafeFetchOptions,
  signal: AbortSignal,
): Promise<SafeAnswer> {
  const { status, headers } = response
  const body = await readBody(response, maxBytes).catch((error) => {
    throw faultOf(error, signal)
  })
  return { status, headers, body, url: url.href }
}

/** Tries the addresses one after another until one accepts the connection. */
async function connect(
  { log, ca, sign }: SafeFetchDeps,
  { url, addresses }: Target,
  { method = 'GET', headers, body, accept }: SafeFetchOptions,
  signal: AbortSignal,
): Promise<Response> {
  const sent = new Headers({ 'user-agent': 'Renown', 'accept-encoding': 'gzip', ...headers })
  if (accept) sent.set('accept', accept)
  sent.set('host', url.host)
  if (sign && method !== 'POST') for (const [name, value] of Object.entries(sign(url))) sent.set(name, value)
  const tls = tlsOf(url, ca)
  let last: unknown
  for (const address of addresses.slice(0, addressesTried)) {
    try {
      return await fetch(pinned(url, address), {
        method,
        headers: sent,
        ...(body === undefined ? {} : { body }),
        redirect: 'manual',
        signal,
        keepalive: false,
        // Renown decompresses the answer itself, within limits. A proxy of the environment would look up the
        // name again.
        decompress: false,
        proxy: false,
        tls,
      } as unknown as BunFetchRequestInit)
    } catch (error) {
      last = error
      if (signal.aborted || !isUnsent(error)) break
    }
  }
  log.debug('a request to an outside host failed', {
    ...(isName(url) ? { host: url.host } : {}),
    code: fetchCode(last),
  })
  throw faultOf(last, signal)
}

/** Returns the rules for the certificate: it must be valid for the name of the host. */
export const tlsOf = (url: URL, ca: string | undefined) => ({
  rejectUnauthorized: true,
  ...(isName(url) ? { serverName: url.hostname } : {}),
  ...(ca ? { ca } : {}),
})

/** Returns the address with the IP address instead of the name. */
export function pinned(url: URL, address: string): string {
  const port = url.port === '' ? '' : `:${url.port}`
  const host = address.includes(':') ? `[${address}]` : address
  return `${url.protocol}//${host}${port}${url.pathname}${url.search}`
}

const isName = (url: URL) => !/^\[|^\d+(?:\.\d+){3}$/.test(url.hostname)
const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status)

function faultOf(error: unknown, signal: AbortSignal): ServiceFault {
  if (isServiceFault(error)) return error
  if (signal.aborted) return outboundFault('timeout', 'The host did not answer in time.')
  const code = fetchCode(error)
  if (/CERT|ALTNAME|SELF_SIGNED|ISSUER|TLS|SSL|LEAF/i.test(code)) {
    return outboundFault('certificate', "The host's certificate is not valid for its name.")
  }
  if (/HTTP|Headers|Malformed|Decompress|Invalid/i.test(code)) {
    return outboundFault('malformed', "The host's answer is not valid HTTP.")
  }
  return outboundFault(
    'unreachable',
    'The host could not be reached.',
    isUnsent(error) ? 'unsent' : undefined,
  )
}
