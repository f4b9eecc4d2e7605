// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
const controls = /[\u0000-\u001f\u007f-\u009f]+/g

/**
 * Returns a text for one line of a block: without control characters, and at most `max` UTF-16 units long. `fallback` if
 * nothing is left.
 */
export function cutText(text: string, max = 300, fallback = '–'): string {
  const clean = text.replaceAll(controls, ' ').trim().toWellFormed()
  if (clean === '') return fallback
  return clean.length > max ? `${clean.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…` : clean
}
