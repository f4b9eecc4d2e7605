/** A text in the form in which keywords are compared. */
export interface Folded {
  /** UTF-16 units: lower case, without accents, dashes and line breaks as one space. */
  readonly codes: Uint16Array
  readonly length: number
  /** Index in the original of each unit, then the length of the original. */
  readonly origin: Uint32Array
  /** 1 where an apostrophe was left out before the unit: a word may end there, as in Joe's. */
  readonly breaks: Uint8Array
}

const space = 32
const skipped = 0
const apostrophe = 1

/** The result of folding each ASCII character: its folded code, or one of the two marks above. */
const asciiLower = asciiTable(true)
const asciiAny = asciiTable(false)

function asciiTable(isLower: boolean): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code)
    if (character === "'" || character === '`') return apostrophe
    if (/[\s_*-]/.test(character)) return space
    if (code < space || code === 127) return skipped
    return (isLower ? character.toLowerCase() : character).charCodeAt(0)
  })
}

/** Folds a text for comparison. `keepsCase` is for phrases that count only in their exact case. */
export function fold(text: string, { keepsCase = false } = {}): Folded {
  const table = keepsCase ? asciiAny : asciiLower
  const out = new Writer(text.length)
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code < 128) {
      out.put(table[code] as number, at)
      at++
      continue
    }
    const whole = text.codePointAt(at) as number
    const piece = foldedOf(whole, keepsCase)
    for (let unit = 0; unit < piece.length; unit++) out.put(piece.charCodeAt(unit), at)
    at += whole > 0xffff ? 2 : 1
  }
  return out.folded(text.length)
}

/** Returns a folded text as a string, without spaces at its ends. */
export const foldedString = (text: string, options: { keepsCase?: boolean } = {}): string => {
  const { codes, length } = fold(text, options)
  let out = ''
  for (let at = 0; at < length; at++) out += String.fromCharCode(codes[at] as number)
  return out.trim()
}

/**
 * Returns the span of the original text for a span of the folded text. Marks after its last letter belong to it,
 * apostrophes and invisible characters do not.
 */
export function originalSpan(
  text: string,
  { origin, length }: Folded,
  start: number,
  end: number,
): [start: number, end: number] {
  const last = origin[end - 1] as number
  let next = end
  while (next < length && origin[next] === last) next++
  let to = origin[next] as number
  while (to > last + 1 && isLeftOut(text.charCodeAt(to - 1))) to--
  return [origin[start] as number, to]
}

const isLeftOut = (code: number) =>
  code === 39 ||
  code === 96 ||
  apostrophes.test(String.fromCharCode(code)) ||
  /\s/.test(String.fromCharCode(code)) ||
  (isInvisible(code) && !(code >= 0x300 && code <= 0x36f))

/** Collects folded units. Joins spaces, and joins marks and syllables that Unicode writes as one character. */
class Writer {
  private codes: Uint16Array
  private origin: Uint32Array
  private breaks: Uint8Array
  private at = 0
  private isBroken = false

  constructor(length: number) {
    this.codes = new Uint16Array(length + 16)
    this.origin = new Uint32Array(length + 17)
    this.breaks = new Uint8Array(length + 16)
  }

  put(code: number, from: number): void {
    if (code === skipped) return
    if (code === apostrophe) {
      this.isBroken = true
      return
    }
    if (code === space && (this.at === 0 || this.codes[this.at - 1] === space)) return
    if (isJoining(code) && this.joins(code)) return
    if (this.at >= this.codes.length) this.grow()
    this.codes[this.at] = code
    this.origin[this.at] = from
    if (this.isBroken) this.breaks[this.at] = 1
    this.isBroken = false
    this.at++
  }

  folded(length: number): Folded {
    this.origin[this.at] = length
    return { codes: this.codes, length: this.at, origin: this.origin, breaks: this.breaks }
  }

  private joins(code: number): boolean {
    if (this.at === 0 || this.isBroken) return false
    const last = this.codes[this.at - 1] as number
    const joined = String.fromCharCode(last, code).normalize('NFC')
    if (joined.length !== 1) return false
    this.codes[this.at - 1] = joined.charCodeAt(0)
    return true
  }

  private grow(): void {
    const size = this.codes.length * 2
    this.codes = grown(this.codes, new Uint16Array(size))
    this.origin = grown(this.origin, new Uint32Array(size + 1))
    this.breaks = grown(this.breaks, new Uint8Array(size))
  }
}

