type Range = readonly [first: number, last: number]

/** Reads which characters a TrueType or OpenType font has: the ranges of its `cmap` table, formats 4 and 12. */
export function characterRanges(font: Buffer): Range[] {
  const tables = font.length < 12 ? 0 : font.readUInt16BE(4)
  for (let at = 12; at < 12 + tables * 16; at += 16) {
    if (font.toString('latin1', at, at + 4) === 'cmap') return cmapRanges(font, font.readUInt32BE(at + 8))
  }
  return []
}

function cmapRanges(font: Buffer, cmap: number): Range[] {
  const found: Range[] = []
  for (let n = 0; n < font.readUInt16BE(cmap + 2); n++) {
    const at = cmap + font.readUInt32BE(cmap + 4 + n * 8 + 4)
    const format = font.readUInt16BE(at)
    if (format === 12) {
      for (let group = 0; group < font.readUInt32BE(at + 12); group++) {
        const from = at + 16 + group * 12
        found.push([font.readUInt32BE(from), font.readUInt32BE(from + 4)])
      }
    }
    if (format === 4) {
      const segments = font.readUInt16BE(at + 6) / 2
      for (let segment = 0; segment < segments; segment++) {
        const last = font.readUInt16BE(at + 14 + segment * 2)
        const first = font.readUInt16BE(at + 16 + segments * 2 + segment * 2)
        if (first <= last && first !== 0xffff) found.push([first, Math.min(last, 0xfffe)])
      }
    }
  }
  return found
}
