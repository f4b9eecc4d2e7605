/**
 * Returns the regular expression of `$contains` and `$startsWith`: the literal text, each letter as the set that
 * Unicode's simple folding holds equal. It needs no case flag, so all engines give the same result. Accents and ß are
 * not changed.
 */
export function textPattern(op: 'contains' | 'startsWith', text: string): string {
  const literal = Array.from(text, anyCase).join('')
  return op === 'startsWith' ? `^${literal}` : literal
}

const known = new Map<string, string>()
let cased: string | undefined

function anyCase(character: string): string {
  const old = known.get(character)
  if (old !== undefined) return old
  const made = equals(character)
  if (known.size < 4096) known.set(character, made)
  return made
}

function equals(character: string): string {
  if (/[\\^$.*+?()[\]{}|/]/.test(character)) return `\\${character}`
  if (!isCased.test(character)) return character
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
    if (point >= 0xd800 && point < 0xe000) continue
    const character = String.fromCodePoint(point)
    if (isCased.test(character)) found += character
  }
  return found
}
