import { assetPath, escapedPath } from 'renown/contracts'

/** Maximum length of a stored path, in bytes. */
export const pathBytesMax = 512

/**
 * Normalizes a path by RFC 3986 §6.2.2: drops query and fragment, reduces absolute form, resolves dot segments, and
 * writes escapes in capitals and only where needed. The result is ASCII, starts with `/`, has no control character
 * and is cut at `pathBytesMax` between characters. Assets become `assetPath`.
 */
export function pathOf(target: string): string {
  const path = normalPath(target)
  return isAsset(path) ? assetPath : path
}

/** Like `pathOf`, but keeps assets. */
export function normalPath(target: string): string {
  if (target.length <= pathBytesMax && plain.test(target) && !target.includes('/.')) return target
  const raw = rawPath(target)
  // Three times the maximum is enough, because an escape shrinks to a third at most.
  const path = escapedPath(raw.slice(0, pathBytesMax * 3 + 3))
  return cut(path.includes('/.') ? withoutDots(path) : path)
}

/** Returns the host of a target in absolute form, or null. */
export function hostOf(target: string): string | null {
  if (target.charCodeAt(0) === 47) return null
  const found = absolute.exec(target)
  return found && (found[1] as string).toLowerCase()
}

const absolute = /^https?:\/\/([^/?#]*)/i
const plain = /^\/[A-Za-z0-9\-._~!$&'()*+,;=:@/]*$/

function rawPath(target: string): string {
  const path = target.replace(absolute, '').replace(/[?#].*/s, '')
  return path.startsWith('/') ? path : `/${path}`
}

/** Cuts before an escape or a UTF-8 sequence that would be split. */
function cut(path: string): string {
  if (path.length <= pathBytesMax) return path
  let end = pathBytesMax
  if (path[end - 1] === '%') end -= 1
  else if (path[end - 2] === '%') end -= 2
  // If the removed part starts with a continuation byte, removes the whole character.
  for (let back = 0; back < 3 && isContinuation(path.slice(end, end + 3)); back++) {
    if (path[end - 3] === '%') end -= 3
  }
  // Otherwise the beginning of a segment such as `..%20` would count as a dot segment.
  return path.slice(0, end).replace(/\/\.{1,2}$/, '/')
}

/** Whether three characters are a continuation byte. */
const isContinuation = (text: string) => /%[89AB][0-9A-F]/.test(text)

/** Removes dot segments (RFC 3986 §5.2.4) from a path that starts with `/`. */
function withoutDots(path: string): string {
  const segments = path.split('/').slice(1)
  const out: string[] = []
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1
    if (segment === '..') out.pop()
    else if (segment !== '.') out.push(segment)
    if (isLast && (segment === '.' || segment === '..')) out.push('')
  }
  return `/${out.join('/')}`
}

const assetExtensions = new Set(
  (
    'css js mjs cjs map wasm png apng jpg jpeg jfif gif webp avif svg ico bmp tif tiff cur heic ' +
    'woff woff2 ttf otf eot mp3 m4a aac ogg oga opus wav flac weba mp4 m4v mov webm ogv avi mkv m3u8'
  ).split(' '),
)

/** What follows the last dot is no extension where it contains a slash. Without a dot, it is the whole path. */
const isAsset = (path: string): boolean =>
  assetExtensions.has(path.slice(path.lastIndexOf('.') + 1).toLowerCase())
