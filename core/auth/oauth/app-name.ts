/** What cannot be seen, and what turns the order of text. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu
const lengthMax = 80

/** The name that an app gives itself, in one line and without characters that hide or turn text. */
export function appName(given: string | null | undefined): string {
  const seen = (given ?? '').replace(/\s+/g, ' ').replace(invisible, '').trim()
  return [...seen].slice(0, lengthMax).join('').toWellFormed() || 'Unnamed app'
}
