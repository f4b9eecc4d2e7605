import { answerBounds, parseJson } from 'renown/contracts'
import type { RangeList } from '../data/operators'
import { formatPrefix, isPublic, type Prefix, parsePrefix } from '../parse/address'

/** Reads the networks of a published list, in canonical form and order. Throws if the list is invalid. */
export function readRangeList(
  body: string,
  format: RangeList['format'],
  open: typeof isPublic = isPublic,
): string[] {
  // One operator's list contained zero-width spaces for years.
  const text = body.replace(/[\u200b-\u200d\u2060\ufeff]/g, '').trim()
  if (text === '') throw new Error('the list is empty')
  if (format !== 'page' && text.startsWith('<')) throw new Error('the answer is a web page, not a list')
  const written = readers[format](text)
  const networks = new Set<string>()
  for (const entry of written) {
    const prefix = parsePrefix(entry.trim())
    if (!prefix)
      throw new Error(`an entry of the list is not a network: ${JSON.stringify(entry.slice(0, 60))}`)
    refuseAbsurd(prefix, open)
    networks.add(formatPrefix(prefix))
  }
  if (networks.size === 0) throw new Error('the list has no networks')
  return [...networks].sort()
}

/** The widest plausible networks. A wider one could verify half the internet. */
const widestV4 = 12
const widestV6 = 24

function refuseAbsurd(prefix: Prefix, open: typeof isPublic): void {
  const { address, bits } = prefix
  if (bits < (address.v4 ? widestV4 : widestV6))
    throw new Error(`${formatPrefix(prefix)} is too wide to be an operator's range`)
  if (!open(address)) throw new Error(`${formatPrefix(prefix)} is private or reserved`)
}

function readJson(text: string): unknown {
  try {
    return parseJson(text, answerBounds)
  } catch {
    throw new Error('the list is not JSON')
  }
}

const prefixKeys = new Set([
  'ipv4Prefix',
  'ipv6Prefix',
  'ip_prefix',
  'ipv6_prefix',
  'ip_address',
  'ipAddress',
  'cidr',
  'prefix',
])
const listKeys = new Set([
  'prefixes',
  'ipv6_prefixes',
  'ips',
  'ip_addresses',
  'addresses',
  'ranges',
  'cidrs',
  'ipv4',
  'ipv6',
])

const readers: Record<RangeList['format'], (text: string) => string[]> = {
  json: (text) => prefixesIn(readJson(text)),
  csv: firstColumn,
  page: (text) => {
    const found = prefixesOfPage(text)
    if (found.length === 0) throw new Error('the page has no list')
    return found
  },
}

const beginning = /\s{0,8}:\s{0,8}\[/y

/**
 * Returns the networks of every JSON array `prefixes` in a page, which may be escaped as HTML or as a string.
 */
function prefixesOfPage(text: string): string[] {
  const plain = text
    .replaceAll(/&quot;|&#34;/g, '"')
    .replaceAll('\\"', '"')
    .replaceAll('\\n', ' ')
  const key = '"prefixes"'
  const found: string[] = []
  for (let at = plain.indexOf(key); at !== -1; at = plain.indexOf(key, at + key.length)) {
    beginning.lastIndex = at + key.length
    const open = beginning.test(plain) ? beginning.lastIndex - 1 : -1
    const close = open === -1 ? -1 : plain.indexOf(']', open)
    if (close === -1) continue
    found.push(...prefixesIn(readJson(plain.slice(open, close + 1))))
  }
  return found
}

/** Returns every network under a known key of the document. */
function prefixesIn(value: unknown, direct = true): string[] {
  if (Array.isArray(value))
    return value.flatMap((entry) =>
      typeof entry === 'string' ? (direct ? [entry] : []) : prefixesIn(entry, false),
    )
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner === 'string') return prefixKeys.has(key) ? [inner] : []
    return prefixesIn(inner, listKeys.has(key))
  })
}

function firstColumn(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/,.*/s, '').trim())
    .filter((entry) => entry !== '' && !entry.startsWith('#'))
}
