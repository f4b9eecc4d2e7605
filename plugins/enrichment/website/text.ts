import { oneLine } from 'renown'

/** Returns untrusted text as one visible line of at most `max` characters. Empty if nothing remains. */
export const cleanText = (text: string, max: number): string => cut(oneLine(text, max * 4), max)

/** Cuts a text between characters, at a space if one is near. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const short = text
    .slice(0, max - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
  const space = short.lastIndexOf(' ')
  return `${space > max / 2 ? short.slice(0, space) : short}…`
}

/** Returns texts without empty ones and duplicates, ignoring case; at most `most`, each at most `max` long. */
export function distinct(texts: readonly string[], most: number, max: number): string[] {
  const seen = new Set<string>()
  const kept: string[] = []
  for (const text of texts) {
    if (kept.length >= most) break
    const clean = cleanText(text, max)
    const key = clean.toLowerCase()
    if (clean === '' || seen.has(key)) continue
    seen.add(key)
    kept.push(clean)
  }
  return kept
}

/** Returns the significant digits of a telephone number; empty when it is not one. */
export function phoneDigits(phone: string): string {
  const digits = phone.slice(0, 40).replace(/\D/g, '')
  return digits.length >= 6 && digits.length <= 15 ? digits.slice(-9) : ''
}
