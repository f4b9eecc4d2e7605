/** The character that begins a mark of a terminal, such as a colour: `ESC [ … m`. */
const mark = String.fromCharCode(27)
const afterMark = /^\[[\d;]{0,32}[A-Za-z]/

/**
 * Removes what a terminal or a file system put into a line. A terminal adds colours, as in `docker compose logs`. A file that
 * was cut while its server wrote to it begins with zeros. Returns the same text if there is none at the beginning.
 */
export function stripped(line: string): string {
  let from = 0
  while (line.charCodeAt(from) === 0) from++
  const text = from === 0 ? line : line.slice(from)
  return text.startsWith(mark) ? withoutMarks(text) : text
}

/** Removes the marks of a terminal. */
export function withoutMarks(text: string): string {
  const [first = '', ...others] = text.split(mark)
  return others.length === 0
    ? text
    : first + others.map((one) => (afterMark.test(one) ? one.replace(afterMark, '') : mark + one)).join('')
}
