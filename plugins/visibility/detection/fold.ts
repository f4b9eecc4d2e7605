/** A text in the form that is searched for names. */
export interface Folded {
  /** Lower case, without accents on Latin and Greek letters, with plain apostrophes and dashes. */
  readonly text: string
  /**
   * Index in the original of each folded character, then the length of the original. Null if the two texts
   * have the same indexes.
   */
  readonly origin: readonly number[] | null
}

const ascii = /^\p{ASCII}*$/u

/**
 * Folds a text, so that different spellings of the same letters become equal. Records the origin of each
 * character.
 */
export function fold(text: string): Folded {
  if (ascii.test(text)) return { text: text.toLowerCase(), origin: null }
  let out = ''
  let origin: number[] | null = null
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) as number
    const width = code > 0xffff ? 2 : 1
    const piece = code < 128 ? lowerAscii(code) : foldedOf(code)
    if (piece.length !== width && origin === null) origin = Array.from({ length: at }, (_, place) => place)
    if (origin) for (let place = 0; place < piece.length; place++) origin.push(at)
    out += piece
    at += width
  }
  origin?.push(text.length)
  return { text: out, origin }
}

/** Returns the span of the original text for a span of the folded text. */
export const originalSpan = ({ origin }: Folded, start: number, end: number): [start: number, end: number] =>
  origin ? [origin[start] as number, endIn(origin, end)] : [start, end]

/**
 * One original character may become several folded ones. The span ends where the next original character
 * begins.
 */
function endIn(origin: readonly number[], end: number): number {
  let next = end
  while (next < origin.length - 1 && origin[next] === origin[end - 1]) next++
  return origin[next] as number
}

const lowerAscii = (code: number) => String.fromCharCode(code >= 65 && code <= 90 ? code + 32 : code)

const cache = new Map<number, string>()
/**
 * Limits the cache. One language uses few characters, but a text with all characters must not fill the
 * memory.
 */
const cacheMax = 20_000

function foldedOf(code: number): string {
  const known = cache.get(code)
  if (known !== undefined) return known
  const folded = foldCharacter(String.fromCodePoint(code))
  if (cache.size < cacheMax) cache.set(code, folded)
  return folded
}

/** Letters that Unicode does not decompose. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'ss',
  æ: 'ae',
  Æ: 'ae',
  œ: 'oe',
  Œ: 'oe',
  ø: 'o',
  Ø: 'o',
  ł: 'l',
  Ł: 'l',
  đ: 'd',
  Đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  İ: 'i',
  ς: 'σ',
}
const apostrophe = /^[\u2018\u2019\u201b\u02bc\u00b4\u2032\uff07]$/
const dash = /^[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]$/
const space = /^[\p{Zs}\u2028\u2029]$/u
/** Zero-width characters, combining marks, and vowel points that Hebrew and Arabic texts may omit. */
const invisible: readonly (readonly [from: number, to: number])[] = [
  [0x00ad, 0x00ad],
  [0x0300, 0x036f],
  [0x0591, 0x05c7],
  [0x0610, 0x061a],
  [0x0640, 0x0640],
  [0x064b, 0x065f],
  [0x0670, 0x0670],
  [0x200b, 0x200f],
  [0x2060, 0x2060],
  [0xfe0f, 0xfe0f],
  [0xfeff, 0xfeff],
]
const marked = /^[\p{Script=Latin}\p{Script=Greek}]|^[ёЁ]/u

function foldCharacter(character: string): string {
  const letter = letters[character]
  if (letter !== undefined) return letter
  const code = character.codePointAt(0) as number
  if (invisible.some(([from, to]) => code >= from && code <= to)) return ''
  if (apostrophe.test(character)) return "'"
  if (dash.test(character)) return '-'
  if (space.test(character)) return ' '
  const plain = character.normalize('NFKC')
  const base = marked.test(plain) ? plain.normalize('NFD').replace(/[\u0300-\u036f]/g, '') : plain
  return base.toLowerCase()
}
