/**
 * Returns the regular expression of `$contains` and `$startsWith`: the literal text, with each letter as the
 * set of its cases by Unicode's simple folding. It needs no case flag, so all engines give the same result.
 * Accents and ß are not changed.
 */
export function textPattern(op: 'contains' | 'startsWith', text: string): string {
  const literal = Array.from(text, anyCase).join('')
  return op === 'startsWith' ? `^${literal}` : literal
}

/** Caches the other cases of characters. About 3,000 characters of Unicode have any. */
const known = new Map<string, string>()
let cased: string | undefined

function anyCase(character: string): string {
  if (/[\\^$.*+?()[\]{}|/]/.test(character)) return `\\${character}`
  if (!isCased.test(character)) return character
  const set = known.get(character) ?? setOf(character)
  known.set(character, set)
  return set
}

function setOf(character: string): string {
  cased ??= casedCharacters()
  const same = [...new Set([character, ...(cased.match(new RegExp(character, 'giu')) ?? [])])]
  if (same.length === 1) return character
  return same.every((one) => one.length === 1) ? `[${same.join('')}]` : `(?:${same.join('|')})`
}

const isCased = /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u

/** Returns every character that has another case. */
function casedCharacters(): string {
  let found = ''
  for (let point = 0x41; point < 0x20000; point++) {
    const character = String.fromCodePoint(point)
    if (isCased.test(character)) found += character
  }
  return found
}
