/** A text without the characters of a set at its end. A pattern such as `/[x]+$/` takes the square of the text for the same. */
export function trimTrailing(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
