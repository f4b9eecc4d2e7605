/** What cannot be seen, and what turns the order of text. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

/** A name that a service passes on: one line of whole characters that are seen, not longer than it may be. */
export const plainText = (given: string | undefined, lengthMax = 200): string =>
  [...(given ?? '').replace(/\s+/g, ' ').replace(invisible, '').trim()]
    .slice(0, lengthMax)
    .join('')
    .toWellFormed()
