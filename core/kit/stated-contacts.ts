/** Endings of host names that people write without `https://`. */
const endings = new Set(
  'com net org io co app dev shop store biz info xyz top ly me uk de fr es it nl pl se pt jp example'.split(
    ' ',
  ),
)

/** A web or mail address in a text. */
export interface StatedAddress {
  readonly kind: 'web' | 'mail'
  /** As it is written, without the punctuation around it. */
  readonly written: string
  /** The host of a web address, in lower case. */
  readonly host: string
  /** What follows the host of a web address. */
  readonly path: string
}

/** Returns the web and mail addresses that a text states, also those without `https://`. */
export const addressesIn = (text: string): StatedAddress[] =>
  text.split(/[\s<>"'()[\]（）,;!]+/).flatMap((word) => addressOf(withoutMarks(word)) ?? [])

function addressOf(written: string): StatedAddress | null {
  const word = written.toLowerCase()
  const at = word.indexOf('@')
  if (at > 0 && !word.includes('://') && labelsOf(word.slice(at + 1)).length > 1)
    return { kind: 'mail', written, host: '', path: '' }
  const bare = word.replace(/^[a-z][a-z\d+.-]*:\/\//, '')
  const host = bare.split(/[/?#:]/, 1)[0] ?? ''
  const labels = labelsOf(host)
  const isHost = labels.length > 1 && labels.every((label) => /^[\p{L}\p{N}-]+$/u.test(label))
  const isAddress =
    word.includes('://') || host.startsWith('www.') || (isHost && endings.has(labels.at(-1) ?? ''))
  return isAddress ? { kind: 'web', written, host, path: bare.slice(host.length) } : null
}

const labelsOf = (host: string) => host.split('.').filter((label) => label !== '')

/** Returns a word without the punctuation around it. */
function withoutMarks(word: string): string {
  const letters = [...word]
  const isOwn = (at: number) => /[\p{L}\p{N}]/u.test(letters[at] ?? '')
  let start = 0
  let end = letters.length
  while (start < end && !isOwn(start)) start += 1
  while (end > start && !isOwn(end - 1) && letters[end - 1] !== '/') end -= 1
  return letters.slice(start, end).join('')
}

/** A date such as 01.02.2026 is no telephone number. */
const telephones =
  /(?:\+|(?<!\d[./-]?)(?!\d{1,2}([./-])(?:0?[1-9]|[12]\d|3[01])\1(?:(?:19|20)\d\d|\d\d)(?![./-]?\d))0)\d(?:[\s()./-]*\d){6,14}\b/g

/** Returns the telephone numbers that a text states, as they are written. They begin with `+` or 0. */
export const telephonesIn = (text: string): string[] => text.match(telephones) ?? []

const invisible = /[[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\n\t\u200c\u200d\ufe0f]]/v
const machine =
  /\b(?:as an ai|language model|system prompt|untrusted[- ]data|ignore (?:all|previous)|i (?:cannot|can't) (?:assist|help) with)\b/i

/** Returns why a text that a model wrote must not be saved, whatever it is for. Null if there is no reason. */
export function unfitText(text: string, charactersMax: number): string | null {
  if (text.trim() === '') return 'it is empty'
  if (text.length > charactersMax) return `it has more than ${charactersMax} characters`
  if (invisible.test(text)) return 'it has characters that cannot be seen'
  return machine.test(text) ? 'it speaks of the machine that wrote it' : null
}
