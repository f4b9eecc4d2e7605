import { oneLine } from 'renown'
import { cleanPageAddress, normaliseDomain, pageKey, webAddress } from 'renown/sources'
import type { EngineSource, TextSpan, WireSource } from './engine'

const titleMax = 300
/** Maximum number of stored sources of an answer. Its raw form contains all of them. */
const sourcesMax = 300
const spansMax = 50

/**
 * Returns sources in their order, each page once. A source without a usable address is kept with its domain.
 */
export function sourcesOf(told: readonly WireSource[], text: string): EngineSource[] {
  const byKey = new Map<string, EngineSource & { spans?: TextSpan[] }>()
  for (const source of told) {
    const read = sourceOf(source)
    const key = read.url ? pageKey(read.url) : `${read.domain} ${read.title ?? ''}`
    const known = byKey.get(key) ?? read
    if (!byKey.has(key) && byKey.size < sourcesMax) byKey.set(key, known)
    if (isWithin(source.span, text)) known.spans = [...(known.spans ?? []), source.span].slice(0, spansMax)
  }
  return [...byKey.values()]
}

/** Returns the sources that are not among the cited ones. */
export function notCited(
  consulted: readonly EngineSource[],
  cited: readonly EngineSource[],
): readonly EngineSource[] {
  const keyOf = ({ url, domain }: EngineSource) => (url === null ? domain : pageKey(url))
  const known = new Set(cited.map(keyOf))
  return consulted.filter((source) => !known.has(keyOf(source)))
}

function sourceOf({ url, title, isUnresolved }: WireSource): EngineSource & { spans?: TextSpan[] } {
  const named = oneLine(title, titleMax)
  const titled = named === '' ? {} : { title: named }
  const address = isUnresolved ? undefined : webAddress(url)
  if (address === undefined) {
    return { url: null, domain: normaliseDomain(named) ?? '', ...titled, isUnresolved: true }
  }
  const clean = cleanPageAddress(address)
  return { url: clean, domain: domainOf(clean), ...titled }
}

const domainOf = (url: string) => {
  const host = URL.parse(url)?.hostname ?? ''
  return normaliseDomain(host) ?? host
}

const isWithin = (span: TextSpan | undefined, text: string): span is TextSpan =>
  span !== undefined && span.start >= 0 && span.start < span.end && span.end <= text.length
