/**
 * Returns a text without trailing characters of a set. Linear time; a pattern such as `/[x]+$/` needs quadratic time.
 */
export function trimTrailing(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
