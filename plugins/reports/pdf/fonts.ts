import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The families of the PDF, with the files that contain them. The layout uses no other font. */
const families: readonly (readonly [folder: string, files: readonly string[]])[] = [
  ['inter', ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf']],
  [
    'noto-sans-arabic',
    ['400Regular/NotoSansArabic_400Regular.ttf', '600SemiBold/NotoSansArabic_600SemiBold.ttf'],
  ],
  [
    'noto-sans-hebrew',
    ['400Regular/NotoSansHebrew_400Regular.ttf', '600SemiBold/NotoSansHebrew_600SemiBold.ttf'],
  ],
  ['noto-sans-jp', ['400Regular/NotoSansJP_400Regular.ttf']],
  ['noto-emoji', ['400Regular/NotoEmoji_400Regular.ttf']],
]

/** Reads the fonts in the box. */
export const readFonts = (): Buffer[] =>
  families.flatMap(([folder, files]) => {
    const root = dirname(Bun.resolveSync(`@expo-google-fonts/${folder}/package.json`, import.meta.dir))
    return files.map((file) => readFileSync(join(root, file)))
  })

/** Reads all fonts of these folders, without their subfolders. */
export const readFontFolders = (folders: readonly string[]): Buffer[] =>
  folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.(?:ttf|otf|ttc)$/i.test(name))
      .toSorted()
      .map((name) => readFileSync(join(folder, name))),
  )

/** Returns whether one of the fonts has a glyph for each character of a text. */
export function coverageOf(fonts: readonly Buffer[]): (text: string) => boolean {
  const ranges = fonts.flatMap(rangesOf).toSorted((a, b) => a[0] - b[0])
  const has = (code: number) => ranges.some(([first, last]) => first <= code && code <= last)
  const known = new Map<number, boolean>()
  return (text) => {
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0
      if (code === 0x20 || isInvisible(code)) continue
      const found = known.get(code) ?? has(code)
      known.set(code, found)
      if (!found) return false
    }
    return true
  }
}

/** Joiners and variation selectors need no glyph of their own. */
const isInvisible = (code: number) =>
  code === 0x200c ||
  code === 0x200d ||
  (code >= 0xfe00 && code <= 0xfe0f) ||
  (code >= 0xe0100 && code <= 0xe01ef)

/** Reads which characters a TrueType or OpenType font has: the ranges of its `cmap` table, formats 4 and 12. */
function rangesOf(font: Buffer): [number, number][] {
  const tables = font.readUInt16BE(4)
  for (let at = 12; at < 12 + tables * 16; at += 16) {
    if (font.toString('latin1', at, at + 4) === 'cmap') return cmapRanges(font, font.readUInt32BE(at + 8))
  }
  return []
}

function cmapRanges(font: Buffer, cmap: number): [number, number][] {
  const found: [number, number][] = []
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
