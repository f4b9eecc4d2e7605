import { gunzipSync } from 'node:zlib'
import type { SafeFetch } from 'renown/sources'
import { escapedPath } from 'renown/traffic'
import { isHtml, readFile } from './read-file'

/** The pages of a site's sitemaps. */
export interface SitemapReading {
  readonly state: 'read' | 'partial' | 'absent' | 'unreadable'
  readonly fault?: string
  /** Paths in the form in which hits are stored. */
  readonly paths: readonly string[]
}

/**
 * Maximum files that are fetched, pages that are compared, characters of their paths, and bytes of a file. ClickHouse
 * takes the paths in one address of at most a megabyte.
 */
export const sitemapMax = { files: 12, pages: 5_000, characters: 400_000, bytes: 10 * 1024 * 1024 } as const

interface Asked {
  readonly safeFetch: SafeFetch
  /** Hosts whose pages count. A sitemap of another host is not read. */
  readonly hosts: ReadonlySet<string>
  /** Whether the site's robots.txt lets Renown fetch the path. */
  mayFetch(path: string): boolean
}

/** Reads the pages of these sitemaps and of those that they list, as far as the limits go. */
export async function readSitemaps(asked: Asked, urls: readonly string[]): Promise<SitemapReading> {
  const waiting = [...urls]
  const known = new Set<string>()
  const paths = new Set<string>()
  const faults: string[] = []
  let isCut = false
  let files = 0
  let characters = 0
  for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
    const address = URL.parse(url)
    if (!address || known.has(address.href) || !asked.hosts.has(address.hostname)) continue
    known.add(address.href)
    if (files === sitemapMax.files || paths.size >= sitemapMax.pages) {
      isCut = true
      break
    }
    files++
    const found = await readOne(asked, address)
    if ('fault' in found) {
      if (found.fault !== absent) faults.push(found.fault)
      continue
    }
    waiting.push(...found.sitemaps)
    for (const page of found.pages) {
      const path = storedPath(page, asked.hosts)
      if (path === null) continue
      if (paths.has(path)) continue
      if (paths.size >= sitemapMax.pages || characters + path.length > sitemapMax.characters) isCut = true
      else {
        paths.add(path)
        characters += path.length
      }
    }
  }
  const [fault] = faults
  if (paths.size === 0)
    return fault === undefined ? { state: 'absent', paths: [] } : { state: 'unreadable', fault, paths: [] }
  const state = isCut || fault !== undefined ? 'partial' : 'read'
  return { state, ...(fault === undefined ? {} : { fault }), paths: [...paths].sort() }
}

const absent = ''

interface Listed {
  readonly pages: readonly string[]
  readonly sitemaps: readonly string[]
}

async function readOne(
  { safeFetch, mayFetch }: Asked,
  url: URL,
): Promise<Listed | { readonly fault: string }> {
  if (!mayFetch(url.pathname + url.search))
    return { fault: 'The robots.txt does not let Renown read the sitemap.' }
  const file = await readFile(safeFetch, url.href, {
    maxBytes: sitemapMax.bytes,
    accept: 'application/xml, text/xml, text/plain, */*',
  })
  if (file.state !== 'read') return { fault: file.state === 'absent' ? absent : file.fault }
  if (isHtml(file.answer)) return { fault: 'The sitemap is an HTML page.' }
  const body = unpacked(file.answer.body)
  return body === null ? { fault: 'The sitemap cannot be decompressed, or is too large.' } : listedIn(body)
}

function unpacked(body: Uint8Array): string | null {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b
  try {
    return new TextDecoder().decode(isGzip ? gunzipSync(body, { maxOutputLength: sitemapMax.bytes }) : body)
  } catch {
    return null
  }
}

/** Returns the addresses in a sitemap: XML, or text with one address per line. */
export function listedIn(text: string): Listed {
  if (!/^\s*</.test(text)) {
    const pages = text.split(/\r\n|\r|\n/, sitemapMax.pages * 2).map((line) => line.trim())
    return { pages: pages.filter((line) => line !== ''), sitemaps: [] }
  }
  const found: string[] = []
  let end = 0
  // Each search begins where the last one ended, so that a file of openings without ends is read only once.
  for (let at = text.indexOf('<loc'); at !== -1; at = text.indexOf('<loc', end)) {
    const start = text.indexOf('>', at) + 1
    end = text.indexOf('</loc', start)
    if (start === 0 || end === -1) break
    if (end - start <= addressMax) found.push(unescaped(text.slice(start, end)))
    if (found.length > sitemapMax.pages) break
  }
  return text.includes('<sitemapindex') ? { pages: [], sitemaps: found } : { pages: found, sitemaps: [] }
}

const addressMax = 4_000
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
}

const unescaped = (text: string): string =>
  text
    .replace('<![CDATA[', '')
    .replace(']]>', '')
    .trim()
    .replace(/&(?:amp|lt|gt|quot|apos);/g, (entity) => entities[entity] ?? entity)

const pathMax = 512

/** Returns the path of a page as the ingest stores it. Null for pages of other hosts, and for longer paths. */
export function storedPath(page: string, hosts: ReadonlySet<string>): string | null {
  const url = URL.parse(page)
  if (!url || !/^https?:$/.test(url.protocol) || !hosts.has(url.hostname)) return null
  const path = escapedPath(url.pathname)
  return path.length > pathMax ? null : path
}
