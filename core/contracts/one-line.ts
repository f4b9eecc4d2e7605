/** What cannot be seen and can carry words or turn their order: controls, zero-width and bidirectional marks, tags. */
const invisible = /[\p{Cc}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu
/** All but the byte order mark, which is invisible. */
const space = /[^\S\ufeff]/g
/** No script stacks more marks on a letter. */
const stacked = /(\p{M}{4})\p{M}+/gu

/** Returns untrusted text as one line of visible whole characters, at most `charactersMax`. Empty when none is left. */
export function oneLine(text: string | null | undefined, charactersMax = 200): string {
  // Nobody's text is worked on whole only to be thrown away.
  const seen = (text ?? '')
    .slice(0, charactersMax * 8)
    .replace(space, ' ')
    .replace(invisible, '')
    .replace(/ {2,}/g, ' ')
    .replace(stacked, '$1')
    .trim()
  return [...seen].slice(0, charactersMax).join('').trimEnd()
}
