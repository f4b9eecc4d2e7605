const word = /[\p{L}\p{N}\p{M}]/u
/** Scripts without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc\u3005]/u
/** Korean puts spaces between words, but its particles follow a name directly. */
const hangul = /\p{Script=Hangul}/u

const isWordBit = 1
const isFreeBit = 2
const isOwnWordBit = 4
const isClassifiedBit = 128

const classes = new Uint8Array(0x10000)

/** Returns the class of a UTF-16 unit. A surrogate gets the class of the character that it is part of. */
function classOf(codes: Uint16Array, at: number): number {
  const code = codes[at] as number
  if (code >= 0xd800 && code <= 0xdfff) return classify(String.fromCodePoint(wholeCode(codes, at)))
  const found = classes[code] as number
  if (found !== 0) return found
  const made = classify(String.fromCharCode(code))
  classes[code] = made
  return made
}

function wholeCode(codes: Uint16Array, at: number): number {
  const code = codes[at] as number
  const [high, low] = code < 0xdc00 ? [code, codes[at + 1] ?? 0] : [codes[at - 1] ?? 0, code]
  const isPair = high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low <= 0xdfff
  return isPair ? 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00) : code
}

function classify(character: string): number {
  if (!word.test(character)) return isClassifiedBit
  if (unspaced.test(character)) return isClassifiedBit | isWordBit | isFreeBit | isOwnWordBit
  return isClassifiedBit | isWordBit | (hangul.test(character) ? isFreeBit : 0)
}

/** Whether the unit at this index is part of a letter or number. */
export const isWordAt = (codes: Uint16Array, at: number): boolean => (classOf(codes, at) & isWordBit) !== 0

/** Whether the character at this index counts as a word of its own, as in Chinese, Japanese and Thai. */
export const isOwnWordAt = (codes: Uint16Array, at: number): boolean =>
  (classOf(codes, at) & isOwnWordBit) !== 0

/** Whether words may end and begin between these two neighbours. */
export function isBetweenWords(codes: Uint16Array, at: number): boolean {
  const before = classOf(codes, at - 1)
  const after = classOf(codes, at)
  return (before & after & isWordBit) === 0 || ((before | after) & isFreeBit) !== 0
}
