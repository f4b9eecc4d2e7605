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

/** Goes on to the next line that is not blank; false at the end. */
export function nextLine(lines: Lines): boolean {
  const { text } = lines
  while (lines.end + 1 < text.length) {
    const start = lines.end + 1
    const newline = text.indexOf('\n', start)
    lines.line++
    lines.start = start
    lines.end = newline < 0 ? text.length : newline
    const first = text.charCodeAt(start)
    if ((first > 32 && first < 127) || text.slice(start, lines.end).trim() !== '') return true
  }
  return false
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

/** Splits JSON objects that stand one behind the other without a line break. A torn end is a piece of its own. */
export function concatenated(text: string): string[] {
  const pieces: string[] = []
  let start = 0
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 92) at++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 123) depth++
    else if (code === 125 && --depth === 0) {
      pieces.push(text.slice(start, at + 1))
      start = at + 1
    }
  }
  if (text.slice(start).trim() !== '') pieces.push(text.slice(start))
  return pieces
}
