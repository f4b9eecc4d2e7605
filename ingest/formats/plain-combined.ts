import type { Hit } from 'renown/contracts'
import { hasSlash, type Lines } from './lines'
import { clfInstant } from './time'

/**
 * Reads a line of the combined format where it stands in its body, if it is as plain as nearly all are: an address,
 * no user name, a request of HTTP, no backslash. Null where it is not: `readCombined` then says what it is, and would
 * say the same of those that are read here.
 */
export function readPlainCombined(lines: Lines): Hit | null {
  const { text, start, end } = lines
  let client = start
  while (isOfAddress(text.charCodeAt(client))) client++
  if (client === start || !stands(' - - [', text, client) || !stands('] "', text, client + 32)) return null
  const ts = hasZone(text, client + 26) ? clfInstant(text, client + 6) : null
  const request = client + 35
  const requestEnd = text.indexOf('"', request)
  const method = methodAt(text, request)
  const target = request + method.length + 1
  const targetEnd = requestEnd - ' HTTP/1.1'.length
  if (ts === null || method === '' || targetEnd <= target || requestEnd >= end) return null
  if (!isVersion(text, targetEnd)) return null
  const referer = refererAt(text, requestEnd)
  const refererEnd = referer < 0 ? -1 : text.indexOf('"', referer)
  if (refererEnd < 0 || !stands('" "', text, refererEnd)) return null
  const ua = refererEnd + 3
  const uaEnd = text.indexOf('"', ua)
  if (uaEnd < 0 || uaEnd >= end || hasSlash(lines, uaEnd)) return null
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
    status: statusAt(text, requestEnd + 2),
  }
}

/** Digits, letters of hexadecimal, dots and colons: an address or not, what reads it later says. */
function isOfAddress(code: number): boolean {
  const lower = code | 32
  return (code >= 46 && code <= 58 && code !== 47) || (lower >= 97 && lower <= 102)
}

/** A space and a sign; the digits behind them are looked at with the time. */
function hasZone(text: string, at: number): boolean {
  const sign = text.charCodeAt(at + 1)
  return text.charCodeAt(at) === 32 && (sign === 43 || sign === 45)
}

function stands(wanted: string, text: string, at: number): boolean {
  for (let place = 0; place < wanted.length; place++) {
    if (text.charCodeAt(at + place) !== wanted.charCodeAt(place)) return false
  }
  return true
}

/** A method that is common and followed by a space, or nothing. */
function methodAt(text: string, at: number): string {
  const first = text.charCodeAt(at)
  if (first === 71) return stands('GET ', text, at) ? 'GET' : ''
  if (first === 80) return stands('POST ', text, at) ? 'POST' : ''
  return first === 72 && stands('HEAD ', text, at) ? 'HEAD' : ''
}

/** ` HTTP/`, a digit, a dot and a digit. */
function isVersion(text: string, at: number): boolean {
  return (
    stands(' HTTP/', text, at) &&
    isDigit(text.charCodeAt(at + 6)) &&
    text.charCodeAt(at + 7) === 46 &&
    isDigit(text.charCodeAt(at + 8))
  )
}

/** Where the referrer begins behind a request that ends at `at`, a status and a size; -1 where it does not. */
function refererAt(text: string, at: number): number {
  if (text.charCodeAt(at + 1) !== 32 || statusAt(text, at + 2) === undefined) return -1
  let size = at + 5
  if (text.charCodeAt(size++) !== 32) return -1
  if (text.charCodeAt(size) === 45) size++
  else while (isDigit(text.charCodeAt(size))) size++
  return stands(' "', text, size) ? size + 2 : -1
}

/** A status from 100 on, or undefined. */
function statusAt(text: string, at: number): number | undefined {
  const [hundreds, tens, ones] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)]
  if (!(hundreds > 48 && hundreds <= 57 && isDigit(tens) && isDigit(ones))) return undefined
  return hundreds * 100 + tens * 10 + ones - 48 * 111
}

const isDigit = (code: number) => code >= 48 && code <= 57

const isDash = (text: string, from: number, end: number) => end === from + 1 && text.charCodeAt(from) === 45
