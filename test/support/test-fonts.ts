import { copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The fonts of pages in tests: those of the product, and one with letters of equal width for code. */
const fonts = [
  'inter/400Regular/Inter_400Regular.ttf',
  'inter/500Medium/Inter_500Medium.ttf',
  'inter/600SemiBold/Inter_600SemiBold.ttf',
  'noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf',
  'noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold.ttf',
  'noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf',
  'noto-sans-hebrew/600SemiBold/NotoSansHebrew_600SemiBold.ttf',
  'noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf',
  'noto-emoji/400Regular/NotoEmoji_400Regular.ttf',
  'noto-sans-mono/400Regular/NotoSansMono_400Regular.ttf',
] as const

const folder = join(import.meta.dir, '../../node_modules/.cache/test-fonts')

/**
 * Writes a configuration of fontconfig that knows the fonts of the packages and no other, and returns its path. Pages then look
 * the same on every machine, whatever fonts it has.
 */
export function fontConfiguration(): string {
  const path = join(folder, 'fonts.conf')
  const names = fonts.map((font) => basename(font))
  const text = configuration(join(folder, 'fonts'))
  if (existsSync(path) && names.every((name) => existsSync(join(folder, 'fonts', name)))) return path
  mkdirSync(join(folder, 'fonts'), { recursive: true })
  for (const font of fonts) {
    const [family = ''] = font.split('/')
    const root = dirname(Bun.resolveSync(`@expo-google-fonts/${family}/package.json`, import.meta.dir))
    copyFileSync(join(root, font.slice(family.length + 1)), join(folder, 'fonts', basename(font)))
  }
  // Several test processes may write it at once.
  writeFileSync(`${path}.${process.pid}`, text)
  renameSync(`${path}.${process.pid}`, path)
  return path
}

const alias = (family: string, prefer: readonly string[]) =>
  `  <alias binding="same"><family>${family}</family><prefer>${prefer
    .map((name) => `<family>${name}</family>`)
    .join('')}</prefer></alias>`

const others = ['Noto Sans Arabic', 'Noto Sans Hebrew', 'Noto Sans JP', 'Noto Emoji']

const configuration = (directory: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${directory}</dir>
  <cachedir>${join(folder, 'cache')}</cachedir>
${['system-ui', 'sans-serif', 'serif'].map((family) => alias(family, ['Inter', ...others])).join('\n')}
${['ui-monospace', 'monospace'].map((family) => alias(family, ['Noto Sans Mono', ...others])).join('\n')}
${alias('emoji', ['Noto Emoji'])}
  <match target="font">
    <edit name="antialias" mode="assign"><bool>true</bool></edit>
    <edit name="hinting" mode="assign"><bool>true</bool></edit>
    <edit name="hintstyle" mode="assign"><const>hintslight</const></edit>
    <edit name="rgba" mode="assign"><const>none</const></edit>
  </match>
</fontconfig>
`
