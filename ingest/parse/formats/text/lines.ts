/** Where in a text its lines are being walked. */
export interface Lines {
  readonly text: string
  /** The number of the line, from 1. */
  line: number
  start: number
  /** Where the line ends, a carriage return before the break included. */
  end: number
  /** Where the next backslash stands, from some line on; asked for by `hasSlash`. */
  slash: number
  /** The user agent of the last record that was read where it stands. */
  ua: string
}

/** A walk that stands before the first line. */
export const linesIn = (text: string): Lines => ({ text, line: 0, start: 0, end: -1, slash: -1, ua: '' })

/** Goes on to the next line that is not blank, passing over so many that are; false at the end, or where only those were passed. */
export function nextLine(lines: Lines, blankMax = Number.POSITIVE_INFINITY): boolean {
  const { text } = lines
  for (let blank = 0; lines.end + 1 < text.length && blank < blankMax; blank++) {
    const start = lines.end + 1
    const newline = text.indexOf('\n', start)
    lines.line++
    lines.start = start
    lines.end = newline < 0 ? text.length : newline
    const first = text.charCodeAt(start)
    if ((first > 32 && first < 127) || !isBlank(text, start, lines.end)) return true
  }
  return false
}

/** Whether there are lines after the one that the walk stands at. */
export const hasMore = (lines: Lines): boolean => lines.end + 1 < lines.text.length

/** A line that is longer than this is no blank one, whatever it holds. */
const blankLineMax = 2 ** 16

function isBlank(text: string, start: number, end: number): boolean {
  return end - start <= blankLineMax && text.slice(start, end).trim() === ''
}

/** The line as a text of its own, without a carriage return at its end. */
export function lineText({ text, start, end }: Lines): string {
  return text.slice(start, end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end)
}

/** Whether a backslash stands between the beginning of the line and `end`. Each is looked for once. */
export function hasSlash(lines: Lines, end: number): boolean {
  if (lines.slash < lines.start) {
    const found = lines.text.indexOf('\\', lines.start)
    lines.slash = found < 0 ? lines.text.length : found
  }
  return lines.slash < end
}

/** The lines of a text that are not blank. */
export function* linesOf(text: string): Generator<string> {
  const lines = linesIn(text)
  while (nextLine(lines)) yield lineText(lines)
}
