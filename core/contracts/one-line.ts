/**
 * Characters that cannot be seen but can hide words or reverse their order: controls, zero-width and
 * bidirectional marks, tags.
 */
const invisible = /[\p{Cc}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu
/** All white space except the byte order mark, which `invisible` removes. */
const space = /[^\S\ufeff]/g
/** More combining marks on one letter than any script uses. */
const stacked = /(\p{M}{4})\p{M}+/gu

/**
 * Returns untrusted text as one line of whole visible characters, at most `charactersMax`. Empty if none is
 * left.
 */
export function oneLine(text: string | null | undefined, charactersMax = 200): string {
  // Cuts the text first, so that a long text is not processed only to be thrown away.
  const seen = (text ?? '')
    .slice(0, charactersMax * 8)
    .replace(space, ' ')
    .replace(invisible, '')
    .replace(/ {2,}/g, ' ')
    .replace(stacked, '$1')
    .trim()
  return [...seen].slice(0, charactersMax).join('').trimEnd()
}
