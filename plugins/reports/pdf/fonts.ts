import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A family of the PDF with its files. The first file decides which characters the family has. */
type Family = readonly [folder: string, files: readonly string[]]

/** The families of the PDF, in the order in which the layout tries them. The layout uses no other font. */
const families: readonly Family[] = [
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

/** The fonts that a text needs. */
export interface NeededFonts {
  readonly fonts: readonly Buffer[]
  /** Whether each character of the text has a glyph in one of them. */
  readonly isCovered: boolean
}

/**
 * Reads the fonts that a text needs. The layout uses the first family with a glyph, so a family that is the first for no
 * character changes nothing, and is not read. The fonts of `folders` are tried last.
 */
export function fontsFor(text: string, folders: readonly string[] = []): NeededFonts {
  const left = visibleCharacters(text)
  const fonts: Buffer[] = []
  const take = (files: readonly Buffer[], isAlways = false) => {
    const ranges = characterRanges(files[0] ?? Buffer.alloc(0))
    const found = [...left].filter((code) => ranges.some(([first, last]) => first <= code && code <= last))
    for (const code of found) left.delete(code)
    if (found.length > 0 || isAlways) fonts.push(...files)
  }
  for (const [place, family] of families.entries()) {
    if (place === 0 || left.size > 0) take(readFamily(family), place === 0)
  }
  for (const font of readFontFolders(folders)) if (left.size > 0) take([font])
  return { fonts, isCovered: left.size === 0 }
}

function readFamily([folder, files]: Family): Buffer[] {
  const root = dirname(Bun.resolveSync(`@expo-google-fonts/${folder}/package.json`, import.meta.dir))
  return files.map((file) => readFileSync(join(root, file)))
}

/** Reads all fonts of these folders, without their subfolders. */
const readFontFolders = (folders: readonly string[]): Buffer[] =>
  folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.(?:ttf|otf|ttc)$/i.test(name))
      .toSorted()
      .map((name) => readFileSync(join(folder, name))),
  )

/** Returns the characters that need a glyph. */
function visibleCharacters(text: string): Set<number> {
  const found = new Set<number>()
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code !== 0x20 && !isInvisible(code)) found.add(code)
  }
  return found
}

/** Breaks, joiners and variation selectors need no glyph of their own. */
const isInvisible = (code: number) =>
  code === 0x200b ||
  code === 0x200c ||
  code === 0x200d ||
  (code >= 0xfe00 && code <= 0xfe0f) ||
  (code >= 0xe0100 && code <= 0xe01ef)

type Range = readonly [first: number, last: number]

/** Reads which characters a TrueType or OpenType font has: the ranges of its `cmap` table, formats 4 and 12. */
function characterRanges(font: Buffer): Range[] {
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
