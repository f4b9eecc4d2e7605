import type { Hit } from 'renown/contracts'
import { idPrefix, ingressIdLength, signedPrefix } from './senders/combined'
import { hasSlash, type Lines } from './text/lines'
import { clfInstant } from './text/time'

/**
 * Reads a line of the combined format directly from its body, if it has the usual simple form: an address, no user
 * name, an HTTP request, no backslash. Null otherwise: `readCombined` reads such lines, and gives the same result for
 * simple ones.
 */
export function readPlainCombined(lines: Lines): Hit | null {
  const { text, start, end } = lines
  let client = start
  while (isOfAddress(text.charCodeAt(client))) client++
  if (client === start || !isAt(' - - [', text, client) || !isAt('] "', text, client + 32)) return null
  const ts = hasZone(text, client + 26) ? clfInstant(text, client + 6) : null
  const request = client + 35
  const requestEnd = text.indexOf('"', request)
  const method = methodAt(text, request)
  const target = request + method.length + 1
  const targetEnd = requestEnd - ' HTTP/1.1'.length
  if (ts === null || method === '' || targetEnd <= target || requestEnd >= end) return null
  if (!isVersion(text, targetEnd)) return null
  const status = statusAt(text, requestEnd + 1)
  const referer = refererAt(text, requestEnd + 5)
  if (status === 0 || referer === -1) return null
  const refererEnd = text.indexOf('"', referer)
  if (!isAt('" "', text, refererEnd)) return null
  const ua = refererEnd + 3
  const uaEnd = text.indexOf('"', ua)
  if (uaEnd === -1 || uaEnd >= end || hasSlash(lines, uaEnd)) return null
  if (text.charCodeAt(uaEnd + 1) === 32 && mayHaveMore(text, uaEnd + 1, end)) return null
  if (mayBeTurned(text, referer, ua)) return null
  return {
    ts,
    ip: text.slice(start, client),
    method,
    target: text.slice(target, targetEnd),
    host: undefined,
    ua: isDash(text, ua, uaEnd) ? '' : text.slice(ua, uaEnd),
    referer:
      refererEnd === referer || isDash(text, referer, refererEnd)
        ? undefined
        : text.slice(referer, refererEnd),
    status,
  }
}

/**
 * Whether more may be after the user agent: `id=`, `sig=`, 32 characters after a space, or a quoted forwarding header.
 */
function mayHaveMore(text: string, at: number, end: number): boolean {
  const last = text.charCodeAt(end - 1) === 13 ? end - 1 : end
  if (text.charCodeAt(at + 1) === 34) return text.charCodeAt(at + 2) !== 45
  const isIngress = text.charCodeAt(last - ingressIdLength - 1) === 32
  return isIngress || isAt(idPrefix, text, at) || isAt(signedPrefix, text, at)
}

/** Whether the referrer and the user agent may be exchanged: the first of them is not an address. */
function mayBeTurned(text: string, referer: number, ua: number): boolean {
  const code = text.charCodeAt(ua)
  const isNoAgent = code === 34 || code === 45 || code === 104
  const first = text.charCodeAt(referer)
  return isNoAgent && first !== 45 && first !== 34 && !text.startsWith('http', referer)
}

/** Matches digits, hexadecimal letters, dots and colons. The address is checked later. */
function isOfAddress(code: number): boolean {
  const lower = code | 32
  return (code >= 46 && code <= 58 && code !== 47) || (lower >= 97 && lower <= 102)
}

/** Whether a space and a sign follow. The digits after them are checked with the time. */
function hasZone(text: string, at: number): boolean {
  const sign = text.charCodeAt(at + 1)
  return text.charCodeAt(at) === 32 && (sign === 43 || sign === 45)
}

function isAt(wanted: string, text: string, at: number): boolean {
  for (let place = 0; place < wanted.length; place++) {
    if (text.charCodeAt(at + place) !== wanted.charCodeAt(place)) return false
  }
  return true
}

/** Returns a common method that is followed by a space, or an empty text. */
function methodAt(text: string, at: number): string {
  const first = text.charCodeAt(at)
  if (first === 71) return isAt('GET ', text, at) ? 'GET' : ''
  if (first === 80) return isAt('POST ', text, at) ? 'POST' : ''
  return first === 72 && isAt('HEAD ', text, at) ? 'HEAD' : ''
}

/** Whether ` HTTP/`, a digit, a dot and a digit follow. */
function isVersion(text: string, at: number): boolean {
  return (
    isAt(' HTTP/', text, at) &&
    isDigit(text.charCodeAt(at + 6)) &&
    text.charCodeAt(at + 7) === 46 &&
    isDigit(text.charCodeAt(at + 8))
  )
}

/** Returns where the referrer begins, after a space and a size at `at`. -1 if there is none. */
function refererAt(text: string, at: number): number {
  if (text.charCodeAt(at) !== 32) return -1
  let size = at + 1
  if (text.charCodeAt(size) === 45) size++
  else while (isDigit(text.charCodeAt(size))) size++
  return text.charCodeAt(size) === 32 && text.charCodeAt(size + 1) === 34 ? size + 2 : -1
}

/** Returns the status after a space, from 100 up, or 0. */
function statusAt(text: string, at: number): number {
  const hundreds = text.charCodeAt(at + 1) - 48
  const tens = text.charCodeAt(at + 2) - 48
  const ones = text.charCodeAt(at + 3) - 48
  const isStatus = hundreds >= 1 && hundreds <= 9 && tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9
  return isStatus && text.charCodeAt(at) === 32 ? hundreds * 100 + tens * 10 + ones : 0
}

const isDigit = (code: number) => code >= 48 && code <= 57

const isDash = (text: string, from: number, end: number) => end === from + 1 && text.charCodeAt(from) === 45
