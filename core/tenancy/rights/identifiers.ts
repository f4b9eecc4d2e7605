import type { IdentifierKind } from '../../contracts/people'

/** One identifier of a person as it is stored: only as digests, so that a list of erased people does not name them. */
export interface PersonKey {
  readonly kind: IdentifierKind
  /** Number of words. A name is searched in texts only if it has at least two. */
  readonly words: number
  /** HMAC-SHA256 (hex) of its normal form under the salt of the request. */
  readonly digest: string
  /** A short hash that rules out nearly every other text without computing a digest. */
  readonly quick: number
}

/** Digits of a phone number that are compared, so that `+49 170 …` and `0170 …` are the same number. */
const phoneDigits = 9
const phoneDigitsMin = 6

/** Returns the normal form of an identifier. Null if the text cannot be one of this kind. */
export function normalForm(kind: IdentifierKind, text: string): string | null {
  const value = text.normalize('NFKC').trim()
  if (value === '') return null
  if (kind === 'email') return emailOf(value)
  if (kind === 'phone') return phoneOf(value)
  if (kind === 'name') return wordsOf(value).join(' ') || null
  if (kind === 'handle') return value.replace(/^@/, '').toLowerCase() || null
  return profileOf(value)
}

function emailOf(value: string): string | null {
  const address = value.toLowerCase().replace(/^mailto:/, '')
  const at = address.lastIndexOf('@')
  return at > 0 && address.indexOf('.', at) > at && !/\s/.test(address) ? address : null
}

/** Returns the last digits of a phone number. Null if it has too few. */
export function phoneOf(value: string): string | null {
  const digits = value.replaceAll(/\D/g, '')
  return digits.length < phoneDigitsMin ? null : digits.slice(-phoneDigits)
}

/** Returns an address without scheme, `www.`, query, fragment and the slash at its end. */
export function profileOf(value: string): string | null {
  const [bare = ''] = value
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .split(/[?#]/, 1)
  const address = bare.replace(/\/{1,9}$/, '')
  return address.includes('.') && !/[\s@]/.test(address.split('/')[0] ?? '') ? address : null
}

/** Returns the words of a text, without accents and capital letters. */
export const wordsOf = (text: string): string[] => text.match(wordForm)?.map(plainWord) ?? []

/** A word: letters, digits and the accents of letters. */
export const wordForm = /[\p{L}\p{N}\p{M}]+/gu

/** Returns a word without accents and capital letters. */
export function plainWord(word: string): string {
  // Most words are ASCII, and taking accents apart costs ten times as much.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII
  if (/^[\u0000-\u007f]*$/.test(word)) return word.toLowerCase()
  return word.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}

/** Computes digests under one salt. */
export interface Digests {
  digest(kind: string, normal: string): string
  quick(kind: string, normal: string): number
  /** The hash of a part of a person's words. */
  mark(words: string): string
}

/** Returns functions that compute the digests of a salt. */
export function digestsOf(salt: string): Digests {
  const seed = Bun.hash.xxHash32(salt)
  const wide = BigInt(seed)
  return {
    digest: (kind, normal) => new Bun.CryptoHasher('sha256', salt).update(`${kind}\n${normal}`).digest('hex'),
    quick: (kind, normal) => Bun.hash.xxHash32(`${kind}\n${normal}`, seed),
    mark: (words) => Bun.hash.xxHash64(words, wide).toString(36),
  }
}

/** Returns the keys of an identifier. A name of two words also counts in the order of lists: `Miller Anna`. */
export function keysOf(salt: string, kind: IdentifierKind, text: string): PersonKey[] {
  const { digest, quick } = digestsOf(salt)
  const normal = normalForm(kind, text)
  if (normal === null) return []
  const parts = kind === 'name' ? normal.split(' ') : []
  const forms =
    parts.length > 1
      ? [normal, [...parts.slice(1), parts[0]].join(' '), [parts.at(-1), ...parts.slice(0, -1)].join(' ')]
      : [normal]
  return [...new Set(forms)].map((form) => ({
    kind,
    words: kind === 'name' ? parts.length : 1,
    digest: digest(kind, form),
    quick: quick(kind, form),
  }))
}
