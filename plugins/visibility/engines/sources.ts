import { oneLine } from 'renown'
import { normaliseDomain, webAddress } from 'renown/sources'
import type { EngineSource, TextSpan, WireSource } from './engine'

const titleMax = 300
/** Maximum number of stored sources of an answer. Its raw form contains all of them. */
const sourcesMax = 300
const spansMax = 50

/** Tracking parameters that engines add to the addresses of their sources. */
const marks: Readonly<Record<string, readonly string[]>> = { utm_source: ['openai', 'chatgpt.com'] }

/**
 * Returns sources in their order, each page once. A source without a usable address is kept with its domain.
 */
export function sourcesOf(told: readonly WireSource[], text: string): EngineSource[] {
  const byKey = new Map<string, EngineSource & { spans?: TextSpan[] }>()
  for (const source of told) {
    const read = sourceOf(source)
    const key = read.url ?? `${read.domain} ${read.title ?? ''}`
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
  const known = new Set(cited.map(({ url, domain }) => url ?? domain))
  return consulted.filter(({ url, domain }) => !known.has(url ?? domain))
}

function sourceOf({ url, title, isUnresolved }: WireSource): EngineSource & { spans?: TextSpan[] } {
  const named = oneLine(title, titleMax)
  const titled = named === '' ? {} : { title: named }
  const address = isUnresolved ? undefined : webAddress(url)
  if (address === undefined) {
    return { url: null, domain: normaliseDomain(named) ?? '', ...titled, isUnresolved: true }
  }
  const clean = withoutMarks(address)
  return { url: clean, domain: domainOf(clean), ...titled }
}

const domainOf = (url: string) => {
  const host = URL.parse(url)?.hostname ?? ''
  return normaliseDomain(host) ?? host
}

function withoutMarks(address: string): string {
  const url = new URL(address)
  for (const [name, values] of Object.entries(marks)) {
    if (values.includes(url.searchParams.get(name) ?? '')) url.searchParams.delete(name)
  }
  return url.href
}

const isWithin = (span: TextSpan | undefined, text: string): span is TextSpan =>
  span !== undefined && span.start >= 0 && span.start < span.end && span.end <= text.length
