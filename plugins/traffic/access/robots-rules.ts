import { robotsBytesMax } from 'renown/sources'

/** A robots.txt as it is kept, or why it cannot be used. */
export type ReadRules = { readonly rules: string; readonly isCut: boolean } | { readonly fault: string }

const keptKeys = new Set(['user-agent', 'allow', 'disallow', 'sitemap'])

/**
 * Returns the lines of a robots.txt that matter, without comments, so that a file with a changing comment stays the same
 * copy. As crawlers do, reads only the first 500 KiB.
 */
export function rulesOf(body: Uint8Array): ReadRules {
  if (isUtf16(body)) return { fault: 'It is not UTF-8, so crawlers cannot read it.' }
  const text = new TextDecoder().decode(body.subarray(0, robotsBytesMax))
  if (/^\s*</.test(text)) return { fault: 'It is an HTML or XML page, not a robots.txt.' }
  const lines: string[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [said = ''] = line.split('#', 1)
    const colon = said.indexOf(':')
    if (keptKeys.has(said.slice(0, Math.max(0, colon)).trim().toLowerCase())) lines.push(said.trim())
  }
  return { rules: lines.join('\n'), isCut: body.length > robotsBytesMax }
}

/** The first bytes of UTF-16, with a mark or as the two bytes of an ASCII character. */
const isUtf16 = ([first, second]: Uint8Array) =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0

/** Returns the addresses of the sitemaps that a robots.txt names, at most as many as given. */
export function sitemapsOf(rules: string, max: number): string[] {
  const found = rules
    .split('\n')
    .filter((line) => /^sitemap\s*:/i.test(line))
    .map((line) => line.slice(line.indexOf(':') + 1).trim())
  return [...new Set(found)].slice(0, max)
}
