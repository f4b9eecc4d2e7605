import type { OwnerContext } from 'renown'
import { normaliseDomain } from 'renown/sources'
import type { WireSource } from 'renown/visibility'

/** The host of Google's redirects, which stop working after some days. */
const redirectHost = 'vertexaisearch.cloud.google.com'
/** Domains that are never the source of an answer. */
const noSources: readonly string[] = [redirectHost, '127.0.0.1']
/** Maximum redirects of an answer that are resolved. The others keep the domain in their title. */
const redirectsMax = 60
const atOnce = 6
const eachMs = 5_000
const bytesMax = 64 * 2 ** 10

/**
 * Replaces Google's redirects by their target addresses. Sends requests only to Google, and never fetches the
 * targets. A redirect that cannot be resolved keeps its source, marked as unresolved.
 */
export async function resolveRedirects(
  { safeFetch }: Pick<OwnerContext['outbound'], 'safeFetch'>,
  sources: readonly WireSource[],
  signal: AbortSignal | undefined,
): Promise<WireSource[]> {
  const redirects = [...new Set(sources.map(({ url }) => url).filter(isRedirect))]
  const targets = new Map<string, string | null>()
  const waiting = redirects.slice(0, redirectsMax)
  const work = async () => {
    for (let url = waiting.shift(); url !== undefined && !signal?.aborted; url = waiting.shift())
      targets.set(url, await targetOf(safeFetch, url))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return sources.map((source) => {
    if (!isRedirect(source.url)) return source
    const target = targets.get(source.url) ?? null
    return target === null ? { ...source, isUnresolved: true } : { ...source, url: target }
  })
}

const isRedirect = (url: string): boolean => URL.parse(url)?.hostname === redirectHost

async function targetOf(safeFetch: OwnerContext['outbound']['safeFetch'], url: string) {
  try {
    const { status, headers } = await safeFetch(url, { maxBytes: bytesMax, timeoutMs: eachMs })
    const target = URL.parse(headers.get('location') ?? '', url)
    if (status < 300 || status > 399 || target === null || !/^https?:$/.test(target.protocol)) return null
    // An address in a private network, or another redirect, does not identify the source.
    const domain = normaliseDomain(target.hostname)
    return domain?.includes('.') && !noSources.includes(domain) ? target.href : null
  } catch {
    return null
  }
}
