import { unescapeC } from './escapes'

/** A quoted field of a line. */
export interface Quoted {
  readonly text: string
  /** Index of the closing quote. */
  readonly end: number
}

/** Returns the quoted field whose first character is at `from`. `-` counts as empty. */
export function quoted(line: string, from: number, isEscaped: boolean): Quoted | null {
  if (line.charCodeAt(from - 1) !== 34) return null
  const end = isEscaped ? closingQuote(line, from) : line.indexOf('"', from)
  if (end === -1) return null
  if (end === from + 1 && line.charCodeAt(from) === 45) return { text: '', end }
  const text = line.slice(from, end)
  return { text: isEscaped ? unescapeC(text) : text, end }
}

function closingQuote(line: string, from: number): number {
  for (let end = line.indexOf('"', from); end !== -1; end = line.indexOf('"', end + 1)) {
    let slashes = 0
    // The quote before `from` ends this at the latest.
    while (line.charCodeAt(end - 1 - slashes) === 92) slashes++
    if (slashes % 2 === 0) return end
  }
  return -1
}
