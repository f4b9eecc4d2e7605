/**
 * Every text that is one step away from a text: with one of the characters in the place of another or before it, and
 * with one character less. The text itself is the first.
 */
export function* nearMisses(text: string, characters: string): Generator<string> {
  yield text
  for (let at = 0; at <= text.length; at++) {
    const head = text.slice(0, at)
    const tail = text.slice(at + 1)
    if (at < text.length) yield head + tail
    for (const one of characters) {
      yield head + one + text.slice(at)
      if (at < text.length) yield head + one + tail
    }
  }
}
