const charactersMax = 300
const before = 80

/** Returns the part of a text around the place `at`, shortened at spaces and marked with `…` where text is missing. */
export function excerptOf(text: string, at: number): string {
  const line = text.replace(/\s/g, ' ')
  if (line.length <= charactersMax) return line.replace(/ +/g, ' ').trim()
  const first = Math.max(0, Math.min(at - before, line.length - charactersMax))
  const start = first === 0 ? 0 : line.indexOf(' ', first) + 1 || first
  const cut = start + charactersMax
  const end = cut >= line.length ? line.length : Math.max(line.lastIndexOf(' ', cut), start + before)
  const part = line.slice(start, end).replace(/ +/g, ' ').trim().toWellFormed()
  return `${start > 0 ? '…' : ''}${part}${end < line.length ? '…' : ''}`
}
