/** Maximum length of a JSON record of a sender, in characters. Also applies to a record inside a wrapper. */
export const recordCharactersMax = 8 * 2 ** 20

/** Number of characters to scan before other work can run. */
export const scanSlice = 2 ** 18

/**
 * A scan of the structure of a JSON text that can pause and continue. It only finds ends. `JSON.parse` checks the
 * grammar.
 */
export interface Scan {
  readonly text: string
  at: number
  /** Number of open arrays and objects. */
  depth: number
  /** Whether the scan paused in a string. */
  isInString: boolean
  /** Index of a quote in the string, and of the first character before it that was not read as a backslash. */
  quote: number
  slash: number
}

/** Returns a scan that begins at an index. */
export const scanFrom = (text: string, at: number): Scan => ({
  text,
  at,
  depth: 0,
  isInString: false,
  quote: -1,
  slash: -1,
})

/**
 * Scans to the end of the value that began at depth 0, but at most `charactersMax`. Returns whether the value
 * has ended.
 */
export function scanValue(scan: Scan, charactersMax: number): boolean {
  const { text } = scan
  const stop = Math.min(text.length, scan.at + charactersMax)
  while (scan.at < stop) {
    const code = scan.isInString ? 34 : text.charCodeAt(scan.at)
    if (code === 34) {
      if (!scanString(scan, stop)) return false
      if (scan.depth === 0) return true
    } else if (code === 91 || code === 123) {
      scan.depth++
      scan.at++
    } else if (code === 93 || code === 125) {
      if (scan.depth === 0) return true
      scan.at++
      if (--scan.depth === 0) return true
    } else if (scan.depth === 0 && (code === 44 || isSpace(code))) return true
    else scan.at++
  }
  return false
}

/** Scans to the end of a string. Returns whether the string has ended. Pauses after many characters. */
function scanString(scan: Scan, stop: number): boolean {
  const { text } = scan
  if (!scan.isInString) scan.at++
  scan.isInString = true
  while (scan.at < stop) {
    if (scan.quote < scan.at) {
      // Many strings are short, and escapes are often close to each other. A search for each would take longer.
      for (const near = Math.min(stop, scan.at + nearCharacters); scan.at < near; ) {
        const code = text.charCodeAt(scan.at)
        scan.at += code === 92 ? 2 : 1
        if (code !== 34) continue
        scan.isInString = false
        return true
      }
      if (scan.at >= stop) break
      scan.quote = text.indexOf('"', scan.at)
      scan.slash = scan.quote - 1
    }
    if (scan.quote === -1) {
      scan.at = text.length
      return false
    }
    // The backslashes before a quote may be the whole body.
    const last = Math.max(scan.at, scan.slash - scanSlice)
    while (scan.slash >= last && text.charCodeAt(scan.slash) === 92) scan.slash--
    if (scan.slash < last && last > scan.at) return false
    const isEscaped = (scan.quote - scan.slash) % 2 === 0
    scan.at = scan.quote + 1
    scan.isInString = isEscaped
    if (!isEscaped) return true
  }
  scan.at = Math.min(scan.at, text.length)
  return false
}

const nearCharacters = 64

/** Returns the end of the value that starts at `from`, or -1 if it is too long or does not end. */
export function valueEnd(text: string, from: number): number {
  const scan = scanFrom(text, from)
  const hasEnded = scanValue(scan, recordCharactersMax)
  return hasEnded && scan.at - from <= recordCharactersMax ? scan.at : -1
}

/**
 * Returns the index of the first character at or after `from` that is not a space, or `to` if there is none.
 */
export function skipSpace(text: string, from: number, to = Math.min(text.length, from + scanSlice)): number {
  let at = from
  while (at < to && isSpace(text.charCodeAt(at))) at++
  return at
}

/** Whether a character is a space in JSON or the byte order mark. */
const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9 || code === 0xfeff

/**
 * Returns the end of the object that starts at or after `from`, found by its braces, or -1. Includes any text
 * before the object.
 */
export function objectEnd(text: string, from: number): number {
  const walk = walkObject(text, from)
  for (;;) {
    const { done, value } = walk.next()
    if (done) return value
  }
}

/** Like `objectEnd`, but pauses after many characters. */
export function* walkObject(text: string, from: number): Generator<void, number> {
  const stop = Math.min(text.length, from + recordCharactersMax)
  const scan = scanFrom(text, from)
  let depth = 0
  let pausedAt = from
  for (let at = from; at < stop; at++) {
    const code = text.charCodeAt(at)
    if (code === 34) {
      scan.at = at
      if (!scanString(scan, stop) || scan.at > stop) return -1
      at = scan.at - 1
      if (at - pausedAt > scanSlice) {
        pausedAt = at
        yield
      }
    } else if (code === 123) depth++
    else if (code === 125 && --depth === 0) return at + 1
  }
  return -1
}
