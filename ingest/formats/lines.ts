/** Walks the lines of a text that are not blank, with their numbers from 1. A carriage return at the end is taken off. */
export function* linesOf(text: string): Generator<{ readonly line: number; readonly text: string }> {
  let from = 0
  for (let line = 1; from < text.length; line++) {
    const newline = text.indexOf('\n', from)
    const end = newline < 0 ? text.length : newline
    const one = text.slice(from, text.charCodeAt(end - 1) === 13 && end > from ? end - 1 : end)
    if (one.trim() !== '') yield { line, text: one }
    from = end + 1
  }
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
