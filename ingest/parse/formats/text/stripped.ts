const escape = 27
/** Colours and other marks of a terminal: `ESC [ … m`. */
const marks = /\u001b\[[\d;]{0,32}[A-Za-z]/g

/**
 * Removes what a terminal or a file system put into a line: colours, as in `docker compose logs`, and the zeros with which
 * a file begins that was cut while its server wrote to it. Returns the same text if there is none at the beginning.
 */
export function stripped(line: string): string {
  let from = 0
  while (line.charCodeAt(from) === 0) from++
  const text = from === 0 ? line : line.slice(from)
  return text.charCodeAt(0) === escape ? withoutMarks(text) : text
}

/** Removes the marks of a terminal. */
export const withoutMarks = (text: string): string => text.replace(marks, '')