function grown<T extends Uint8Array | Uint16Array | Uint32Array>(from: T, to: T): T {
  to.set(from)
  return to
}

/** Japanese voicing marks, and the vowels and final consonants of Korean syllables. */
const isJoining = (code: number) =>
  code === 0x3099 ||
  code === 0x309a ||
  (code >= 0x1161 && code <= 0x1175) ||
  (code >= 0x11a8 && code <= 0x11c2)

const caches = [new Map<number, string>(), new Map<number, string>()] as const
/** Limits the caches. One language uses few characters, but a text with all of them must not fill the memory. */
const cacheMax = 20_000

function foldedOf(code: number, keepsCase: boolean): string {
  const cache = caches[keepsCase ? 1 : 0]
  const cached = cache.get(code)
  if (cached !== undefined) return cached
  const folded = foldCharacter(String.fromCodePoint(code), keepsCase)
  if (cache.size < cacheMax) cache.set(code, folded)
  return folded
}

/** Letters that Unicode does not decompose. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
  İ: 'I',
  ς: 'σ',
  // Letters that Arabic and Persian keyboards write for one another, and an alif that does not decompose.
  ٱ: 'ا',
  ی: 'ي',
  ک: 'ك',
  ہ: 'ه',
  ھ: 'ه',
}
const apostrophes = /^[\u2018\u2019\u201b\u02bc\u02b9\u00b4\u2032\uff07\u05f3]$/
const spaces = /^[\s\u2010-\u2015\u2212\ufe58\ufe63\uff0d\uff3f]$/u
const cased = /^[\p{Script=Latin}\p{Script=Greek}]|^[ёЁ]/u
const arabic = /^\p{Script=Arabic}/u
/** Hamza and madda above or below a letter, and other marks that many writers leave out. */
const arabicMarks = /[\u064b-\u065f\u0670]/g
/** Signs beside a name that are no part of it. Unicode would turn them into letters: `Acme™` into `AcmeTM`. */
const signs = /^[\u00a9\u00ae\u2117\u2120\u2122]$/
/** Small digits. Beside a word they are often a note: `Acme¹`. */
const smallDigits = /^[\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089]$/
const digit = /^\p{Nd}$/u
const apostropheMark = String.fromCharCode(apostrophe)

function foldCharacter(character: string, keepsCase: boolean): string {
  const letter = letters[character]
  if (letter !== undefined) return keepsCase ? letter : letter.toLowerCase()
  if (apostrophes.test(character)) return apostropheMark
  if (spaces.test(character)) return ' '
  if (signs.test(character)) return ' '
  if (isInvisible(character.codePointAt(0) as number)) return ''
  // A word may end before the digit, as before an apostrophe. With it, m² is still m2.
  if (smallDigits.test(character)) return `${apostropheMark}${character.normalize('NFKC')}`
  // Korean stays composed, or every syllable would begin with shorter ones.
  const plain = character.normalize('NFKC')
  if (digit.test(plain)) return String(digitOf(plain.codePointAt(0) as number))
  const base = withoutMarks(plain)
  const lower = keepsCase ? base : base.toLowerCase()
  return lower === character ? lower : [...lower].map((one) => letters[one] ?? one).join('')
}

function withoutMarks(plain: string): string {
  if (cased.test(plain)) return plain.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')
  return arabic.test(plain) ? plain.normalize('NFKD').replace(arabicMarks, '') : plain
}

/** Returns the value of a decimal digit of any script. Unicode has them in runs of ten, from zero on. */
function digitOf(code: number): number {
  let first = code
  while (digit.test(String.fromCodePoint(first - 1)) && code - first < 9) first--
  return (code - first) % 10
}

/** Zero-width characters, combining marks, and vowel points that Hebrew and Arabic texts may omit. */
const invisible: readonly (readonly [from: number, to: number])[] = [
  [0x0080, 0x009f],
  [0x00ad, 0x00ad],
  [0x0300, 0x036f],
  [0x0591, 0x05c7],
  [0x0610, 0x061a],
  [0x0640, 0x0640],
  [0x064b, 0x065f],
  [0x0670, 0x0670],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x2064],
  [0x2066, 0x2069],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
]
const isInvisible = (code: number) => invisible.some(([from, to]) => code >= from && code <= to)
