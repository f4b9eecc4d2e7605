const backslash = 92
/** Number of base 36 digits that fit into 32 bits. */
const lowDigits = 5
const lowPart = 36 ** lowDigits

/** Maximum bytes that `putText` writes per UTF-16 unit: two for an escaped character, otherwise three. */
export const bytesPerUnitMax = 3
/** Maximum bytes that `putNumber` writes. */
export const numberBytesMax = 32

/** Writes a field of a record with escaped tabs and line ends, and returns its end. */
export function putText(bytes: Buffer, start: number, text: string): number {
  let end = start
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 32 || code > 126 || code === backslash) return start + bytes.write(escaped(text), start)
    bytes[end++] = code
  }
  return end
}

/** Writes a number like `toString(36)`, but several times faster. */
export function putNumber(bytes: Buffer, start: number, value: number): number {
  if (!(value >= 0 && Number.isSafeInteger(value))) return putText(bytes, start, value.toString(36))
  const high = Math.floor(value / lowPart)
  if (high === 0) return putDigits(bytes, start, value, 1)
  return putDigits(bytes, putDigits(bytes, start, high, 1), value - high * lowPart, lowDigits)
}

function putDigits(bytes: Buffer, start: number, value: number, least: number): number {
  let count = 1
  for (let limit = 36; limit <= value; limit *= 36) count++
  const end = start + Math.max(count, least)
  let left = value | 0
  for (let at = end - 1; at >= start; at--) {
    const rest = (left / 36) | 0
    const digit = left - rest * 36
    bytes[at] = digit < 10 ? 48 + digit : 87 + digit
    left = rest
  }
  return end
}

// A raw tab or line break in a field could forge records, so they are always escaped.
const escaped = (text: string): string =>
  text.replace(/[\t\n\\]/g, (char) => (char === '\t' ? '\\t' : char === '\n' ? '\\n' : '\\\\'))
