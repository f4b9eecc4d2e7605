/** The position of a walk over the lines of a text. */
export interface Lines {
  readonly text: string
  /** The number of the line, from 1. */
  line: number
  start: number
  /** End of the line, including a carriage return. */
  end: number
  /** Index of the next backslash, for `hasSlash`. */
  slash: number
  /** The user agent of the last record that was read from the body directly. */
  ua: string
}

/** Returns a walk before the first line. */
export const linesIn = (text: string): Lines => ({ text, line: 0, start: 0, end: -1, slash: -1, ua: '' })

/**
 * Moves to the next line that is not blank, skipping at most `blankMax` blank ones. False at the end, or if
 * it only skipped blank lines.
 */
export function nextLine(lines: Lines, blankMax = Number.POSITIVE_INFINITY): boolean {
  const { text } = lines
  for (let blank = 0; lines.end + 1 < text.length && blank < blankMax; blank++) {
    const start = lines.end + 1
    const newline = text.indexOf('\n', start)
    lines.line++
    lines.start = start
    lines.end = newline === -1 ? text.length : newline
    const first = text.charCodeAt(start)
    if ((first > 32 && first < 127) || !isBlank(text, start, lines.end)) return true
  }
  return false
}

/** Whether there are lines after the current one. */
export const hasMore = (lines: Lines): boolean => lines.end + 1 < lines.text.length

/** A longer line never counts as blank. */
const blankLineMax = 2 ** 16

function isBlank(text: string, start: number, end: number): boolean {
  return end - start <= blankLineMax && text.slice(start, end).trim() === ''
}

/** Returns the current line, without a carriage return at its end. */
export function lineText({ text, start, end }: Lines): string {
  return text.slice(start, end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end)
}

/** Whether there is a backslash between the start of the line and `end`. Each is searched only once. */
export function hasSlash(lines: Lines, end: number): boolean {
  if (lines.slash < lines.start) {
    const found = lines.text.indexOf('\\', lines.start)
    lines.slash = found === -1 ? lines.text.length : found
  }
  return lines.slash < end
}

/** Yields the lines of a text that are not blank. */
export function* linesOf(text: string): Generator<string> {
  const lines = linesIn(text)
  while (nextLine(lines)) yield lineText(lines)
}
